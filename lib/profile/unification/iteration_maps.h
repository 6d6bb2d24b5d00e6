/*
 * iteration_maps: the cluster and the duration of each iteration of a phase, and their way to the file.
 *
 * A process has a map for each series of its threads that has clusters (iteration_clusters.h). A map is a text in the
 * form that the file has (doc/guides/api.md). Each thread clusters its iterations independently, so two maps have
 * nothing in common. The ranks send the maps to rank 0 together with the union, at most FATHOM_ITERATIONS_BYTES of
 * them; the maps beyond that are dropped and counted.
 */
#ifndef FATHOM_PROFILE_ITERATION_MAPS_H
#define FATHOM_PROFILE_ITERATION_MAPS_H

#include <stdint.h>

#include "config.h"
#include "comm/comm.h"
#include "cube/cube.h"
#include "platform/arena.h"
#include "profile/process_tree/process_tree.h"
#include "profile/unification/union.h"

struct fathom_digests;

enum { FATHOM_ITERATIONS_BYTES = 4 << 20 };

#ifndef FATHOM_WITHOUT_PHASES

/* Adds the maps of this process, whose call paths are the first ones of u. 0 or -ENOMEM. Context: finish, signal, as
 * of all functions here. */
int fathom_iterations_add_own(struct fathom_union *u, const struct fathom_process_tree *process, uint32_t rank);

/* Joins all blocks into one, before the number of their bytes is sent. Without memory the maps are lost. */
void fathom_iterations_pack(struct fathom_union *u);

/* fathom_iterations_send sends the maps, u->iterations.bytes bytes, which must not be 0, to the parent.
 * fathom_iterations_receive receives that many bytes from a child; without memory it drops and counts the maps. 0, or
 * -errno: comm is broken. */
int fathom_iterations_send(const struct fathom_union *u, struct fathom_comm *comm, int to);
int fathom_iterations_receive(struct fathom_union *u, struct fathom_comm *comm, int from, uint64_t bytes);

/*
 * At rank 0: makes attributes "fathom::iterations:CNODE:RANK:THREAD" from the maps. digests and numbers belong to the
 * first known nodes of the union: their digests, and the cnodes that they have become. own_rank: the rank of the only
 * process; -1: there are more. Returns the number of attributes, or -ENOMEM. Attributes and texts are in u's memory.
 */
int64_t fathom_iterations_attributes(struct fathom_union *u, const struct fathom_digests *digests, uint32_t known,
				     const uint32_t *numbers, int64_t own_rank,
				     struct fathom_cube_attribute **attributes);

#else

/* configure --without-phases: there are no maps. */
static inline int fathom_iterations_add_own(struct fathom_union *u, const struct fathom_process_tree *process,
					    uint32_t rank)
{
	(void)u;
	(void)process;
	(void)rank;
	return 0;
}

static inline void fathom_iterations_pack(struct fathom_union *u)
{
	(void)u;
}

static inline int fathom_iterations_send(const struct fathom_union *u, struct fathom_comm *comm, int to)
{
	(void)u;
	(void)comm;
	(void)to;
	return 0;
}

static inline int fathom_iterations_receive(struct fathom_union *u, struct fathom_comm *comm, int from,
					    uint64_t bytes)
{
	(void)u;
	(void)comm;
	(void)from;
	(void)bytes;
	return 0;
}

static inline int64_t fathom_iterations_attributes(struct fathom_union *u, const struct fathom_digests *digests,
						   uint32_t known, const uint32_t *numbers, int64_t own_rank,
						   struct fathom_cube_attribute **attributes)
{
	(void)u;
	(void)digests;
	(void)known;
	(void)numbers;
	(void)own_rank;
	(void)attributes;
	return 0;
}

#endif

#endif
