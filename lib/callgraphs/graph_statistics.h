/*
 * graph_statistics: visits and times of regions, from call graphs as they are: each node is looked at once, however
 * many calls it stands for. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_STATISTICS_H
#define FATHOM_CALLGRAPHS_GRAPH_STATISTICS_H

#include "callgraphs/call_graph.h"

struct fathom_region_statistics {
	uint64_t region;	/* id */
	uint64_t visits;	/* calls that begin in the interval */
	uint64_t exclusive;	/* ticks in the region itself, of all locations */
	uint64_t inclusive;	/* ticks in it and in what it calls; where it calls itself, the outermost call counts */
};

struct fathom_graph_statistics {
	struct fathom_region_statistics *regions;	/* those with visits or time, by exclusive time, descending */
	size_t count;
};

/* Computes the statistics of the interval [from, to) of time. The caller frees regions. */
void fathom_graph_statistics_make(struct fathom_graph_statistics *statistics, const struct fathom_call_graph *graph,
				  uint64_t from, uint64_t to);

#endif
