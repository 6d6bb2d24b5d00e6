/*
 * grid_runs: who is where in the grids that a run has, in a form whose size does not depend on how often things repeat.
 *
 * A place is a location and a number: the place's in its grid, counted with the last dimension running fastest. What
 * is laid out regularly makes runs: 4 threads of each of 1000 processes are one. Each process has runs of its own; they
 * are put together, in the order of the ranks, along a tree. Nobody has a list of the ranks.
 *
 * Grids that the program told of (define/topology.h) are one where they read the same; those of MPI (define/cart.h)
 * where shape and members are the same. Of the latter the result has FATHOM_CART_MOST.
 */
#ifndef FATHOM_SYSTEM_GRID_RUNS_H
#define FATHOM_SYSTEM_GRID_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "define/cart.h"
#include "define/topology.h"
#include "platform/arena.h"

/* Place i of copy c: location + i * location_step + c * location_stride, index likewise. */
struct fathom_grid_run {
	uint64_t location, index;
	int64_t location_step, index_step;
	int64_t location_stride, index_stride;
	uint32_t count;		/* at least one; the steps mean nothing where it is */
	uint32_t copies;	/* at least one; likewise */
};

struct fathom_grid_runs_grid {
	struct fathom_grid_runs_grid *next;
	bool is_cart;
	struct fathom_cart cart;	/* of those; index says nothing */
	struct fathom_topology shape;	/* of the others */
	struct fathom_grid_run *runs;
	uint32_t run_count, run_room;
};

struct fathom_grid_runs {		/* all zero: empty */
	struct fathom_arena arena;
	struct fathom_grid_runs_grid *first, **end;
	uint32_t cart_count;
	bool is_cut;		/* there were more grids of MPI */
	int err;		/* -ENOMEM here or below: it is not complete */
};

/* Which location a thread is; thread NULL: the process. FATHOM_GRID_RUNS_NOBODY: it is not in the result. */
#define FATHOM_GRID_RUNS_NOBODY UINT32_MAX
typedef uint32_t fathom_grid_runs_location(const void *context, const void *thread);

/* Put in what this process has; err says how that went. Context: finish, signal. */
void fathom_grid_runs_list(struct fathom_grid_runs *spread, fathom_grid_runs_location *location, const void *context);

/* Make one of all: afterwards rank 0 has everything. 0 or -errno: comm is broken. Where a rank had no memory, err says
 * so, there and up to rank 0. Context: finish. */
int fathom_grid_runs_reduce(struct fathom_grid_runs *spread, struct fathom_comm *comm);

/* The grid like wanted, which is made, without places, where it is not there yet. NULL: no memory. Context: signal. */
struct fathom_grid_runs_grid *fathom_grid_runs_find(struct fathom_grid_runs *spread,
						    const struct fathom_grid_runs_grid *wanted);

/* Places that come behind those of a grid. 0 or -ENOMEM. Context: signal. */
int fathom_grid_runs_append(struct fathom_grid_runs *spread, struct fathom_grid_runs_grid *grid,
			 const struct fathom_grid_run *run);

/* --- the places, one after the other ------------------------------------------------------------- */

struct fathom_grid_runs_walk {
	const struct fathom_grid_runs_grid *grid;
	uint32_t run, copy, at;
};

/* The next place; false: there is no more, and the walk begins anew. */
bool fathom_grid_runs_next(struct fathom_grid_runs_walk *walk, uint64_t *location, uint64_t *index);

/* So many places a grid has. */
uint64_t fathom_grid_runs_places(const struct fathom_grid_runs_grid *grid);

void fathom_grid_runs_fini(struct fathom_grid_runs *spread);

#endif
