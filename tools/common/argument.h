/*
 * argument: options and arguments that several commands have.
 *
 * A wrong value ends the program with a line that names the option and the allowed values. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_COMMON_ARGUMENT_H
#define FATHOM_TOOLS_COMMON_ARGUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/common/text_layout.h"

/* Returns the value of an option: a whole number from least to most. */
int64_t fathom_argument_number(const char *option, const char *text, int64_t least, int64_t most);

/* The codes that getopt_long returns for options that several commands have; for --help it returns 'h'. */
enum {
	FATHOM_ARGUMENT_VERSION = 'V',
	FATHOM_ARGUMENT_WIDTH = 0x10000, FATHOM_ARGUMENT_COLOUR, FATHOM_ARGUMENT_NO_COLOUR,
};

/* The rows of these options in a table of struct option: those about the page, and those of every command. */
#define FATHOM_PAGE_OPTIONS \
	{ "width", required_argument, NULL, FATHOM_ARGUMENT_WIDTH }, \
	{ "color", optional_argument, NULL, FATHOM_ARGUMENT_COLOUR }, \
	{ "colour", optional_argument, NULL, FATHOM_ARGUMENT_COLOUR }, \
	{ "no-color", no_argument, NULL, FATHOM_ARGUMENT_NO_COLOUR }
#define FATHOM_COMMON_OPTIONS \
	{ "help", no_argument, NULL, 'h' }, \
	{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION }

/* Returns the value of --width, in columns. */
int fathom_argument_width(const char *text);

/* Returns the value of --color, which getopt_long has just read. The value may be missing, or be the next word. */
enum fathom_colour fathom_argument_colour(int argc, char **argv);

/* Takes the value of an option of FATHOM_PAGE_OPTIONS that getopt_long has just read. Returns whether the code is that
 * of such an option. */
bool fathom_argument_page(int *width, enum fathom_colour *colour, int code, int argc, char **argv);

/* Handles a code of getopt_long that the command itself does not handle: prints the help, the version, or an error
 * message. Ends the program. */
_Noreturn void fathom_argument_other(char **argv, int code, const char *help);

/* Returns the directory or file behind the options; NULL: there is none. If there are several, ends the program. */
const char *fathom_argument_target(int argc, char **argv);

#endif
