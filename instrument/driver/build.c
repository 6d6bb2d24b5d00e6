#define _GNU_SOURCE
#include "driver/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command_line.h"
#include "common/compiler.h"
#include "common/messages.h"
#include "common/word_list.h"
#include "config.h"
#include "driver/openmp.h"

/* The facts that decide which words are added to one command. */
struct build {
	const struct fathom_installation *installation;
	const struct fathom_options *options;
	const char *path;		/* the program to run, as a path */
	const char *called;		/* the first word of the command as the user wrote it */
	const char *name;		/* base name of the compiler, behind launchers */
	/* The compiler's name as the user wrote it behind a launcher; NULL: there is no launcher. */
	const char *launched;
	int is_wrapper;			/* the compiler is an MPI wrapper */
	struct fathom_line line;
	struct fathom_compiler compiler;
	int compiles;			/* the command compiles, and the code gets hooks */
	int links;			/* the command links a program, which gets the measurement */
	int links_shared;		/* the command links a shared library that needs the OpenMP adapter */
	int has_reported;		/* all messages for this command were printed */
};

/* Returns whether compilers search this directory for headers by default. */
static int is_standard_headers(const char *folder)
{
	return strcmp(folder, "/usr/include") == 0 || strcmp(folder, "/usr/local/include") == 0;
}

/* --- compiling ------------------------------------------------------------------------------- */

static int use_plugin(const struct build *build)
{
	return fathom_compiler_fits_plugin(&build->compiler) && access(build->installation->plugin, R_OK) == 0;
}

/* Adds the flags that calls of fathom/fathom.h need. The directory is searched after all others, so a header of the
 * user that has the same name is found first. */
static void add_user_flags(const struct build *build, struct fathom_words *command)
{
	fathom_words_add(command, "-DFATHOM_USER");
	if (!is_standard_headers(build->installation->headers))
		fathom_words_addf(command, "-idirafter%s", build->installation->headers);
	if (fathom_compiler_is_fortran(build->name))
		fathom_words_addf(command, "-I%s/fathom", build->installation->headers);
}

/* Adds the flags for compiling. They come before the user's flags, so a contrary flag of the user takes effect. */
static void add_compile_flags(const struct build *build, struct fathom_words *command)
{
	const struct fathom_options *options = build->options;

	if (options->user)
		add_user_flags(build, command);
	if (options->keep)
		fathom_words_add(command, "-save-temps=obj");
	if (!options->compiler)
		return;
	if (build->compiler.family == FATHOM_FAMILY_CLANG) {
		/* With -pg, clang inserts calls of mcount in place of the hooks that it would insert after inlining. So
		 * fathom uses the hooks that clang inserts before inlining; then inlined functions have hooks, too. */
		fathom_words_add(command, build->line.has_mcount ? "-finstrument-functions" :
								   "-finstrument-functions-after-inlining");
		return;
	}
	fathom_words_add(command, "-finstrument-functions");
	if (!use_plugin(build)) {
		if (build->compiler.family == FATHOM_FAMILY_GCC)
			fathom_words_add(command, "-finstrument-functions-exclude-file-list="
						  "/usr/include,/usr/lib/gcc,/usr/local/include");
		return;
	}
	fathom_words_addf(command, "-fplugin=%s", build->installation->plugin);
	if (options->has_min_insns)
		fathom_words_addf(command, "-fplugin-arg-fathom_gcc_plugin-min-insns=%lu", options->min_insns);
	if (options->hooks)
		fathom_words_addf(command, "-fplugin-arg-fathom_gcc_plugin-hooks=%s", options->hooks);
	if (options->calls)
		fathom_words_addf(command, "-fplugin-arg-fathom_gcc_plugin-calls=%s", options->calls);
	if (options->filter)
		fathom_words_addf(command, "-fplugin-arg-fathom_gcc_plugin-filter=%s", options->filter);
}

/*
 * Adds flags that turn some errors back into warnings; they come last. A hook needs some stack, and it keeps code that
 * the optimiser would remove. If the user limits the size of frames, the warning is right, but it must not end the
 * build. A profile of GCC from a build with other hooks, or without hooks, must not end the build either: some
 * functions differ then, and GCC ignores the profile for them.
 */
