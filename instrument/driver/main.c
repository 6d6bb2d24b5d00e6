/*
 * fathom: one command for building, running and looking at measured programs.
 *
 *	fathom COMPILER ARGUMENT...	compile or link (build.c)
 *	fathom run PROGRAM ...		run a program as it is (run.c)
 *	fathom flags ...		print what would be added (flags.c)
 *	fathom report ...		and other tools (subcommand.c)
 *
 * Called by a name such as fathom-gcc it is `fathom gcc`, for build systems that want one word.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"
#include "common/messages.h"
#include "config.h"
#include "driver/build.h"
#include "driver/flags.h"
#include "driver/installation.h"
#include "driver/options.h"
#include "driver/run_command.h"
#include "driver/subcommand.h"

static const char usage[] =
	"usage: fathom [OPTION]... COMPILER [ARGUMENT]...   compile or link\n"
	"       fathom COMMAND [ARGUMENT]...                (fathom help lists them)\n";

/* For a user who has just installed fathom. */
static const char first_steps[] =
	"\n"
	"Three commands lead to a first profile:\n"
	"  fathom mpicc -O2 -g app.c -o app   put fathom before any compile or link command\n"
	"  mpirun -n 4 ./app                  run the program as usual\n"
	"  fathom report                      see where the time went (fathom view: as a page)\n"
	"A program that is built already is measured by: mpirun -n 4 fathom run ./app\n"
	"\n"
	"fathom help lists all commands and options, fathom help report explains one.\n";

static const char options_help[] =
	"\n"
	"COMPILER is gcc, g++, gfortran, clang, clang++, mpicc, mpicxx, mpifort, ... also\n"
	"with a path, a version or a cross prefix. Where a build system wants one word:\n"
	"fathom-gcc, fathom-mpicc, ...\n"
	"\n"
	"Options, before the compiler or in FATHOM_DRIVER_OPTIONS:\n"
	"  --no-compiler      do not instrument functions; MPI, OpenMP and threads are\n"
	"                     still measured\n"
	"  --no-user          the calls of fathom/fathom.h are nothing\n"
	"  --io               measure input and output: calls of POSIX files and of stdio\n"
	"  --mpi=auto|on|off|mpich|openmpi\n"
	"                     measure MPI calls: if MPI is on the line (default), always,\n"
	"                     never, always with that MPI\n"
	"  --openmp=auto|pomp2|ompt|off\n"
	"                     measure OpenMP: by rewriting sources (pomp2, with GCC), by\n"
	"                     what LLVM's runtime tells (ompt, with clang), or not\n"
	"  --openmp-atomic    with pomp2: atomic and flush, too, for which measuring\n"
	"                     takes longer than they do\n"
	"  --filter=FILE      rules for what is instrumented, see fathom(1)\n"
	"  --keep             keep the compiler's temporary files (-save-temps=obj)\n"
	"  --verbose          show the command that is run\n"
	"\n"
	"FATHOM_INSTRUMENT_MIN_INSNS=N: GCC does not instrument functions smaller than N\n"
	"instructions that contain no loop and call nothing larger. Default: 10000.\n"
	"FATHOM_INSTRUMENT_HOOKS=late|early: with GCC, put hooks into the finished code\n"
#ifdef FATHOM_WITHOUT_LATE_HOOKS
	"(late; not in this build), or into the source's tree. Default: early.\n"
#else
	"(late), which disturbs it least, or into the source's tree. Default: late.\n"
#endif
	"FATHOM_INSTRUMENT_CALLS=compiled|all: with late hooks, inline functions as usual\n"
	"(compiled), or measure each call of functions with hooks. Default: compiled.\n";

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int is_compiler(const char *word)
{
	return fathom_compiler_is_name(base_name(word)) || fathom_compiler_is_launcher(base_name(word));
}

static int finish_output(void)
{
	if (fflush(stdout) || ferror(stdout)) {
		fathom_say("standard output: %s", strerror(errno));
		return FATHOM_EXIT_FAILED;
	}
	return 0;
}

static int show_help(void)
{
	fputs(usage, stdout);
	fputs("\nCommands:\n", stdout);
	fathom_subcommand_list(stdout);
	fputs(options_help, stdout);
	return finish_output();
}

/* Returns whether word is a program that starts the processes of an MPI program, also one with a name like
 * mpiexec.hydra. */
static int is_starter(const char *word)
{
	static const char *const starters[] = { "mpirun", "mpiexec", "orterun", "prterun", "prun", "srun", "aprun",
						"jsrun" };

	for (size_t i = 0; i < sizeof(starters) / sizeof(starters[0]); i++) {
		size_t length = strlen(starters[i]);

		if (strncmp(word, starters[i], length) == 0 && (!word[length] || word[length] == '.'))
			return 1;
	}
	return 0;
}

