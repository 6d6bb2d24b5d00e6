/*
 * counter_comparison: extrapolated counters, compared with those of another run in which every burst had them.
 *
 * The bursts of the other run belong to the kind of the nearest burst of this run, in the dimensions and on the axes in
 * which the kinds were found; with DBSCAN, if it is not farther than eps. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_COUNTER_COMPARISON_H
#define FATHOM_TOOLS_CLUSTERS_COUNTER_COMPARISON_H

#include "tools/clusters/counter_estimates.h"

struct fathom_compared_counter {
	double real;			/* mean of the kind in the other run; not a number: no burst has the counter */
	uint64_t count;			/* bursts of the kind in the other run that have the counter */
	double error, weighted_error;	/* |estimate - real| / real; times the share of the kind */
};

struct fathom_counter_comparison {
	struct fathom_compared_counter *list;	/* by estimate, in the order of struct fathom_counter_estimates */
	double weighted_error;		/* mean over all estimates with an error; not a number: there is none */
	uint64_t bursts;		/* of the other run that have a kind */
	uint64_t others;		/* that have none: too short, not measured, or too far from all kinds */
};

/* Compares the estimates with the bursts of another run. 0, or -errno after an error message: the other run does not
 * have the metrics in which the kinds were found, or none of the extrapolated counters. */
int fathom_counter_comparison_make(struct fathom_counter_comparison *comparison,
				   const struct fathom_counter_estimates *estimates,
				   const struct fathom_clustering *clustering, const struct fathom_burst_data *other);
void fathom_counter_comparison_fini(struct fathom_counter_comparison *comparison);

/* Prints a section; returns the same as an object. */
void fathom_counter_comparison_print(const struct fathom_counter_comparison *comparison,
				     const struct fathom_counter_estimates *estimates,
				     const struct fathom_clustering *clustering, struct fathom_page *page);
json_t *fathom_counter_comparison_json(const struct fathom_counter_comparison *comparison,
				       const struct fathom_counter_estimates *estimates,
				       const struct fathom_clustering *clustering);

#endif
