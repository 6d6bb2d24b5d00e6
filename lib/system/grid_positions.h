/*
 * grid_positions: the topologies that the program defined (define/topology.h) and the positions of all processes in
 * them, for traces. For profiles there is grid_runs.h.
 *
 * Each process puts its topologies and positions into a definition pool. Rank 0 makes grids of them: topologies are the
 * same grid if all their members are equal.
 */
#ifndef FATHOM_SYSTEM_GRID_POSITIONS_H
#define FATHOM_SYSTEM_GRID_POSITIONS_H

#include "define/topology.h"
#include "system/definition_pool.h"

struct fathom_grid_place {
	uint32_t rank;
	uint32_t column;		/* number that fathom_grid_column returned */
	uint32_t is_process;		/* the position of the process itself, not of one thread */
	uint32_t at[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
};

struct fathom_grid {
	struct fathom_topology shape;
	struct fathom_grid_place *places;	/* ordered by rank, then column; processes last */
	uint32_t place_count;
};

struct fathom_grids {
	struct fathom_grid *grids;
	uint32_t count;
};

/* Returns the number of a thread in the result; thread NULL: of the process. FATHOM_GRID_NOBODY: it is not in the
 * result. */
#define FATHOM_GRID_NOBODY UINT32_MAX
typedef uint32_t fathom_grid_column(const void *context, const void *thread);

/* Adds the topologies and positions of this process to the pool. 0 or -ENOMEM. Context: finish, signal. */
int fathom_grid_list(struct fathom_pool *pool, uint32_t rank, fathom_grid_column *column, const void *context);

/* Makes the grids, at rank 0 after the reduction of the pool; grids without positions are left out. Memory comes from
 * arena, texts belong to the pool. 0 or -ENOMEM. Context: finish, signal. */
int fathom_grid_read(struct fathom_grids *grids, const struct fathom_pool *pool, struct fathom_arena *arena);

#endif