/* Returns the command of fathom that has the purpose of a command of another tool; NULL: none. */
static const char *known_elsewhere(const char *word)
{
	static const struct { const char *word, *ours; } words[] = {
		{ "record", "run" },	{ "exec", "run" },    { "profile", "run" },   { "measure", "run" },
		{ "trace", "run" },	{ "stat", "run" },    { "collect", "run" },   { "start", "run" },
		{ "show", "report" },	{ "view", "report" }, { "print", "report" },  { "analyze", "report" },
		{ "annotate", "report" }, { "compare", "diff" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].ours;
	return NULL;
}

static int refuse(const struct fathom_installation *installation, const char *word)
{
	const char *ours = known_elsewhere(word), *nearest = ours ? NULL : fathom_subcommand_nearest(word);
	char *path = nearest || ours ? NULL : fathom_installation_search(installation, word);

	if (is_starter(base_name(word)))
		fathom_say("%s: fathom does not start launchers; put the launcher first: %s ... fathom run PROGRAM "
			   "(without fathom run if PROGRAM was built with fathom)", word, word);
	else if (ours)
		fathom_say("%s: no such command; fathom %s does that", word, ours);
	else if (nearest)
		fathom_say("%s: no such command; did you mean %s?", word, nearest);
	else if (path)
		fathom_say("%s: not a compiler that fathom knows (to run a program: fathom run %s)", word, word);
	else
		fathom_say("%s: neither a command of fathom nor a compiler (fathom --help)", word);
	free(path);
	return FATHOM_EXIT_USAGE;
}

/* Executes `fathom help [COMMAND]'. */
static int help(const struct fathom_installation *installation, char *const *args, size_t count)
{
	char help_word[] = "--help";
	char *tool[] = { args[0], help_word, NULL };

	if (count == 0 || strcmp(args[0], "help") == 0)
		return show_help();
	if (count > 1) {
		fathom_say("help: %s: one command at a time", args[1]);
		return FATHOM_EXIT_USAGE;
	}
	if (strcmp(args[0], "run") == 0) {
		fathom_run_help(stdout);
		return finish_output();
	}
	if (strcmp(args[0], "flags") == 0) {
		fathom_flags_help(stdout);
		return finish_output();
	}
	if (is_compiler(args[0]))
		return show_help();
	if (fathom_subcommand_is_known(args[0]) || fathom_subcommand_is_there(installation, args[0]))
		return fathom_subcommand_run(installation, tool, 2);
	return refuse(installation, args[0]);
}

/* Parses fathom's own options, and then builds with the compiler behind them. */
static int build(const struct fathom_installation *installation, char *const *args, size_t count)
{
	struct fathom_options options;
	size_t first = 0;
	int code;

	fathom_options_init(&options);
	while (first < count && fathom_options_take(&options, args[first]))
		first++;
	if (first >= count) {
		fathom_say("a compiler is missing: fathom [OPTION]... COMPILER [ARGUMENT]...");
		code = FATHOM_EXIT_USAGE;
	} else if (is_compiler(args[first])) {
		code = fathom_build_run(installation, &options, args + first, count - first);
	} else {
		code = refuse(installation, args[first]);
	}
	fathom_options_fini(&options);
	return code;
}

static int dispatch(const struct fathom_installation *installation, char **args, size_t count)
{
	if (count == 0) {
		fputs(usage, stderr);
		fputs(first_steps, stderr);
		return FATHOM_EXIT_USAGE;
	}
	if (strcmp(args[0], "--help") == 0 || strcmp(args[0], "-h") == 0)
		return show_help();
	if (strcmp(args[0], "--version") == 0) {
		puts("fathom " PACKAGE_VERSION);
		return finish_output();
	}
	if (strcmp(args[0], "help") == 0)
		return help(installation, args + 1, count - 1);
	if (strcmp(args[0], "run") == 0)
		return fathom_run_program(installation, args + 1, count - 1);
	if (strcmp(args[0], "flags") == 0)
		return fathom_flags_run(installation, args + 1, count - 1);
	if (args[0][0] != '-' && !is_compiler(args[0]) &&
	    (fathom_subcommand_is_known(args[0]) || fathom_subcommand_is_there(installation, args[0])))
		return fathom_subcommand_run(installation, args, count);
	return build(installation, args, count);
}

int main(int argc, char **argv)
{
	const char *name = argc ? base_name(argv[0]) : "fathom";
	struct fathom_installation installation;
	int code;

	fathom_installation_find(&installation);
	/* The command has a name such as fathom-gcc, or is a link called gcc that precedes the compiler in PATH. */
	if (strncmp(name, "fathom-", 7) == 0)
		name += 7;
	if (is_compiler(name)) {
		struct fathom_options options;

		argv[0] = (char *)name;
		fathom_options_init(&options);
		code = fathom_build_run(&installation, &options, argv, (size_t)argc);
		fathom_options_fini(&options);
	} else {
		code = dispatch(&installation, argv + 1, argc ? (size_t)argc - 1 : 0);
	}
	fathom_installation_fini(&installation);
	return code;
}
