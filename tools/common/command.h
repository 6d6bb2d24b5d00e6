/*
 * command: messages, exit codes and memory of the commands.
 *
 * A command prints its result to stdout. If something is wrong it prints one line to stderr, "fathom report: SUBJECT:
 * what is wrong (what is allowed)", and ends with 1 for a failure and 2 for a wrong command line. "After a line was
 * said" in other headers means that fathom_tool_say was called. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_COMMAND_H
#define FATHOM_TOOLS_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/compiler.h"

enum { FATHOM_TOOL_FAILURE = 1, FATHOM_TOOL_USAGE = 2 };	/* exit codes */

/* Sets the name of the command ("report"), which every line begins with from now on. A reader of stdout that ends early
 * (`| head`) is no error from now on. Text is read and written in the user's encoding. */
void fathom_tool_begin(const char *name);

/* Prints a line to stderr. */
void fathom_tool_say(const char *format, ...) FATHOM_PRINTF(1, 2);

/* Prints a line about the command line, and where to read what is allowed. Ends the program with 2. */
_Noreturn void fathom_tool_misuse(const char *format, ...) FATHOM_PRINTF(1, 2);

/* Says what is wrong with the option that getopt_long has just returned code for. Ends the program with 2. */
_Noreturn void fathom_tool_bad_option(char **argv, int code);

/* Flushes stdout. Returns the exit code: 0, or 1 after a line was said: not everything could be written. */
int fathom_tool_end(void);

/* Whether an error on stdout makes further output useless. */
bool fathom_tool_output_lost(void);

/* Says that so many bytes could not be had, and ends the program. */
_Noreturn void fathom_tool_out_of_memory(size_t bytes);

/* Zeroed memory for count objects of that size. Out of memory ends the program with a line. */
void *fathom_tool_alloc(size_t count, size_t bytes);

/*
 * Makes room for one more object of that size in an array that has room for *room and holds count. Returns the array,
 * which may have moved; new objects are not zeroed. Out of memory ends the program with a line.
 */
void *fathom_tool_grow(void *array, size_t count, size_t *room, size_t bytes);

/* How many edits turn a into b, without regard to case; for "did you mean". */
unsigned fathom_tool_distance(const char *a, const char *b);

/*
 * The one of two candidates that is more like wanted; nearest may be NULL. A candidate that is hardly like wanted is
 * never chosen.
 */
const char *fathom_tool_nearer(const char *wanted, const char *nearest, const char *candidate);

#endif
