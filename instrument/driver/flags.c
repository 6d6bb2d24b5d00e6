#define _GNU_SOURCE
#include "driver/flags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"
#include "common/messages.h"
#include "common/word_list.h"
#include "driver/build.h"
#include "driver/options.h"

struct flags {
	int cflags, libs;	/* the user wants these flags */
	int openmp;		/* the program uses OpenMP */
	int is_static;
	const char *compiler;
};

void fathom_flags_help(FILE *out)
{
	fputs("usage: fathom flags [OPTION]... --cflags | --libs\n"
	      "\n"
	      "Print what `fathom gcc' would add, as words for a shell, for builds that cannot\n"
	      "have a command before the compiler:\n"
	      "\n"
	      "  gcc $(fathom flags --cflags) -O2 -c a.c\n"
	      "  gcc a.o -o a $(fathom flags --libs)\n"
	      "\n"
	      "  --cflags             for compiling, any language\n"
	      "  --libs               for linking programs; must stand before the MPI library\n"
	      "  --compiler=COMPILER  the one that will be used (default: gcc); an MPI wrapper\n"
	      "                       stands for --mpi of its MPI, too\n"
	      "  --mpi                the program uses MPI; --mpi=mpich and --mpi=openmpi say which,\n"
	      "                       --mpi=off leaves it out\n"
	      "  --openmp             the program uses OpenMP; only with clang, for with GCC its\n"
	      "                       sources must be rewritten, which takes the command\n"
	      "  --static             the program is linked statically\n"
	      "  --no-compiler, --filter=FILE\n"
	      "                       as before a compiler: fathom help\n", out);
}

static void take(struct flags *flags, struct fathom_options *options, const char *word)
{
	char mpi[] = "--mpi=on";

	if (strcmp(word, "--cflags") == 0)
		flags->cflags = 1;
	else if (strcmp(word, "--libs") == 0)
		flags->libs = 1;
	else if (strcmp(word, "--openmp") == 0)
		flags->openmp = 1;
	else if (strcmp(word, "--static") == 0)
		flags->is_static = 1;
	else if (strncmp(word, "--compiler=", 11) == 0)
		flags->compiler = word + 11;
	else if (strcmp(word, "--mpi") == 0)
		fathom_options_take(options, mpi);
	else if (strcmp(word, "--no-compiler") && strncmp(word, "--mpi=", 6) && strncmp(word, "--filter=", 9))
		fathom_die(FATHOM_EXIT_USAGE,
			   "flags: %s: only --cflags, --libs, --compiler=COMPILER, --mpi, --openmp, --static, "
			   "--no-compiler and --filter=FILE are allowed", word);
	else
		fathom_options_take(options, word);
}

/* Prints the words for a line that compiles, or for one that links. The line here has one invented file. */
static int print(const struct fathom_installation *installation, const struct fathom_options *options,
		 const struct flags *flags, int links)
{
	char object[] = "fathom-flags.o", source[] = "fathom-flags.c", compile[] = "-c", is_static[] = "-static",
	     openmp[] = "-fopenmp";
	char *line[4];
	struct fathom_words words = { 0 };
	size_t count = 0;
	int code;

	line[count++] = links ? object : source;
	if (!links)
		line[count++] = compile;
	if (flags->openmp)
		line[count++] = openmp;
	if (links && flags->is_static)
		line[count++] = is_static;
	code = fathom_build_added(installation, options, flags->compiler, line, count, &words);
	if (!code)
		fathom_words_print(&words, stdout);
	fathom_words_fini(&words);
	return code;
}

int fathom_flags_run(const struct fathom_installation *installation, char *const *args, size_t count)
{
	struct flags flags = { .compiler = "gcc" };
	struct fathom_options options;
	int code = 0;

	fathom_options_init(&options);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(args[i], "--help") == 0) {
			fathom_flags_help(stdout);
			goto end;
		}
		take(&flags, &options, args[i]);
	}
	if (!flags.cflags && !flags.libs)
		fathom_die(FATHOM_EXIT_USAGE,
			   "flags: --cflags or --libs is missing: fathom flags [OPTION]... --cflags | --libs");
	if (flags.cflags)
		code = print(installation, &options, &flags, 0);
	if (flags.cflags && flags.libs && !code)
		putchar(' ');
	if (flags.libs && !code)
		code = print(installation, &options, &flags, 1);
	if (!code)
		putchar('\n');
end:
	fathom_options_fini(&options);
	if (!code && (fflush(stdout) || ferror(stdout))) {
		fathom_say("standard output: %s", strerror(errno));
		code = FATHOM_EXIT_FAILED;
	}
	return code;
}
