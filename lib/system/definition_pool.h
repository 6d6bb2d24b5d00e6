/*
 * definition_pool: unifies definitions of one kind (regions, communicators, ...) over all processes.
 *
 * A process adds the bytes that describe a definition and gets a number, dense from 0 in the order of the additions;
 * equal bytes get the same number. The pools of all processes are then merged along a tree of the ranks, and each
 * process learns the numbers of its definitions in the union. No process holds more than the union.
 */
#ifndef FATHOM_SYSTEM_DEFINITION_POOL_H
#define FATHOM_SYSTEM_DEFINITION_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"
#include "platform/arena.h"
#include "platform/number_table.h"

struct fathom_pool_thing {
	const void *data;
	uint32_t bytes;
};

struct fathom_pool {		/* all zero: empty */
	struct fathom_arena arena;
	struct fathom_pool_thing *things;
	uint32_t count;
	uint32_t room;
	struct fathom_number_table table;	/* numbers of definitions, by their hash */
	struct fathom_pool_child {
		int rank;
		uint32_t count;
		uint32_t *ours;		/* by number at the child: the number here; NULL: no memory */
	} children[32];
	int child_count;
	int parent;
	uint32_t own;			/* number of definitions that this process added itself */
	int err;			/* -ENOMEM: incomplete, because memory was missing here or at a rank below */
};

/* Returns the number of the definition data, which is copied. Negative: -ENOMEM. Context: finish. */
int64_t fathom_pool_add(struct fathom_pool *pool, const void *data, uint32_t bytes);

/* Returns the number of the definition data; negative: the pool does not have it. Context: finish. */
int64_t fathom_pool_find(const struct fathom_pool *pool, const void *data, uint32_t bytes);

/*
 * Merges the pools of all ranks; afterwards rank 0 has the union. Returns 0, or -errno if comm is broken. If a rank
 * had no memory, pool->err is set there and on all ranks between it and rank 0. Context: finish.
 */
int fathom_pool_reduce(struct fathom_pool *pool, struct fathom_comm *comm);

/*
 * Gives each rank the numbers of its definitions in the union: numbers[i], with room for pool->own, becomes the number
 * of the definition that has the number i here. If rank 0 passes names, numbers[i] becomes names[that number]. All
 * ranks call this after the reduction. Returns 0, or -errno if comm is broken; -ENOMEM also if this rank, or a rank
 * between it and rank 0, had no memory. Context: finish.
 */
int fathom_pool_hand_back(struct fathom_pool *pool, struct fathom_comm *comm, const uint32_t *names, uint32_t *numbers);

/* Frees the pool. Context: finish, signal. */
void fathom_pool_fini(struct fathom_pool *pool);

#endif