static void add_leniency(const struct build *build, struct fathom_words *command)
{
	const char *end = build->compiler.family == FATHOM_FAMILY_CLANG ? "" : "=";

	if (!build->options->compiler)
		return;
	if (build->line.limits_frame)
		fathom_words_addf(command, "-Wno-error=frame-larger-than%s", end);
	if (build->line.limits_stack)
		fathom_words_addf(command, "-Wno-error=stack-usage%s", end);
	if (build->line.uses_profile && build->compiler.family == FATHOM_FAMILY_GCC)
		fathom_words_add(command, "-Wno-error=coverage-mismatch");
}

/* --- linking ----------------------------------------------------------------------------------- */

/* Returns whether the dynamic linker searches this directory by default. */
static int is_standard_folder(const char *folder)
{
	static const char *const standard[] = { "/lib", "/usr/lib", "/lib64", "/usr/lib64" };

	for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++) {
		size_t length = strlen(standard[i]);

		if (strncmp(folder, standard[i], length) == 0 &&
		    (!folder[length] || strcmp(folder + length, "/" FATHOM_PLUGIN_TARGET) == 0))
			return 1;
	}
	return 0;
}

static char *library_file(const struct build *build, const char *name)
{
	return fathom_text("%s/lib%s.%s", build->installation->libraries, name, build->line.is_static ? "a" : "so");
}

static int has_library(const struct build *build, const char *name)
{
	char *file = library_file(build, name);
	int there = access(file, R_OK) == 0;

	free(file);
	return there;
}

/* Returns the library with the MPI wrappers for this program. The wrappers of mpi_f08 need MPICH's Fortran library,
 * which only Fortran programs link. */
static const char *mpi_library(const struct build *build, enum fathom_mpi mpi)
{
	if (mpi == FATHOM_MPI_MPICH && (fathom_compiler_is_fortran(build->name) || build->line.has_mpi_fortran) &&
	    has_library(build, "fathom-mpif08"))
		return "fathom-mpif08";
	return fathom_mpi_linked(mpi);
}

/* Returns the MPI that the program will use. The wrappers of a different MPI would crash the program, because the
 * values of its handles differ. */
static enum fathom_mpi mpi_kind(const struct build *build, char *const *args, size_t count)
{
	enum fathom_mpi asked = build->options->mpi_kind, mpi = FATHOM_MPI_UNKNOWN;

	if (build->is_wrapper)
		mpi = fathom_mpi_of_wrapper(build->path, build->launched);
	if (!mpi)
		mpi = fathom_mpi_of_line(args, count);
	if (asked && mpi && asked != mpi)
		fathom_die(FATHOM_EXIT_USAGE, "--mpi=%s: %s links %s; without --mpi= its own wrappers are taken",
			   asked == FATHOM_MPI_MPICH ? "mpich" : "openmpi", build->name, fathom_mpi_name(mpi));
	if (asked)
		return asked;
	return mpi ? mpi : fathom_mpi_usual(build->installation);
}

/* Returns the MPI whose calls are measured; FATHOM_MPI_UNKNOWN: none. If the wrappers for the MPI are missing, prints a
 * message. Called only when linking. */
static enum fathom_mpi use_mpi(const struct build *build, char *const *args, size_t count)
{
	const struct fathom_options *options = build->options;
	enum fathom_mpi mpi;

	if (options->mpi == FATHOM_CHOICE_OFF)
		return FATHOM_MPI_UNKNOWN;
	if (options->mpi == FATHOM_CHOICE_AUTO && !build->is_wrapper && !build->line.has_mpi)
		return FATHOM_MPI_UNKNOWN;
	mpi = mpi_kind(build, args, count);
	if (has_library(build, fathom_mpi_linked(mpi)))
		return mpi;
	if (options->mpi == FATHOM_CHOICE_ON)
		fathom_die(FATHOM_EXIT_USAGE, "--mpi=on: lib%s is not there: this fathom was built without %s%s",
			   fathom_mpi_linked(mpi), fathom_mpi_name(mpi), build->line.is_static ? " for -static" : "");
	if (!build->has_reported)
		fathom_say("%s: links %s, and this fathom was built without wrappers for it%s; MPI calls will not be "
			   "measured", build->name, fathom_mpi_name(mpi),
			   build->line.is_static ? " in static programs" : "");
	return FATHOM_MPI_UNKNOWN;
}

