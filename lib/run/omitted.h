/*
 * omitted: counts the regions that the filter excluded, each region once over all processes.
 *
 * The processes may exclude different regions: there are rules for ranks, and not all processes call the same
 * functions. A region is identified by a hash of its properties, so its name need not be known.
 */
#ifndef FATHOM_RUN_OMITTED_H
#define FATHOM_RUN_OMITTED_H

#include <stdint.h>

struct fathom_comm;
struct fathom_region;

/* Notes that this process excludes the region. A region may be noted repeatedly. Without memory it is not noted. Takes
 * a lock inside which no other lock is taken. Context: birth. */
void fathom_omitted_add(const struct fathom_region *region);

struct fathom_omitted {
	uint32_t count;		/* number of regions that at least one process excludes */
	char ranks[500];	/* numbers by rank ("0: 3, 1-7: 12") if the processes differ; otherwise empty */
};

/*
 * Counts the excluded regions of the processes of comm, along a binomial tree. Rank 0 gets the regions of all ranks;
 * another rank gets those of its part of the tree. Without memory some regions are missing. Returns 0, or -errno if
 * comm is broken. Context: finish; signal if comm has one process.
 */
int fathom_omitted_unite(struct fathom_comm *comm, struct fathom_omitted *omitted);

#endif
