#define _GNU_SOURCE
#include "driver/run_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "common/messages.h"
#include "common/word_list.h"
#include "driver/mpi.h"
#include "driver/openmp_runtime.h"
#include "driver/program_file.h"

struct run {
	int verbose;
	int exchange;		/* replace GCC's OpenMP runtime by LLVM's */
	int io;			/* measure calls of POSIX files and of stdio */
	int without_mpi;	/* --mpi=off */
	enum fathom_mpi mpi;	/* the MPI that the user named */
};

/* Returns whether the kernel gives the program rights that its caller lacks. The dynamic linker then ignores
 * LD_PRELOAD. */
static int has_own_rights(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return 0;
	if ((status.st_mode & S_ISUID) && status.st_uid != geteuid())
		return 1;
	if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getegid())
		return 1;
	return getxattr(path, "security.capability", NULL, 0) > 0 && geteuid() != 0;
}

/* Refuses programs that cannot be measured. Returns 0, or the exit code after a message. */
static int check(struct fathom_program *program, const char *name, const char *path)
{
	int err = fathom_program_read(program, path);

	if (err == -EACCES)	/* the user may execute the file but not read it: nothing more can be found out */
		return 0;
	if (err) {
		fathom_say("%s: %s", name, strerror(-err));
		return FATHOM_EXIT_NOT_EXECUTABLE;
	}
	if (program->has_fathom)
		return 0;
	if (program->is_elf && program->is_foreign) {
		fathom_say("%s: is a program for another kind of processor than this fathom", name);
		return FATHOM_EXIT_FAILED;
	}
	if (program->is_elf && program->is_static) {
		fathom_say("%s: is a static program, nothing can be loaded into it; link it with fathom instead", name);
		return FATHOM_EXIT_FAILED;
	}
	if (has_own_rights(path)) {
		fathom_say("%s: runs with rights of its own (set-uid, set-gid or capabilities), nothing can be loaded "
			   "into it",
			   name);
		return FATHOM_EXIT_FAILED;
	}
	return 0;
}

/* Returns whether this process prints messages that apply to all ranks. */
static int is_first_rank(void)
{
	static const char *const names[] = { "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *rank = getenv(names[i]);

		if (rank && strcmp(rank, "0"))
			return 0;
	}
	return 1;
}

/* Returns the MPI wrappers to preload for the program, as in libNAME.so; NULL: none. */
static const char *mpi_wrappers(const struct fathom_installation *installation, const struct run *run, const char *name,
				const char *path)
{
	enum fathom_mpi mpi = run->mpi;
	const char *wrappers;
	char *file;
	int there;

	if (run->without_mpi)
		return NULL;
	if (!mpi)
		mpi = fathom_mpi_of_program(path);
	if (!mpi)
		mpi = fathom_mpi_of_launcher();		/* the program may load MPI later, as Python does */
	wrappers = fathom_mpi_preload(mpi ? mpi : fathom_mpi_usual(installation));
	file = fathom_text("%s/lib%s.so", installation->libraries, wrappers);
	there = access(file, R_OK) == 0;
	free(file);
	if (!there && mpi && is_first_rank())
		fathom_say("%s: has %s, and this fathom was built without wrappers for it; MPI calls will not be "
			   "measured", name, fathom_mpi_name(mpi));
	return there ? wrappers : NULL;
}

/* Returns the value of LD_PRELOAD: the libraries of fathom, with the wrappers for MPI and those for input and output
 * unless wrappers and io are NULL; then runtime, unless it is NULL; then the present value. */