/* Returns how OpenMP is measured. The family of the compiler must be known. */
static enum fathom_openmp_way openmp_way(const struct build *build)
{
	if (!build->line.has_openmp && !build->line.has_openmp_library)
		return FATHOM_OPENMP_OFF;
	if (build->options->openmp != FATHOM_OPENMP_AUTO)
		return build->options->openmp;
	if (build->compiler.family == FATHOM_FAMILY_OTHER)
		return FATHOM_OPENMP_OFF;
	return build->compiler.family == FATHOM_FAMILY_CLANG ? FATHOM_OPENMP_OMPT : FATHOM_OPENMP_POMP2;
}

/* Returns the library that receives the OpenMP events of the program; NULL: none. */
static const char *openmp_library(const struct build *build)
{
	switch (openmp_way(build)) {
	case FATHOM_OPENMP_POMP2:
		return "fathom-pomp2";
	case FATHOM_OPENMP_OMPT:
		return "fathom-ompt";
	case FATHOM_OPENMP_AUTO:
	case FATHOM_OPENMP_OFF:
		break;
	}
	return NULL;
}

/* Adds words for the linker as one word of the compiler, so that they stay in order and that options such as -x and
 * -Bstatic before them do not apply. */
static void add_linker_words(struct fathom_words *command, const struct fathom_words *words)
{
	char *text = fathom_text("-Wl");
	int has_comma = 0;

	for (size_t i = 0; i < words->count; i++) {
		char *longer = fathom_text("%s,%s", text, words->list[i]);

		free(text);
		text = longer;
		has_comma |= strchr(words->list[i], ',') != NULL;
	}
	if (!has_comma) {
		fathom_words_add(command, text);
	} else {
		for (size_t i = 0; i < words->count; i++) {
			fathom_words_add(command, "-Xlinker");
			fathom_words_add(command, words->list[i]);
		}
	}
	free(text);
}

static void add_library(const struct build *build, struct fathom_words *words, const char *name)
{
	char *file = library_file(build, name);

	if (access(file, R_OK))
		fathom_die(FATHOM_EXIT_FAILED, "%s is not there: the installation of fathom is incomplete%s", file,
			   build->line.is_static ? ", or was made without static libraries" : "");
	fathom_words_add(words, file);
	free(file);
}

/* Adds the library that measures created threads. Every program gets it, because the C library itself contains the
 * thread functions, so no word on the command line shows whether the program creates threads. A static program needs
 * the option --wrap, by which the linker replaces the calls by calls of the wrappers. */
static void add_threads(const struct build *build, struct fathom_words *words)
{
	char *file = library_file(build, build->line.is_static ? "fathom-pthread-static" : "fathom-pthread");

	if (access(file, R_OK) == 0) {
		if (build->line.is_static)
			fathom_words_addf(words, "@%s/fathom-pthread.wrap", build->installation->libraries);
		fathom_words_add(words, file);
	}
	free(file);
}

/* Adds the wrappers of functions that leave other functions without an exit event: jumps and exceptions. The linker
 * redirects the calls that do not go through a shared library. --undefined is needed because perhaps only a library
 * later on the line calls the function that continues an exception. */
static void add_jumps(const struct build *build, struct fathom_words *words)
{
	static const char *const jumps[] = { "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "swapcontext",
					     "setcontext" };
	char *file = fathom_text("%s/libfathom-jump-static.a", build->installation->libraries);

	if (access(file, R_OK) == 0) {
		for (size_t i = 0; build->line.is_static && i < sizeof(jumps) / sizeof(*jumps); i++)
			fathom_words_addf(words, "--wrap=%s", jumps[i]);
		fathom_words_add(words, "--wrap=__cxa_begin_catch");
		fathom_words_add(words, "--wrap=_Unwind_SetIP");
		fathom_words_add(words, "--undefined=__wrap__Unwind_SetIP");
		fathom_words_add(words, file);
	}
	free(file);
}

/* Adds the libraries of fathom by their file names and not by -l. So no directory is added to the search for the user's
 * libraries, and programs that extract libraries from the output of -v do not find those of fathom. */
