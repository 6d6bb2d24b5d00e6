/*
 * program_functions: what the rules of a filter say of the functions of a program or library, before it has ever run.
 */
#ifndef FATHOM_TOOLS_FILTER_PROGRAM_FUNCTIONS_H
#define FATHOM_TOOLS_FILTER_PROGRAM_FUNCTIONS_H

#include <stdbool.h>

#include "filter/filter.h"

/* Whether that is a program or library. */
bool fathom_functions_are_in(const char *path);

/* Print for each rule how many functions it decides about. */
void fathom_functions_print(const struct fathom_filter *filter, const char *path);

#endif
