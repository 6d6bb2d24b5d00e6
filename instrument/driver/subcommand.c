#define _GNU_SOURCE
#include "driver/subcommand.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/messages.h"
#include "common/word_list.h"

/* The commands in the order in which `fathom help` lists them. */
static const struct { const char *word, *what; } commands[] = {
	{ "run", "run a program built without fathom, and measure its MPI calls" },
	{ "flags", "print the flags that it would add, for builds without it" },
	{ "report", "show where the time of a measured run went" },
	{ "list", "list the experiments in a directory" },
	{ "view", "write a profile as a page for a browser" },
	{ "diff", "say what became slower or faster from one run to another" },
	{ "scaling", "say how a program scales, from runs at several sizes" },
	{ "export", "write a profile or a trace in a format of another tool" },
	{ "import", "make a profile or a trace of the results of another tool" },
	{ "check", "say whether a trace is as it should be" },
	{ "analyze", "find out from a trace why the processes of a run wait" },
	{ "timeline", "draw a part of a trace as a picture" },
	{ "clusters", "find the kinds of computation in a trace" },
	{ "track", "follow the kinds of computation over several runs" },
	{ "fold", "show what happens within a kind of computation or a region" },
	{ "whatif", "predict the time of a run on another machine or with faster code" },
	{ "serve", "show a trace of any length in a browser, by a local server" },
	{ "trace", "say what is in a trace; cut, filter or correct it" },
	{ "filter", "check a filter, and say what each of its rules hits" },
	{ "score", "predict how large a trace would be, and propose what to leave out" },
	{ "mean", "put runs together: the mean of their values" },
	{ "max", "put runs together: the largest of their values" },
	{ "min", "put runs together: the smallest of their values" },
	{ "cut", "keep a part of the call tree of a run" },
	{ "merge", "put together parts of a run, or runs with different counters" },
	{ "remap", "divide the time of other tools' profiles by what was done" },
	{ "metrics", "list what FATHOM_METRICS can count on this machine" },
	{ "config", "list the settings, their present values and what they mean" },
	{ "help", "explain one of these: fathom help report" },
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

int fathom_subcommand_is_known(const char *word)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(word, commands[i].word) == 0)
			return 1;
	}
	return 0;
}

static char *tool_file(const struct fathom_installation *installation, const char *word)
{
	return fathom_text("%s/fathom-%s", installation->tools, word);
}

int fathom_subcommand_is_there(const struct fathom_installation *installation, const char *word)
{
	char *file = tool_file(installation, word);
	int there = !strchr(word, '/') && access(file, X_OK) == 0;

	free(file);
	return there;
}

int fathom_subcommand_run(const struct fathom_installation *installation, char *const *args, size_t count)
{
	struct fathom_words command = { 0 };
	char *file = tool_file(installation, args[0]);
	int code;

	fathom_words_addf(&command, "fathom-%s", args[0]);
	for (size_t i = 1; i < count; i++)
		fathom_words_add(&command, args[i]);
	execv(file, command.list);
	code = errno == ENOENT ? FATHOM_EXIT_NOT_FOUND : FATHOM_EXIT_NOT_EXECUTABLE;
	if (errno == ENOENT)
		fathom_say("%s: not installed: %s is not there", args[0], file);
	else
		fathom_say("%s: %s: %s", args[0], file, strerror(errno));
	fathom_words_fini(&command);
	free(file);
	return code;
}

/* Returns the edit distance of two words. Words longer than the row count as very different. */
static size_t distance(const char *a, const char *b)
{
	size_t row[32], width = strlen(b);

	if (width >= sizeof(row) / sizeof(row[0]))
		return width;
	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (best > row[j] + 1)
				best = row[j] + 1;
			if (best > row[j - 1] + 1)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[width];
}

const char *fathom_subcommand_nearest(const char *word)
{
	const char *nearest = NULL;
	size_t least = strlen(word) < 4 ? 2 : 3;	/* a word with one or two wrong letters is a slip */

	for (size_t i = 0; i < COMMANDS; i++) {
		size_t letters = distance(word, commands[i].word);

		if (letters < least) {
			least = letters;
			nearest = commands[i].word;
		}
	}
	return nearest;
}

void fathom_subcommand_list(FILE *out)
{
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].word, commands[i].what);
}