static void add_libraries(const struct build *build, struct fathom_words *command, enum fathom_mpi mpi)
{
	const char *openmp = openmp_library(build);
	struct fathom_words words = { 0 };
	int is_static = build->line.is_static;

	if (is_static && !FATHOM_STATIC_LIBS[0])
		fathom_die(FATHOM_EXIT_FAILED, "-static: this fathom was built on a system without static elfutils; "
			   "link dynamically, or without fathom");
	fathom_words_add(&words, "--push-state");
	if (!is_static) {
		/* Debian's compilers link with --as-needed. A program that calls MPI only from its libraries, or from
		 * Fortran, would silently lose the wrappers. */
		fathom_words_add(&words, "-Bdynamic");
		fathom_words_add(&words, "--no-as-needed");
	} else {
		/* crtbegin.o deregisters the program's table for unwinding before fathom finishes the measurement. A
		 * thread of the runtime library that ends at this time needs the table, and finds it by this header. */
		fathom_words_add(&words, "--eh-frame-hdr");
		fathom_words_add(&words, "--whole-archive");
	}
	/* OMPT reports addresses of code; the library for compiler hooks finds the names of these addresses. */
	if (build->options->compiler || (openmp && strcmp(openmp, "fathom-ompt") == 0)) {
		add_library(build, &words, "fathom-compiler");
		if (is_static)
			add_library(build, &words, "fathom-symbols");	/* other programs load it when it is needed */
	}
	if (openmp)
		add_library(build, &words, openmp);
	if (build->options->io && is_static)
		fathom_die(FATHOM_EXIT_USAGE, "--io: the input and output of static programs cannot be measured; link "
			   "dynamically, or leave the option out");
	if (build->options->io)
		add_library(build, &words, "fathom-io");
	add_threads(build, &words);
	if (is_static || build->line.has_unwinder)
		add_jumps(build, &words);
	if (mpi && !is_static)
		add_library(build, &words, mpi_library(build, mpi));
	add_library(build, &words, "fathom");
	if (mpi && is_static) {
		/* In a Fortran program, libmpichfort contains the calls, and comes later on the line. A C program lacks
		 * the Fortran library that the members of a whole archive would need. */
		if (strcmp(mpi_library(build, mpi), "fathom-mpi") == 0)
			fathom_words_add(&words, "--no-whole-archive");
		add_library(build, &words, mpi_library(build, mpi));
	}
	fathom_words_add(&words, "--pop-state");
	if (is_static)
		fathom_words_split(&words, FATHOM_STATIC_LIBS);
	add_linker_words(command, &words);
	fathom_words_fini(&words);
}

/* Adds the adapter to a shared library. The rewritten sources in the library call the adapter, in every program that
 * loads the library. */
static void add_to_shared(const struct build *build, struct fathom_words *command)
{
	struct fathom_words words = { 0 };

	fathom_words_add(&words, "--push-state");
	fathom_words_add(&words, "-Bdynamic");
	fathom_words_add(&words, "--as-needed");
	add_library(build, &words, "fathom-pomp2");
	fathom_words_add(&words, "--pop-state");
	add_linker_words(command, &words);
	fathom_words_fini(&words);
}

static void add_rpath(const struct build *build, struct fathom_words *command)
{
	const char *run_path = getenv("LD_RUN_PATH");
	struct fathom_words words = { 0 };

	if (build->line.is_static || is_standard_folder(build->installation->libraries))
		return;
	/* The linker uses LD_RUN_PATH only if there is no -rpath. fathom adds one, so it must repeat the path. */
	if (run_path && *run_path && !build->line.has_rpath) {
		fathom_words_add(&words, "-rpath");
		fathom_words_add(&words, run_path);
	}
	fathom_words_add(&words, "-rpath");
	fathom_words_add(&words, build->installation->libraries);
	add_linker_words(command, &words);
	fathom_words_fini(&words);
}

/* Reports what the measurement of this program will lack: once for each program and not for each object file. */
static void say_losses(const struct build *build)
{
	const struct fathom_options *options = build->options;

	if (!options->compiler || build->has_reported)
		return;
	if (use_plugin(build))
		return;
	if (build->compiler.family == FATHOM_FAMILY_GCC)
		fathom_say("%s: no plugin for this GCC %s: small and inline functions are instrumented as well%s, "
			   "which slows programs that call them often", build->name, build->compiler.version,
			   options->filter ? " and --filter has no effect" : "");
	else if (options->filter)
		fathom_say("%s: --filter has no effect with this compiler, only with GCC", build->name);
}

