/*
 * command: messages, exit codes and memory of the commands.
 *
 * A command prints its result to stdout. After an error it prints one line to stderr, "fathom report: SUBJECT: error
 * (allowed values)", and ends with 1 for a failure and 2 for a wrong command line. "After an error message" in other
 * headers means that fathom_tool_error was called. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_COMMAND_H
#define FATHOM_TOOLS_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/compiler.h"

enum { FATHOM_TOOL_FAILURE = 1, FATHOM_TOOL_USAGE = 2 };	/* exit codes */

/* Sets the name of the command ("report"), with which every error message begins. From now on it is no error if the
 * reader of stdout ends early (`| head`). Text is read and written in the user's encoding. */
void fathom_tool_begin(const char *name);

/* Prints an error message: one line to stderr. */
void fathom_tool_error(const char *format, ...) FATHOM_PRINTF(1, 2);

/*
 * For processes that read the same command line: from now on, only those for which prints is true print help and errors
 * of the command line, and all call end_together before such an end of the program; end_together may wait for the other
 * processes. NULL: they no longer do the same, and each process ends for itself.
 */
void fathom_tool_share_command_line(bool prints, void (*end_together)(void));

/* Returns whether this process prints help and errors of the command line. */
bool fathom_tool_prints_command_line(void);

/* Ends the program after help or an error of the command line. */
_Noreturn void fathom_tool_exit(int code);

/* Prints an error message about the command line, with a hint to --help. Ends the program with exit code 2. */
_Noreturn void fathom_tool_usage_error(const char *format, ...) FATHOM_PRINTF(1, 2);

/* Prints an error message about the option for which getopt_long returned code. Ends the program with exit code 2. */
_Noreturn void fathom_tool_bad_option(char **argv, int code);

/* Flushes stdout. Returns the exit code: 0, or 1 after an error message: not everything could be written. */
int fathom_tool_end(void);

/* Returns whether an error on stdout makes further output useless. */
bool fathom_tool_output_lost(void);

/* Prints that memory of so many bytes could not be allocated, and ends the program. */
_Noreturn void fathom_tool_out_of_memory(size_t bytes);

/* Allocates zeroed memory for count objects of that size. Out of memory ends the program with an error message. */
void *fathom_tool_alloc(size_t count, size_t bytes);

/*
 * Makes room for one more object of that size in an array that holds count objects and has room for *room. Returns the
 * array, which may have moved; new objects are not zeroed. Out of memory ends the program with an error message.
 */
void *fathom_tool_grow(void *array, size_t count, size_t *room, size_t bytes);

/* Returns the number of edits that turn a into b, without regard to case; used to suggest a similar word. */
unsigned fathom_tool_edit_distance(const char *a, const char *b);

/*
 * Returns the one of two candidates that is more similar to wanted; nearest may be NULL. A candidate that is hardly
 * similar to wanted is never returned.
 */
const char *fathom_tool_nearer(const char *wanted, const char *nearest, const char *candidate);

#endif
