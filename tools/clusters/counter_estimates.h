/*
 * counter_estimates: counters that only a part of the bursts has, extrapolated to the kinds; and what cycles are spent
 * on.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_COUNTER_ESTIMATES_H
#define FATHOM_TOOLS_CLUSTERS_COUNTER_ESTIMATES_H

#include <jansson.h>

#include "clusters/extrapolation.h"
#include "tools/clusters/kinds.h"
#include "tools/common/text_layout.h"

struct fathom_counter_estimate {
	uint32_t cluster, metric;
	uint64_t measured;		/* bursts of the cluster with a value */
	double share;			/* of the cluster in all cycles, or in all time */
	struct fathom_extrapolated values;
	double weighted_error;		/* the standard error, times the share */
};

struct fathom_counter_estimates {
	struct fathom_counter_estimate *list;	/* by cluster, then by metric */
	uint32_t count;
	bool has_cycles;		/* the reference is cycles, not time */
};

/* Extrapolates the counters that were measured in a part of the clustered bursts only. */
void fathom_counter_estimates_make(struct fathom_counter_estimates *estimates,
				   const struct fathom_clustering *clustering);
void fathom_counter_estimates_fini(struct fathom_counter_estimates *estimates);

/* Print a section, if there is something to say: the extrapolated counters; the cycles for each instruction by cause,
 * if instructions, cycles and cycles without progress (stalls) were counted. */
void fathom_counter_estimates_print(const struct fathom_counter_estimates *estimates,
				    const struct fathom_clustering *clustering, struct fathom_page *page);
void fathom_cycle_causes_print(const struct fathom_clustering *clustering, struct fathom_page *page);

/* Return the same as lists of objects. */
json_t *fathom_counter_estimates_json(const struct fathom_counter_estimates *estimates,
				      const struct fathom_clustering *clustering);
json_t *fathom_cycle_causes_json(const struct fathom_clustering *clustering);

#endif
