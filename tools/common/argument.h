/*
 * argument: the values of options that several commands have. What is wrong ends the program with a line that names
 * the option and what is allowed.
 */
#ifndef FATHOM_TOOLS_COMMON_ARGUMENT_H
#define FATHOM_TOOLS_COMMON_ARGUMENT_H

#include <stdint.h>

#include "tools/common/text_layout.h"

int64_t fathom_argument_number(const char *option, const char *text, int64_t least, int64_t most);

/* Of --width: columns. */
int fathom_argument_width(const char *text);

/* Of --color, which getopt_long has just met: its value may be missing, or be the next word. */
enum fathom_colour fathom_argument_colour(int argc, char **argv);

#endif
