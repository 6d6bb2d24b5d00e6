/*
 * grid_runs: the positions of locations in the grids of a run, in a form whose size does not grow with repetition.
 *
 * A place is a location and the number of its position in the grid, counted with the last dimension running fastest.
 * Regular places form runs: 4 threads of each of 1000 processes are one run. Each process makes its own runs; they are
 * joined along a tree, in the order of the ranks. No process has a list of the ranks.
 *
 * Grids of the user API (define/topology.h) are the same grid if all their members are equal; grids of MPI
 * (define/cart.h) if shape and processes are equal. The result has the FATHOM_CART_MOST largest grids of MPI.
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
	uint32_t count;		/* at least 1; with 1 the steps are ignored */
	uint32_t copies;	/* at least 1; with 1 the strides are ignored */
};

struct fathom_grid_runs_grid {
	struct fathom_grid_runs_grid *next;
	bool is_cart;
	struct fathom_cart cart;	/* of a grid of MPI; its index is unused */
	struct fathom_topology shape;	/* of a grid of the user API */
	struct fathom_grid_run *runs;
	uint32_t run_count, run_room;
};

struct fathom_grid_runs {		/* all zero: empty */
	struct fathom_arena arena;
	struct fathom_grid_runs_grid *first, **end;
	uint32_t cart_count;
	bool is_cut;		/* there were more than FATHOM_CART_MOST grids of MPI */
	int err;		/* -ENOMEM if memory was missing here or at a rank below: the grids are incomplete */
};

/* Returns the location of a thread; thread NULL: of the process. FATHOM_GRID_RUNS_NOBODY: it is not in the result. */
#define FATHOM_GRID_RUNS_NOBODY UINT32_MAX
typedef uint32_t fathom_grid_runs_location(const void *context, const void *thread);

/* Adds the grids and places of this process; sets err without memory. Context: finish, signal. */
void fathom_grid_runs_list(struct fathom_grid_runs *spread, fathom_grid_runs_location *location, const void *context);

/* Joins the grids of all ranks; afterwards rank 0 has them. Returns 0, or -errno if comm is broken. If a rank had no
 * memory, err is set there and on all ranks between it and rank 0. Context: finish. */
int fathom_grid_runs_reduce(struct fathom_grid_runs *spread, struct fathom_comm *comm);

/* Returns the grid that equals wanted; makes it, without places, if there is none. NULL: no memory. Context: signal. */
struct fathom_grid_runs_grid *fathom_grid_runs_find(struct fathom_grid_runs *spread,
						    const struct fathom_grid_runs_grid *wanted);

/* Appends a run to a grid, and joins it with the last run if possible. 0 or -ENOMEM. Context: signal. */
int fathom_grid_runs_append(struct fathom_grid_runs *spread, struct fathom_grid_runs_grid *grid,
			 const struct fathom_grid_run *run);

/* --- a walk over all places ------------------------------------------------------------- */

struct fathom_grid_runs_walk {
	const struct fathom_grid_runs_grid *grid;
	uint32_t run, copy, at;
};

/* Returns the next place; false: there are no more, and the walk starts again. Context: signal. */
bool fathom_grid_runs_next(struct fathom_grid_runs_walk *walk, uint64_t *location, uint64_t *index);

/* Returns the number of places in a grid. Context: signal. */
uint64_t fathom_grid_runs_places(const struct fathom_grid_runs_grid *grid);

/* Frees the grids. Context: finish, signal. */
void fathom_grid_runs_fini(struct fathom_grid_runs *spread);

#endif
