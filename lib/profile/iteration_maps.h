/*
 * iteration_maps: which iteration of a phase is in which cluster, and how long it took, on the way to the file.
 *
 * A process has a map for each series of each of its threads that has clusters (iteration_clusters.h). It is text
 * from the start, as the file will have it (doc/guides/api.md): each thread joins iterations as it sees fit, so there
 * is nothing that the maps of two could share. They go up the ranks with the union, FATHOM_ITERATIONS_BYTES of them at
 * most: what comes last is left out, and counted.
 */
#ifndef FATHOM_PROFILE_ITERATION_MAPS_H
#define FATHOM_PROFILE_ITERATION_MAPS_H

#include <stdint.h>

#include "comm/comm.h"
#include "cube/cube.h"
#include "platform/arena.h"
#include "profile/process_tree.h"

struct fathom_union;
struct fathom_digests;

enum { FATHOM_ITERATIONS_BYTES = 4 << 20 };

struct fathom_iterations {	/* all zero: none */
	struct fathom_iterations_block *first, *last;
	uint64_t bytes;		/* of all blocks' maps */
	uint64_t lost;		/* maps left out */
};

/* Those of this process, whose call paths are the first of u's. 0 or -ENOMEM. Context: finish, signal; so below. */
int fathom_iterations_add_own(struct fathom_union *u, const struct fathom_process_tree *process, uint32_t rank);

/* Make one block of all, before it is said how many bytes they are; without memory they are lost. */
void fathom_iterations_pack(struct fathom_union *u);

/* u->iterations.bytes, more than none, go to the parent; so many come from a child: without memory they are lost, too.
 * 0 or -errno: comm is broken. */
int fathom_iterations_send(const struct fathom_union *u, struct fathom_comm *comm, int to);
int fathom_iterations_receive(struct fathom_union *u, struct fathom_comm *comm, int from, uint64_t bytes);

/*
 * At rank 0: as attributes "fathom::iterations:CNODE:RANK:THREAD". digests, numbers: of the first known nodes of the
 * union, and the cnodes that they have become; own_rank: the rank of the one process; -1: there are more. How many, or
 * -ENOMEM; attributes and texts are u's.
 */
int64_t fathom_iterations_attributes(struct fathom_union *u, const struct fathom_digests *digests, uint32_t known,
				     const uint32_t *numbers, int64_t own_rank,
				     struct fathom_cube_attribute **attributes);

#endif
