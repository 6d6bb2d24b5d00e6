#define _GNU_SOURCE
#include "driver/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "driver/compiler.h"
#include "driver/command_line.h"
#include "driver/openmp.h"
#include "driver/messages.h"
#include "driver/word_list.h"

/* All that decides what is added to one command. */
struct build {
	const struct fathom_installation *installation;
	const struct fathom_options *options;
	const char *path;		/* program to run */
	const char *called;		/* as it was written */
	const char *name;		/* base name of the compiler, behind launchers */
	const char *launched;		/* the compiler as written, behind a launcher; else NULL */
	int is_wrapper;			/* an MPI wrapper */
	struct fathom_line line;
	struct fathom_compiler compiler;
	int compiles;			/* instrument what is compiled */
	int links;			/* link the measurement */
	int links_shared;		/* link a library that may need a part of it */
	int has_reported;		/* all messages for this command were printed */
};

/* Whether compilers search this folder for headers by default. */
static int is_standard_headers(const char *folder)
{
	return strcmp(folder, "/usr/include") == 0 || strcmp(folder, "/usr/local/include") == 0;
}

/* --- compiling ------------------------------------------------------------------------------- */

static int use_plugin(const struct build *build)
{
	return fathom_compiler_fits_plugin(&build->compiler) && access(build->installation->plugin, R_OK) == 0;
}

/* For the calls of fathom/fathom.h. The folder comes behind all others: what the user has there is found first. */
static void add_user_flags(const struct build *build, struct fathom_words *command)
{
	fathom_words_add(command, "-DFATHOM_USER");
	if (!is_standard_headers(build->installation->headers))
		fathom_words_addf(command, "-idirafter%s", build->installation->headers);
	if (fathom_compiler_is_fortran(build->name))
		fathom_words_addf(command, "-I%s/fathom", build->installation->headers);
}

/* These go first, so that a flag of the user's that says otherwise wins. */
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
		/* With -pg, clang calls mcount in place of the hook that it would put in after inlining. The one from
		 * before inlining is a second one; then functions that are inlined have hooks, too. */
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
	if (options->filter)
		fathom_words_addf(command, "-fplugin-arg-fathom_gcc_plugin-filter=%s", options->filter);
}

/*
 * A hook needs some stack of its own, and keeps code that would be optimised away. Where the
 * user has a limit for that, the warning is right, but it must not end the build. Nor must a profile from a build
 * with other hooks, or none: some functions are not the same inside then, and GCC does without it there. Goes last.
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

/* Whether the dynamic linker searches this folder by default. */
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

/*
 * The wrappers for this program. Those of mpi_f08 need MPICH's Fortran library, which only comes
 * with Fortran programs.
 */
static const char *mpi_library(const struct build *build, enum fathom_mpi mpi)
{
	if (mpi == FATHOM_MPI_MPICH && (fathom_compiler_is_fortran(build->name) || build->line.has_mpi_fortran) &&
	    has_library(build, "fathom-mpif08"))
		return "fathom-mpif08";
	return fathom_mpi_linked(mpi);
}

/* Which MPI the program will have. The wrappers of another would crash it: handles are not the same. */
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

/*
 * The MPI whose calls shall be measured, and can be; UNKNOWN for none. Says so if the second is missing.
 * Asked only when linking.
 */
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

/* How OpenMP on this line is measured. The compiler was asked before. */
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

/* The library that listens to OpenMP in this program, or NULL. */
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

/* One word for the linker: it keeps its place, and -x, -Bstatic and the like cannot change its meaning. */
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

/*
 * Created threads, in every program: that the C library has all about threads in itself, so that
 * no word on the line tells. In a static program the calls have to be led to the wrappers.
 */
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

/* Jumps and exceptions, which leave functions without an exit, have to be led to us where they are not the shared
 * libraries'. What makes an exception go on may be asked for only by a library that comes later on the line. */
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

/*
 * The libraries as files and not by -l: no folder is added to the search for the user's own
 * libraries, and scripts that learn libraries from the output of -v do not learn ours.
 */
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
		/* Debian's compilers link --as-needed: a program that calls MPI only from its libraries, or
		 * from Fortran, would silently lose the wrappers. */
		fathom_words_add(&words, "-Bdynamic");
		fathom_words_add(&words, "--no-as-needed");
	} else {
		/* What crtbegin.o registered for unwinding is gone before our work at the end is done; a thread of the
		 * runtime that ends meanwhile needs the table. */
		fathom_words_add(&words, "--eh-frame-hdr");
		fathom_words_add(&words, "--whole-archive");
	}
	/* OMPT tells of addresses; what names these is in the library for functions. */
	if (build->options->compiler || (openmp && strcmp(openmp, "fathom-ompt") == 0)) {
		add_library(build, &words, "fathom-compiler");
		if (is_static)
			add_library(build, &words, "fathom-symbols");	/* otherwise loaded when it is needed */
	}
	if (openmp)
		add_library(build, &words, openmp);
	add_threads(build, &words);
	if (is_static || build->line.has_unwinder)
		add_jumps(build, &words);
	if (mpi && !is_static)
		add_library(build, &words, mpi_library(build, mpi));
	add_library(build, &words, "fathom");
	if (mpi && is_static) {
		/* A Fortran program has the calls in libmpichfort, which comes later; a C program lacks
		 * the Fortran library that the whole archive would want. */
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

/* A library whose sources were rewritten calls the adapter, whatever program it is loaded into. */
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
	/* The linker obeys LD_RUN_PATH only where no -rpath is given; ours must not end that. */
	if (run_path && *run_path && !build->line.has_rpath) {
		fathom_words_add(&words, "-rpath");
		fathom_words_add(&words, run_path);
	}
	fathom_words_add(&words, "-rpath");
	fathom_words_add(&words, build->installation->libraries);
	add_linker_words(command, &words);
	fathom_words_fini(&words);
}

/* Reports what this program's measurement will lack, in one line for each program and not for each file. */
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
	/* A configure script's programs say how the compiler works, not how the program runs. */
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
		if (build->links && i == at)	/* before the MPI library: the first definition is the one called */
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

/* How the compiler is called: its name, behind that of a launcher. */
static void add_front(const struct build *build, struct fathom_words *command)
{
	fathom_words_add(command, build->called);
	if (build->launched)
		fathom_words_add(command, build->launched);
}

/* Makes the command for other words than those that the user wrote. */
static void compose_again(const void *data, struct fathom_words *command, char *const *args, size_t count)
{
	struct build build = *(const struct build *)data;

	build.has_reported = 1;
	decide(&build, args, count);
	add_front(&build, command);
	compose(&build, command, args, count);
}

/* Sources with OpenMP take a longer way. Returns the exit code, or -1 if there are none. */
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

/* An option of ours behind the compiler would be the compiler's, which knows no such option: ends with one line. What
 * stands behind -Xlinker and the like is for others. */
static void refuse_misplaced(const char *compiler, char *const *args, size_t count)
{
	static const char *const ours[] = { "--no-compiler", "--no-user", "--mpi=", "--openmp=", "--openmp-atomic",
					    "--filter=" };

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
	size_t first = 1;	/* of the compiler's own words */
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

/* What can be added to one line of a known compiler's, without ever seeing the sources. */
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
