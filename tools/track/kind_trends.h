/*
 * kind_trends: how each tracked kind of bursts changes from experiment to experiment.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACK_KIND_TRENDS_H
#define FATHOM_TOOLS_TRACK_KIND_TRENDS_H

#include "tools/track/tracked_runs.h"

struct fathom_kind_values {		/* of a kind in an experiment */
	uint64_t bursts;		/* 0: the experiment does not have the kind */
	double seconds;
	double *means;			/* by metric; not a number: not measured */
	double *counts;			/* by metric: bursts with a value */
	uint32_t largest;		/* the cluster with most time; 0: none */
};

struct fathom_kind_trends {
	const struct fathom_tracked_runs *runs;
	const struct fathom_burst_metric **metrics;	/* of the first run, categories left out; first the
						 * duration, then those of the clustering */
	uint32_t metric_count;
	struct fathom_kind_values *values;	/* [kind][run]; index 0 of kinds: noise */
	double *memory;
	double coverage, least_coverage;	/* share of time in kinds that all runs have: mean, and of one run */
	uint32_t least_covered;			/* that run */
};

void fathom_kind_trends_make(struct fathom_kind_trends *trends, const struct fathom_tracked_runs *runs);
void fathom_kind_trends_fini(struct fathom_kind_trends *trends);

/* Returns the values of a kind in a run. */
static inline struct fathom_kind_values *fathom_kind_values_of(const struct fathom_kind_trends *trends, uint32_t kind,
								uint32_t run)
{
	return &trends->values[(size_t)kind * trends->runs->count + run];
}

/* Writes the numbers of the clusters of a kind in a run, "1+4", into text; returns it. */
const char *fathom_kind_clusters(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run, char *text,
				 size_t bytes);

/* Finds the code where a kind has most time: the call path in the first run, from run first on, that has the kind.
 * Returns the path's text; file and line: "" and 0 if unknown. */
const char *fathom_kind_code(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t first, char *text,
			     size_t bytes, const char **file, uint32_t *line);

#endif
