/*
 * omitted: the regions that the filter left out, over all processes and each counted once.
 *
 * Processes may differ: there are rules for ranks, and not all meet the same functions. A region is told by a number
 * made of what it reads like, so nobody needs to know its name.
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
 * Put together what the processes of comm left out. At rank 0 all is told; elsewhere, what comes from that rank's part
 * of the tree. Where there was no memory it is less than all. 0, or -errno: comm is broken. Context: finish, and signal
 * with a process alone.
 */
int fathom_omitted_unite(struct fathom_comm *comm, struct fathom_omitted *omitted);

#endif
