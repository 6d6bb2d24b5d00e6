/*
 * omitted: the regions that the filter left out, over all processes and each counted once.
 *
 * Processes may differ: there are rules for ranks, and not all meet the same functions. A region is identified by a
 * hash of its properties, so its name need not be known.
 */
#ifndef FATHOM_RUN_OMITTED_H
#define FATHOM_RUN_OMITTED_H

#include <stdint.h>

struct fathom_comm;
struct fathom_region;

/* This process met the region, perhaps again, and leaves it out. Context: birth. Takes a lock that holds nothing. */
void fathom_omitted_add(const struct fathom_region *region);

struct fathom_omitted {
	uint32_t count;		/* of regions that are left out in any process */
	char ranks[500];	/* where processes differ, how many in which: "0: 3, 1-7: 12"; else empty */
};

/*
 * Joins what the processes of comm left out. Rank 0 gets the regions of all ranks; another rank gets those of its part
 * of the tree. Without memory, some are missing. 0, or -errno: comm is broken. Context: finish, and signal with a
 * process alone.
 */
int fathom_omitted_unite(struct fathom_comm *comm, struct fathom_omitted *omitted);

#endif
