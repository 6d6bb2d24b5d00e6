/*
 * tracking: finds out which clusters of several experiments are the same kind of bursts.
 *
 * The experiments stand in an order: sizes, versions of a program, machines, or windows of time of one run. Each was
 * clustered alone. Between each experiment and the next one, clusters are related if the evidence (tracking_evidence.h)
 * says so; clusters that are related over all experiments, directly or through others, are one tracked kind. A kind may
 * have several clusters in an experiment, and none in another.
 */
#ifndef FATHOM_CLUSTERS_TRACKING_H
#define FATHOM_CLUSTERS_TRACKING_H

#include "clusters/tracking_evidence.h"

/* What relates a pair of clusters. */
enum fathom_relation_reason {
	FATHOM_RELATED_BY_PLACE,	/* points of the one are next to points of the other, and the code is equal */
	FATHOM_RELATED_BY_CODE,		/* only the code is equal; both clusters had no other relation */
	FATHOM_RELATED_BY_SEQUENCE,	/* they stand at the same places of the sequences */
};

struct fathom_relation {
	uint32_t experiment;		/* of cluster a; cluster b is of the next one */
	uint32_t a, b;			/* from 1 */
	struct fathom_tracking_evidence evidence;
	enum fathom_relation_reason reason;
};

struct fathom_tracking {
	struct fathom_relation *relations;	/* by experiment, a and b */
	size_t relation_count, relation_room;
	uint32_t **kinds;		/* [experiment][cluster]: tracked kind from 1; 0 for noise */
	uint32_t kind_count;
	uint32_t count;			/* experiments */
};

/* Relates the clusters of count experiments. Kinds are numbered by falling duration in the first experiment that has
 * them, those of earlier experiments first. 0, or -ENOMEM: nothing is left to be freed. Context: any that may allocate
 * memory. */
int fathom_tracking_make(struct fathom_tracking *tracking, const struct fathom_tracked_experiment *experiments,
			 uint32_t count);
void fathom_tracking_fini(struct fathom_tracking *tracking);

/* Returns the share of the time in clusters of an experiment that is in kinds that all experiments have. Context:
 * any. */
double fathom_tracking_coverage(const struct fathom_tracking *tracking,
				const struct fathom_tracked_experiment *experiments, uint32_t experiment);

#endif
