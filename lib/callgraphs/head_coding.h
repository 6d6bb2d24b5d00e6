/*
 * head_coding: codes what a file of call graphs has in front of the locations: the bounds of deviations, the facts of
 * the trace, and its definitions. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_HEAD_CODING_H
#define FATHOM_CALLGRAPHS_HEAD_CODING_H

#include "callgraphs/call_graph.h"
#include "callgraphs/coding_numbers.h"

/* Codes the head of a graph; a reader fills in that of an empty one. False: what was read makes no sense. */
bool fathom_head_code(struct fathom_coding_numbers *numbers, struct fathom_call_graph *graph);

#endif
