/*
 * representatives: a few bursts that stand for all bursts of their kind.
 *
 * A detailed simulation, or a measurement with many counters, of the representatives says what all bursts of their
 * kinds would do. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_REPRESENTATIVES_H
#define FATHOM_TOOLS_CLUSTERS_REPRESENTATIVES_H

#include <jansson.h>

#include "tools/clusters/kinds.h"
#include "tools/common/text_layout.h"

struct fathom_representative {
	uint32_t cluster;
	uint32_t burst;		/* index in the list of bursts */
	double distance;	/* from the centre of the cluster, in scaled dimensions */
	double weight;		/* for how many bursts of the cluster it stands */
};

struct fathom_representatives {
	struct fathom_representative *list;	/* by cluster, then by distance */
	uint32_t count;
	double seconds, instructions;		/* of the representatives; instructions: not a number if not counted */
	double all_seconds, all_instructions;	/* of the clusters */
};

/* Chooses the bursts nearest to the centre of each cluster, of different processes if possible: one, or more if the
 * durations in the cluster spread, until the standard error of their mean would be 5 %; 64 at most. */
void fathom_representatives_make(struct fathom_representatives *representatives,
				 const struct fathom_clustering *clustering);
void fathom_representatives_fini(struct fathom_representatives *representatives);

/* Prints a section. */
void fathom_representatives_print(const struct fathom_representatives *representatives,
				  const struct fathom_clustering *clustering, struct fathom_page *page);

/* Returns an object with all representatives and how much less they are than all bursts. */
json_t *fathom_representatives_json(const struct fathom_representatives *representatives,
				    const struct fathom_clustering *clustering);

#endif
