#include "tools/common/command.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/progress.h"

static const char *speaker = "";	/* written once, by fathom_tool_begin */

/* Written by fathom_tool_share_command_line. */
static bool prints_command_line = true;
static void (*end_together)(void);

void fathom_tool_begin(const char *name)
{
	speaker = name;
	setlocale(LC_CTYPE, "");
	/* A closed stdout shows as EPIPE instead, for which fathom_tool_end prints no error message. */
	signal(SIGPIPE, SIG_IGN);
}

static void say(const char *format, va_list arguments)
{
	char line[2048];
	char *at;

	vsnprintf(line, sizeof(line), format, arguments);
	/* Names from files and command lines may contain control characters: the message must stay one line. */
	for (at = line; *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	fathom_progress_clear();
	fprintf(stderr, "fathom %s: %s\n", speaker, line);
}

void fathom_tool_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void fathom_tool_share_command_line(bool prints, void (*end)(void))
{
	prints_command_line = prints || !end;
	end_together = end;
}

bool fathom_tool_prints_command_line(void)
{
	return prints_command_line;
}

void fathom_tool_exit(int code)
{
	if (end_together)
		end_together();
	exit(code);
}

void fathom_tool_usage_error(const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (prints_command_line)
		fathom_tool_error("%s; see fathom %s --help", line, speaker);
	fathom_tool_exit(FATHOM_TOOL_USAGE);
}

void fathom_tool_bad_option(char **argv, int code)
{
	extern int optind, optopt;
	const char *word = argv[optind - 1];

	if (code == ':')
		fathom_tool_usage_error("%s: needs a value", word);
	/*
	 * getopt sets optopt to 0 for an unknown long option, and to the option's letter or code for an option that
	 * takes no value but was given one.
	 */
	if (optopt == 0)
		fathom_tool_usage_error("%s: no such option", word);
	if (strncmp(word, "--", 2) == 0)
		fathom_tool_usage_error("%s: takes no value", word);
	fathom_tool_usage_error("-%c: no such option", optopt);
}

bool fathom_tool_output_lost(void)
{
	return ferror(stdout);
}

int fathom_tool_end(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	if (errno == EPIPE)		/* the reader of stdout has ended */
		return 0;
	fathom_tool_error("standard output: %s", errno ? strerror(errno) : "not everything could be written");
	return FATHOM_TOOL_FAILURE;
}

void fathom_tool_out_of_memory(size_t bytes)
{
	fathom_tool_error("out of memory (%zu bytes were needed)", bytes);
	exit(FATHOM_TOOL_FAILURE);
}

void *fathom_tool_alloc(size_t count, size_t bytes)
{
	void *memory = calloc(count ? count : 1, bytes);

	if (!memory)
		fathom_tool_out_of_memory(count * bytes);
	return memory;
}

void *fathom_tool_grow(void *array, size_t count, size_t *room, size_t bytes)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 64;
	array = reallocarray(array, *room, bytes);
	if (!array)
		fathom_tool_out_of_memory(*room * bytes);
	return array;
}

enum { LONGEST = 64 };	/* characters of a word that are compared */

unsigned fathom_tool_edit_distance(const char *a, const char *b)
{
	size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
	unsigned row[LONGEST + 1];	/* by j: edits that turn the first i characters of a into the first j of b */
	size_t i, j;

	for (j = 0; j <= b_length; j++)
		row[j] = (unsigned)j;
	for (i = 1; i <= a_length; i++) {
		unsigned corner = row[0];

		row[0] = (unsigned)i;
		for (j = 1; j <= b_length; j++) {
			unsigned above = row[j];
			unsigned edits = corner +
					 (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));

			if (above + 1 < edits)
				edits = above + 1;
			if (row[j - 1] + 1 < edits)
				edits = row[j - 1] + 1;
			row[j] = edits;
			corner = above;
		}
	}
	return row[b_length];
}

const char *fathom_tool_nearer(const char *wanted, const char *nearest, const char *candidate)
{
	unsigned edits = fathom_tool_edit_distance(wanted, candidate);

	if (edits > 1 + strnlen(wanted, LONGEST) / 3)
		return nearest;
	if (nearest && fathom_tool_edit_distance(wanted, nearest) <= edits)
		return nearest;
	return candidate;
}
