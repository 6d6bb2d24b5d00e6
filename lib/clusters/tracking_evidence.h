/*
 * tracking_evidence: what speaks for a cluster of one experiment and a cluster of the next one being the same kind of
 * bursts.
 *
 * Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_TRACKING_EVIDENCE_H
#define FATHOM_CLUSTERS_TRACKING_EVIDENCE_H

#include <stdbool.h>

#include "clusters/points.h"

#define FATHOM_UNKNOWN_CODE UINT32_MAX

/* An experiment whose bursts are clustered. The points have the same dimensions in all experiments, each from 0 to 1
 * over the points of the experiment (categories: numbers that lie farther apart than 1). */
struct fathom_tracked_experiment {
	struct fathom_points points;	/* those in clusters */
	const uint32_t *clusters;	/* by point: from 1 to cluster_count */
	const uint32_t *codes;		/* by point: equal numbers in all experiments are equal code */
	uint32_t cluster_count;
	const double *seconds;		/* by cluster, index 0 is not used: duration */
	const uint32_t *sequence;	/* clusters, or FATHOM_NOISE, in the order in which most threads execute them */
	uint32_t length;
	const uint32_t *joined;		/* by cluster: the lowest of those that always stand in the same columns of the
					 * aligned sequences of threads; NULL: unknown */
};

struct fathom_tracking_evidence {	/* shares from 0 to 1 */
	double displacement;		/* of the points of a: their nearest point in the next experiment is one of b */
	double call_stack;		/* of the bursts of a and b that have equal code: 1 if unknown */
	double sequence;		/* of the places of a in the aligned sequences: b stands there, too */
};

/* Fills in displacement and call_stack for all pairs. pairs: [a][b], with index 0 for noise, all 0 before. 0 or
 * -ENOMEM. */
int fathom_tracking_compare(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			    struct fathom_tracking_evidence *pairs);

/* Fills in sequence for all pairs. The sequences are aligned by letters: clusters of both experiments with the same
 * letter (from 1, below letter_count) are thought to be equal. 0 or -ENOMEM. */
int fathom_tracking_align(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			  const uint32_t *letters_from, const uint32_t *letters_to, const bool *is_shared,
			  uint32_t letter_count, struct fathom_tracking_evidence *pairs);

/* Returns which share of the bursts of two clusters of one experiment has equal code; or -ENOMEM. */
double fathom_tracking_equal_code(const struct fathom_tracked_experiment *experiment, uint32_t a, uint32_t b);

#endif