static char *preload_list(const struct fathom_installation *installation, const struct fathom_program *program,
			  const char *wrappers, const char *io, const char *runtime)
{
	/* The list contains the hooks because the program may load instrumented libraries, and the OMPT tool because it
	 * may load a library that uses OpenMP. A runtime without OMPT (GCC's) ignores the tool. */
	const char *const names[] = { "fathom-compiler", wrappers, io, "fathom-pthread", "fathom-ompt", "fathom" };
	const char *before = getenv("LD_PRELOAD");
	char *list = fathom_text("%s", program->sanitizer);

	if (strpbrk(installation->libraries, ": "))
		fathom_die(FATHOM_EXIT_FAILED,
			   "%s: has a blank or a colon in its name, from there nothing can be preloaded",
			   installation->libraries);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *file, *longer;

		if (!names[i])
			continue;
		file = fathom_text("%s/lib%s.so", installation->libraries, names[i]);
		if (access(file, R_OK) == 0) {
			longer = fathom_text("%s%s%s", list, *list ? ":" : "", file);
			free(list);
			list = longer;
		} else if (strcmp(names[i], "fathom") == 0) {
			fathom_die(FATHOM_EXIT_FAILED, "%s is not there: the installation of fathom is incomplete",
				   file);
		}
		free(file);
	}
	if (runtime) {
		char *longer = fathom_text("%s:%s", list, runtime);

		free(list);
		list = longer;
	}
	if (before && *before) {
		char *longer = fathom_text("%s:%s", list, before);

		free(list);
		list = longer;
	}
	return list;
}

static int cannot_run(const char *name)
{
	int code = errno == ENOENT ? FATHOM_EXIT_NOT_FOUND : FATHOM_EXIT_NOT_EXECUTABLE;

	if (errno == ENOENT && !strchr(name, '/') && access(name, X_OK) == 0)
		fathom_say("run: %s: not found where programs are (PATH); the one here is ./%s", name, name);
	else if (errno == ENOENT)
		fathom_say("run: %s: not found", name);
	else
		fathom_say("run: %s: cannot be run: %s", name, strerror(errno));
	return code;
}

/* Prints the command in the form that a shell could execute, with the variable before it. */
static void show(const char *preload, char *const *args)
{
	struct fathom_words words = { 0 };

	if (preload) {
		fathom_words_add(&words, "env");
		fathom_words_addf(&words, "LD_PRELOAD=%s", preload);
	}
	for (; *args; args++)
		fathom_words_add(&words, *args);
	fathom_words_show(&words);
	fathom_words_fini(&words);
}

/* Sets *runtime to the OpenMP runtime to preload; NULL: none. Returns 0, or the exit code after a message. */
static int exchange(const struct fathom_program *program, const char *name, const char *path, char **runtime)
{
	int code;

	if (program->has_fathom) {
		fathom_say("--omp-runtime=llvm: %s: was built with fathom, which measures its OpenMP already", name);
		return FATHOM_EXIT_FAILED;
	}
	if (!program->is_elf) {
		fathom_say("--omp-runtime=llvm: %s: is no program but a script; put `fathom run' before the program "
			   "in it",
			   name);
		return FATHOM_EXIT_FAILED;
	}
	code = fathom_openmp_runtime_check(name, path, runtime);
	if (!code && *runtime && is_first_rank())
		fathom_say("%s: runs on LLVM's OpenMP runtime (%s) in place of GCC's", name, *runtime);
	return code;
}

/* Passes the id of this process to the libraries. If no event of that process was recorded, the library reports this at
 * the end. The id is 0 for a script, because a script leaves the work to the programs that it starts. The name of the
 * variable does not begin with FATHOM_, because the variable is not a setting. */
static void note_process(const struct fathom_program *program)
{
	char pid[32];

	snprintf(pid, sizeof(pid), "%d", program->is_elf ? (int)getpid() : 0);
	setenv("_FATHOM_RUN", pid, 1);
}