/* --- the command ----------------------------------------------------------------------------------- */

static void decide(struct build *build, char *const *args, size_t count)
{
	const struct fathom_line *line = &build->line;
	int leave;

	fathom_line_read(&build->line, args, count);
	/* Programs of a configure script test the compiler and are not to be measured, so they get nothing. */
	leave = line->is_bare || line->is_probe || !line->has_input || line->stage > FATHOM_STAGE_COMPILE;
	build->links = !leave && line->stage == FATHOM_STAGE_LINK && !line->is_shared && !line->is_relocatable;
	if (line->other_words && build->links && !build->has_reported)
		fathom_say("%s: %s: the program is not measured: it cannot be linked with this fathom's libraries",
			   build->name, line->other_words);
	leave |= line->other_words != NULL;
	build->links &= !leave;
	build->compiles = !leave && line->has_source;
	build->links_shared = !leave && line->stage == FATHOM_STAGE_LINK && line->is_shared &&
			      (line->has_openmp || line->has_openmp_library);
	if (!build->has_reported && (build->options->compiler || line->has_openmp || line->has_openmp_library) &&
	    (build->compiles || build->links || build->links_shared))
		fathom_compiler_ask(&build->compiler, build->path, build->launched);
	build->links_shared &= openmp_way(build) == FATHOM_OPENMP_POMP2;
}

static void compose(const struct build *build, struct fathom_words *command, char *const *args, size_t count)
{
	size_t at = build->line.has_mpi ? build->line.mpi_at : count;
	enum fathom_mpi mpi = build->links ? use_mpi(build, args, count) : FATHOM_MPI_UNKNOWN;

	if (build->links)
		say_losses(build);
	if (build->compiles)
		add_compile_flags(build, command);
	for (size_t i = 0; i <= count; i++) {
		/* The libraries come before the MPI library, because the first definition of a function is the one that
		 * is called. */
		if (build->links && i == at)
			add_libraries(build, command, mpi);
		if (i < count)
			fathom_words_add(command, args[i]);
	}
	if (build->links_shared)
		add_to_shared(build, command);
	if (build->compiles)
		add_leniency(build, command);
	if (build->links || build->links_shared)
		add_rpath(build, command);
}

/* Adds the words that begin the command: a launcher, if there is one, and the compiler. */
static void add_front(const struct build *build, struct fathom_words *command)
{
	fathom_words_add(command, build->called);
	if (build->launched)
		fathom_words_add(command, build->launched);
}

/* Composes the command for a changed list of the user's words. */
static void compose_again(const void *data, struct fathom_words *command, char *const *args, size_t count)
{
	struct build build = *(const struct build *)data;

	build.has_reported = 1;
	decide(&build, args, count);
	add_front(&build, command);
	compose(&build, command, args, count);
}

/* Builds sources with OpenMP, which are compiled twice. Returns the exit code, or -1 if there are no such sources. */
static int build_openmp(const struct build *build, const struct fathom_words *command, char *const *args, size_t count)
{
	struct fathom_words front = { 0 }, added = { 0 };
	struct fathom_openmp openmp = {
		.installation = build->installation, .options = build->options,
		.path = build->path, .name = build->name,
		.front = &front, .added = &added, .plain = command, .stage = build->line.stage,
		.is_gcc = build->compiler.family == FATHOM_FAMILY_GCC, .compose = compose_again, .build = build,
	};
	int code;

	if (!build->compiles || !build->line.has_openmp || openmp_way(build) != FATHOM_OPENMP_POMP2)
		return -1;
	add_front(build, &front);
	add_compile_flags(build, &added);
	code = fathom_openmp_build(&openmp, args, count);
	fathom_words_fini(&front);
	fathom_words_fini(&added);
	return code;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int cannot_run(const char *name)
{
	if (errno == ENOENT) {
		fathom_say("%s: not found", name);
		return FATHOM_EXIT_NOT_FOUND;
	}
	fathom_say("%s: %s", name, strerror(errno));
	return FATHOM_EXIT_NOT_EXECUTABLE;
}

/* Ends with a message if an option of fathom follows the compiler's name: the compiler would get it and does not know
 * it. Words behind -Xlinker and similar options are for other programs and are not checked. */
static void refuse_misplaced(const char *compiler, char *const *args, size_t count)
{
	static const char *const ours[] = { "--no-compiler", "--no-user", "--io", "--mpi=", "--openmp=",
					    "--openmp-atomic", "--filter=" };

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < sizeof(ours) / sizeof(ours[0]); k++) {
			size_t length = strlen(ours[k]);

			if (strncmp(args[i], ours[k], length) || (args[i][length] && ours[k][length - 1] != '=') ||
			    (i && strncmp(args[i - 1], "-X", 2) == 0))
				continue;
			fathom_die(FATHOM_EXIT_USAGE, "%s: is an option of fathom and stands before the compiler: "
				   "fathom %s %s ...", args[i], args[i], compiler);
		}
	}
}

