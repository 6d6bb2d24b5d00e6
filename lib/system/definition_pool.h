/*
 * definition_pool: things of one kind that all processes have, told apart by what they read like.
 *
 * A process puts in the bytes that say what a thing is, and gets a number, dense from 0 in the order of their
 * coming; the same bytes get the same number. Then the pools of all processes are made one, along a tree of the
 * ranks, and each learns which numbers its things have there. Nobody holds more than the union.
 */
#ifndef FATHOM_SYSTEM_DEFINITION_POOL_H
#define FATHOM_SYSTEM_DEFINITION_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"
#include "platform/arena.h"

struct fathom_pool_thing {
	const void *data;
	uint32_t bytes;
};

struct fathom_pool {		/* all zero: empty */
	struct fathom_arena arena;
	struct fathom_pool_thing *things;
	uint32_t count;
	uint32_t room;
	uint32_t *table;		/* number + 1 by hash; 0: empty */
	uint32_t table_size;		/* a power of two, at least twice room */
	struct fathom_pool_child {
		int rank;
		uint32_t count;
		uint32_t *ours;		/* which number theirs have here; NULL: no memory */
	} children[32];
	int child_count;
	int parent;
	uint32_t own;			/* how many were there before the others' came */
	int err;			/* -ENOMEM here or below: it is not complete */
};

/* The number of what reads like data, which is copied. Negative: -ENOMEM. Context: finish. */
int64_t fathom_pool_add(struct fathom_pool *pool, const void *data, uint32_t bytes);

/* The number of what reads like data; negative: it is not there. Context: finish. */
int64_t fathom_pool_find(const struct fathom_pool *pool, const void *data, uint32_t bytes);

/*
 * Make one of all: afterwards rank 0 has everything. 0 or -errno: comm is broken. Where a rank had no memory,
 * pool->err says so, there and up to rank 0. Context: finish.
 */
int fathom_pool_reduce(struct fathom_pool *pool, struct fathom_comm *comm);

/*
 * Tell all: numbers[i], room for pool->own, is the number in the union of what has the number i here; or, where
 * rank 0 gives names, names[that]. Called by all, after the reduction. 0 or -errno: comm is broken; -ENOMEM also
 * where this rank's memory, or that of a rank in between, could not be had. Context: finish.
 */
int fathom_pool_hand_back(struct fathom_pool *pool, struct fathom_comm *comm, const uint32_t *names, uint32_t *numbers);

void fathom_pool_fini(struct fathom_pool *pool);

#endif
