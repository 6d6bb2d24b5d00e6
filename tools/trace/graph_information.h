/*
 * graph_information: says what is in a file of call graphs, without making events of it. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_TRACE_GRAPH_INFORMATION_H
#define FATHOM_TOOLS_TRACE_GRAPH_INFORMATION_H

#include <stdbool.h>

/* Prints the sizes of the file, and visits and times of each region in the window cut ("FROM:TO" in seconds from the
 * begin of the trace; NULL: in all of its time). 0, or -errno after an error message. */
int fathom_graph_information_print(const char *path, const char *cut, bool is_json);

#endif
