/*
 * command: what the programs in this folder have in common: how they complain and how they end.
 *
 * A tool says one line on stderr, "fathom report: WHAT: what is wrong (what is allowed)", and
 * ends with 1 for a failure and 2 for a wrong command line. Its result goes to stdout.
 */
#ifndef FATHOM_TOOLS_COMMON_COMMAND_H
#define FATHOM_TOOLS_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/compiler.h"

enum { FATHOM_TOOL_FAILURE = 1, FATHOM_TOOL_USAGE = 2 };	/* exit codes */

/* Say who speaks ("report", part of every line from now on), and make stdout ready: a reader
 * that goes away (`| head`) is no error. Text is read and written in the user's encoding. */
void fathom_tool_begin(const char *name);

/* Say a line. */
void fathom_tool_say(const char *format, ...) FATHOM_PRINTF(1, 2);

/* Say a line about the command line, and where to read what is allowed; end with 2. */
_Noreturn void fathom_tool_misuse(const char *format, ...) FATHOM_PRINTF(1, 2);

/* Say what getopt_long met: unknown is its optopt, the word is argv[optind - 1]. Ends with 2. */
_Noreturn void fathom_tool_bad_option(char **argv, int code);

/* Flush stdout. The exit code: 0, or 1 with a line if not everything could be written. */
int fathom_tool_end(void);

/* Whether stdout takes no more: there is no point in going on. */
bool fathom_tool_output_lost(void);

/* Says that so many bytes could not be had, and ends the program. */
_Noreturn void fathom_tool_out_of_memory(size_t bytes);

/* Zeroed memory for count things of that size. Out of memory ends the program with a line. */
void *fathom_tool_alloc(size_t count, size_t bytes);

/* Make room for another thing of that size in an array that has room for *room of them and
 * holds count. Returns the array, which may have moved; what is new in it is not zeroed. */
void *fathom_tool_grow(void *array, size_t count, size_t *room, size_t bytes);

/* How many edits turn a into b, ignoring case; for "did you mean". */
unsigned fathom_tool_distance(const char *a, const char *b);

/* Of two candidates for what the user meant by wanted, the nearer one; nearest may be NULL.
 * A candidate that shares hardly anything with wanted is never chosen. */
const char *fathom_tool_nearer(const char *wanted, const char *nearest, const char *candidate);

#endif