int fathom_build_run(const struct fathom_installation *installation, const struct fathom_options *options,
		     char *const *args, size_t count)
{
	struct build build = { .installation = installation, .options = options };
	struct fathom_words command = { 0 };
	size_t first = 1;	/* index of the first word behind the compiler's name */
	char *path = fathom_installation_search(installation, args[0]);
	int code;

	if (!path)
		return cannot_run(args[0]);
	build.path = path;
	build.name = base_name(args[0]);
	build.called = args[0];
	if (fathom_compiler_is_launcher(build.name) && count > 1 && fathom_compiler_is_name(base_name(args[1]))) {
		build.launched = args[1];
		build.name = base_name(args[1]);
		first = 2;
	}
	build.is_wrapper = fathom_compiler_is_mpi_wrapper(build.name);
	refuse_misplaced(build.name, args + first, count - first);
	if (first == 2 || !fathom_compiler_is_launcher(build.name))
		decide(&build, args + first, count - first);
	add_front(&build, &command);
	compose(&build, &command, args + first, count - first);

	code = build_openmp(&build, &command, args + first, count - first);
	if (code < 0) {
		if (options->verbose)
			fathom_words_show(&command);
		execv(path, command.list);
		code = cannot_run(args[0]);
	}
	fathom_words_fini(&command);
	free(path);
	return code;
}

/* Adds the words that can be added to a command line without seeing the sources. */
static int add_all(struct build *build, char *const *args, size_t count, struct fathom_words *added)
{
	decide(build, args, count);
	if (build->line.has_openmp && openmp_way(build) == FATHOM_OPENMP_POMP2) {
		fathom_say("flags: --openmp: with %s, OpenMP is measured by rewriting sources, which flags cannot do: "
			   "put fathom before the compiler, or use clang", build->name);
		return FATHOM_EXIT_FAILED;
	}
	if (build->compiles)
		add_compile_flags(build, added);
	if (build->links) {
		say_losses(build);
		add_libraries(build, added, use_mpi(build, args, count));
		add_rpath(build, added);
	}
	return 0;
}

int fathom_build_added(const struct fathom_installation *installation, const struct fathom_options *options,
		       const char *compiler, char *const *args, size_t count, struct fathom_words *added)
{
	struct build build = { .installation = installation, .options = options };
	struct fathom_words words = { 0 };
	char *path = NULL;
	size_t at = 0;
	int code;

	fathom_words_split(&words, compiler);
	while (at + 1 < words.count && fathom_compiler_is_launcher(base_name(words.list[at])))
		at++;
	if (!words.count || !fathom_compiler_is_name(base_name(words.list[at]))) {
		fathom_say("flags: --compiler=%s: not a compiler that fathom knows", compiler);
		code = FATHOM_EXIT_USAGE;
		goto free_words;
	}
	path = fathom_installation_search(installation, words.list[at]);
	if (!path) {
		code = cannot_run(words.list[at]);
		goto free_words;
	}
	build.path = path;
	build.called = words.list[at];
	build.name = base_name(words.list[at]);
	build.is_wrapper = fathom_compiler_is_mpi_wrapper(build.name);
	code = add_all(&build, args, count, added);
	free(path);
free_words:
	fathom_words_fini(&words);
	return code;
}
