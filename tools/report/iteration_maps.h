/*
 * iteration_maps: the iterations of each cluster of a phase, read from the attributes of a profile.
 *
 * "0*3:0=1520,1499,1510 3:1=9000" means: iterations 0, 1 and 2 are in cluster 0 and took 1520, 1499 and 1510 ns;
 * iteration 3 is in cluster 1 and took 9000 ns.
 */
#ifndef FATHOM_TOOLS_REPORT_ITERATION_MAPS_H
#define FATHOM_TOOLS_REPORT_ITERATION_MAPS_H

#include "tools/common/profile.h"

/* The map of one thread in one phase. */
struct fathom_phase_map {
	uint32_t cnode;			/* the phase */
	int64_t rank;
	uint32_t thread;
	uint32_t count;
	uint64_t *numbers;		/* these three: by iteration, in the order in which iterations were run */
	uint32_t *clusters;
	double *seconds;
	uint32_t cluster_count;		/* one more than the largest number */
	uint32_t *sizes;		/* by cluster: number of its iterations */
};

/* Returns whether an attribute with that key is a map of iterations. */
bool fathom_phases_is_map(const char *key);

/*
 * Reads the maps of the file, in the order of call paths, ranks and threads. is_phase: by call path. Sets *maps and
 * *count, which the caller passes to fathom_phase_maps_free in any case. 0, or -EILSEQ after an error message.
 */
int fathom_phase_maps_read(const struct fathom_profile *profile, const bool *is_phase, struct fathom_phase_map **maps,
			   uint32_t *count);
void fathom_phase_maps_free(struct fathom_phase_map *maps, uint32_t count);

#endif
