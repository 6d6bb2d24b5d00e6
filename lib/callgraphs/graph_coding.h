/*
 * graph_coding: codes the contents of call graphs, in both directions, as a stream of numbers (range_coder.h).
 * Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_CODING_H
#define FATHOM_CALLGRAPHS_GRAPH_CODING_H

#include "callgraphs/call_graph.h"
#include "callgraphs/range_coder.h"

/* Codes the graph with a coder that writes, or adds everything that is read to the graph, which is empty. False: what
 * was read makes no sense. */
bool fathom_graph_code(struct fathom_coder *coder, struct fathom_call_graph *graph);

#endif
