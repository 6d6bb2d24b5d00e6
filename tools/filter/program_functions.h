/*
 * program_functions: applies the rules of a filter to the functions of a program or library, which need not have run.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_FILTER_PROGRAM_FUNCTIONS_H
#define FATHOM_TOOLS_FILTER_PROGRAM_FUNCTIONS_H

#include <stdbool.h>

#include "filter/filter.h"

/* Returns whether the file is a program or library. */
bool fathom_functions_are_in(const char *path);

/* Prints for each rule how many functions it decides about. */
void fathom_functions_print(const struct fathom_filter *filter, const char *path);

#endif
