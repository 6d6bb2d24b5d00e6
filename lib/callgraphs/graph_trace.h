/*
 * graph_trace: a file of call graphs as a trace that commands read like an OTF2 archive.
 *
 * The call graphs are in memory; their size is that of the parts that differ. Events are made from them one by one, in
 * the order of time over all locations, so memory does not grow with the number of events. Times and ids are those of
 * the compressed trace; where it was compressed with a deviation, the property FATHOM::DEVIATION says so. Context of
 * all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_TRACE_H
#define FATHOM_CALLGRAPHS_GRAPH_TRACE_H

#include "callgraphs/call_graph.h"
#include "otf2/archive_reader.h"

/* Opens a trace: an OTF2 archive, by the path of its anchor file, or a file of call graphs. fathom_otf2_close closes
 * it. 0, or -errno with a line in trace->error: the file is no trace. */
int fathom_trace_open(struct fathom_otf2_archive *trace, const char *path);

/* Writes the bound of the deviation of times as people write it, such as "1000 ticks" or "50 %"; false and "" if the
 * graphs are lossless. */
bool fathom_graph_deviation(const struct fathom_call_graph *graph, char *text, size_t bytes);

#endif
