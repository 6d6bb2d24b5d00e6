/*
 * grid_positions: the topologies that the program defined (define/topology.h) and the positions of all processes in
 * them, for traces. For profiles there is grid_runs.h.
 *
 * Each process puts its shapes and positions into a pool; at rank 0 these become grids, told apart by all that
 * they read like, with who is where.
 */
#ifndef FATHOM_SYSTEM_GRID_POSITIONS_H
#define FATHOM_SYSTEM_GRID_POSITIONS_H

#include "define/topology.h"
#include "system/definition_pool.h"

struct fathom_grid_place {
	uint32_t rank;
	uint32_t column;		/* as the lister calls it */
	uint32_t is_process;		/* it is the process that is there */
	uint32_t at[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
};

struct fathom_grid {
	struct fathom_topology shape;
	struct fathom_grid_place *places;	/* in the order of ranks, columns, processes last */
	uint32_t place_count;
};

struct fathom_grids {
	struct fathom_grid *grids;
	uint32_t count;
};

/* What a thread is called; thread NULL: the process. FATHOM_GRID_NOBODY: it is not in the result. */
#define FATHOM_GRID_NOBODY UINT32_MAX
typedef uint32_t fathom_grid_column(const void *context, const void *thread);

/* Put in what this process has. 0 or -ENOMEM. Context: finish, signal. */
int fathom_grid_list(struct fathom_pool *pool, uint32_t rank, fathom_grid_column *column, const void *context);

/* At rank 0, after the reduction: all grids somebody is in. Memory comes from arena, texts are the pool's. 0 or
 * -ENOMEM. Context: finish, signal. */
int fathom_grid_read(struct fathom_grids *grids, const struct fathom_pool *pool, struct fathom_arena *arena);

#endif
