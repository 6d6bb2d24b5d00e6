#define _GNU_SOURCE
#include "driver/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "driver/program.h"
#include "driver/say.h"
#include "driver/words.h"

/* Whether the kernel gives the program rights its caller lacks: the dynamic linker then ignores LD_PRELOAD. */
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

/* Refuse what could only run unmeasured. 0, or the exit code after one line. */
static int check(struct fathom_program *program, const char *name, const char *path)
{
	int err = fathom_program_read(program, path);

	if (err == -EACCES)	/* may be run but not read: nothing more can be known */
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

/* LD_PRELOAD with our libraries in front of what is there already. */
static char *preload_list(const struct fathom_place *place, const struct fathom_program *program)
{
	/* The hooks are in the list for instrumented libraries that a plain program loads. */
	static const char *const names[] = { "fathom-compiler", "fathom-mpi-preload", "fathom" };
	const char *before = getenv("LD_PRELOAD");
	char *list = fathom_text("%s", program->sanitizer);

	if (strpbrk(place->libraries, ": "))
		fathom_die(FATHOM_EXIT_FAILED,
			   "%s: has a blank or a colon in its name, from there nothing can be preloaded",
			   place->libraries);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *file = fathom_text("%s/lib%s.so", place->libraries, names[i]);
		char *longer;

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

	if (errno == ENOENT)
		fathom_say("run: %s: not found", name);
	else
		fathom_say("run: %s: cannot be run: %s", name, strerror(errno));
	return code;
}

/* The command as a shell could run it, with the variable in front. */
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

static int start(const struct fathom_place *place, const char *path, char *const *args, int verbose)
{
	struct fathom_program program;
	char *preload = NULL;
	int code = check(&program, args[0], path);

	if (code)
		return code;
	if (!program.has_fathom) {
		preload = preload_list(place, &program);
		setenv("LD_PRELOAD", preload, 1);
	}
	if (verbose)
		show(preload, args);
	free(preload);
	if (program.is_elf)
		execv(path, args);
	else
		execvp(path, args);	/* a script need not begin with #! */
	return cannot_run(args[0]);
}

void fathom_run_help(FILE *out)
{
	fputs("usage: fathom run [--verbose] PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Run a program that was built without fathom, with the measurement preloaded: its\n"
	      "MPI calls are profiled. Under an MPI launcher it stands before the program:\n"
	      "\n"
	      "  mpirun -n 4 fathom run ./solver\n"
	      "\n"
	      "Static programs and programs with rights of their own are refused.\n"
	      "\n"
	      "  --verbose   show the command that is run\n", out);
}

int fathom_run_program(const struct fathom_place *place, char *const *args, size_t count)
{
	size_t first = 0;
	int verbose = 0, code;
	char *path;

	for (; first < count && args[first][0] == '-'; first++) {
		if (strcmp(args[first], "--verbose") == 0) {
			verbose = 1;
		} else if (strcmp(args[first], "--help") == 0) {
			fathom_run_help(stdout);
			return fflush(stdout) ? FATHOM_EXIT_FAILED : 0;
		} else {
			fathom_die(FATHOM_EXIT_USAGE, "run: %s: only --verbose is allowed before the program",
				   args[first]);
		}
	}
	if (first >= count)
		fathom_die(FATHOM_EXIT_USAGE, "run: which program? fathom run [--verbose] PROGRAM [ARGUMENT]...");
	path = fathom_place_search(place, args[first]);
	if (!path)
		return cannot_run(args[first]);
	code = start(place, path, args + first, verbose);
	free(path);
	return code;
}