static int start(const struct fathom_installation *installation, const char *path, char *const *args,
		 const struct run *run)
{
	struct fathom_program program;
	char *preload = NULL, *runtime = NULL;
	int code = check(&program, args[0], path);

	if (!code && run->exchange)
		code = exchange(&program, args[0], path, &runtime);
	if (code)
		return code;
	if (!program.has_fathom) {
		preload = preload_list(installation, &program, mpi_wrappers(installation, run, args[0], path),
				       run->io ? "fathom-io" : NULL, runtime);
		setenv("LD_PRELOAD", preload, 1);
		note_process(&program);
	}
	if (run->verbose)
		show(preload, args);
	free(preload);
	free(runtime);
	if (program.is_elf)
		execv(path, args);
	else
		execvp(path, args);	/* execvp also runs a script that does not begin with #! */
	return cannot_run(args[0]);
}

void fathom_run_help(FILE *out)
{
	fputs("usage: fathom run [OPTION]... PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Run a program that was built without fathom, with the measurement preloaded: its\n"
	      "MPI calls are profiled exactly, and OpenMP where the program uses LLVM's runtime\n"
	      "(clang); its functions are seen by samples (FATHOM_SAMPLING).\n"
	      "Under an MPI launcher it stands before the program:\n"
	      "\n"
	      "  mpirun -n 4 fathom run ./solver\n"
	      "\n"
	      "Static programs and programs with rights of their own are refused.\n"
	      "\n"
	      "  --verbose            show the command that is run\n"
	      "  --io                 measure input and output: POSIX files and stdio\n"
	      "  --mpi=mpich|openmpi|off\n"
	      "                       which MPI the program has, if it is none of those it is linked\n"
	      "                       with but comes later (Python) and no launcher says it; or none\n"
	      "  --omp-runtime=llvm   run GCC's OpenMP programs on LLVM's runtime, to see OpenMP in\n"
	      "                       them; refused where that runtime lacks something they use\n", out);
}

/* Takes an option. Returns 0 if word is not an option. */
static int take_option(struct run *run, const char *word)
{
	if (strcmp(word, "--verbose") == 0)
		run->verbose = 1;
	else if (strcmp(word, "--omp-runtime=llvm") == 0)
		run->exchange = 1;
	else if (strcmp(word, "--io") == 0)
		run->io = 1;
	else if (strcmp(word, "--mpi=off") == 0)
		run->without_mpi = 1;
	else if (strncmp(word, "--mpi=", 6) == 0 && fathom_mpi_by_word(word + 6))
		run->mpi = fathom_mpi_by_word(word + 6);
	else if (strncmp(word, "--mpi", 5) == 0 && (!word[5] || word[5] == '='))
		fathom_die(FATHOM_EXIT_USAGE, "run: %s: only --mpi=mpich, --mpi=openmpi and --mpi=off are possible",
			   word);
	else if (strncmp(word, "--omp-runtime", 13) == 0 && (!word[13] || word[13] == '='))
		fathom_die(FATHOM_EXIT_USAGE, "run: %s: only --omp-runtime=llvm is possible", word);
	else
		return 0;
	return 1;
}

int fathom_run_program(const struct fathom_installation *installation, char *const *args, size_t count)
{
	struct run run = { 0 };
	size_t first = 0;
	char *path;
	int code;

	for (; first < count && args[first][0] == '-'; first++) {
		if (take_option(&run, args[first]))
			continue;
		if (strcmp(args[first], "--help"))
			fathom_die(FATHOM_EXIT_USAGE,
				   "run: %s: only --verbose, --io, --mpi=... and --omp-runtime=llvm are allowed "
				   "before the program", args[first]);
		fathom_run_help(stdout);
		return fflush(stdout) ? FATHOM_EXIT_FAILED : 0;
	}
	if (first >= count)
		fathom_die(FATHOM_EXIT_USAGE,
			   "run: a program is missing: fathom run [OPTION]... PROGRAM [ARGUMENT]...");
	path = fathom_installation_search(installation, args[first]);
	if (!path)
		return cannot_run(args[first]);
	code = start(installation, path, args + first, &run);
	free(path);
	return code;
}
