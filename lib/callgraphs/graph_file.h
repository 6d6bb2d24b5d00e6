/*
 * graph_file: writes call graphs to a file, and reads them. doc/reference/call-graphs.md describes the format.
 * Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_FILE_H
#define FATHOM_CALLGRAPHS_GRAPH_FILE_H

#include "callgraphs/call_graph.h"

/* Returns whether the file begins like one of call graphs. */
bool fathom_graph_file_is(const char *path);

/* Writes the file, which must not exist, and sets *bytes to its size. 0 or -errno; then nothing is left behind. */
int fathom_graph_file_write(const struct fathom_call_graph *graph, const char *path, uint64_t *bytes);

/* Reads a file into a graph, which the caller frees also after an error. 0, or -errno with the reason, a text of static
 * storage, in *reason. */
int fathom_graph_file_read(struct fathom_call_graph *graph, const char *path, const char **reason);

#endif
