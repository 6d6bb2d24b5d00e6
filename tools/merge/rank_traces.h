/*
 * rank_traces: makes the trace of a run of the traces that its ranks left in rank-N/, by `fathom trace --merge`.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_MERGE_RANK_TRACES_H
#define FATHOM_TOOLS_MERGE_RANK_TRACES_H

#include <stdbool.h>

/* Returns whether ranks left traces of their own in the directory, which has no trace of all of them. */
bool fathom_rank_traces_are_in(const char *directory);

/* Makes directory/traces.otf2 and its files; the traces of the ranks stay. 0, or -errno after an error message: then
 * the directory has no new trace. */
int fathom_rank_traces_merge(const char *directory);

#endif
