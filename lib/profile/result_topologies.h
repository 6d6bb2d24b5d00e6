/*
 * result_topologies: the grids that processes and threads have places in, on their way into the file.
 *
 * They are those that the program told of, and those of its Cartesian communicators.
 */
#ifndef FATHOM_PROFILE_RESULT_TOPOLOGIES_H
#define FATHOM_PROFILE_RESULT_TOPOLOGIES_H

#include "comm/comm.h"
#include "cube/cube.h"
#include "profile/process_tree.h"
#include "profile/result_system.h"
#include "profile/unification.h"
#include "system/grid_runs.h"

struct fathom_topologies {
	struct fathom_grid_runs spread;
};

/* Collect all at rank 0. u, snapshot: as for the site, which was found. 0, or -errno: comm is broken; who has no
 * memory lets the file be without. Context: finish; signal where comm is serial. */
int fathom_topologies_collect(struct fathom_topologies *topologies, const struct fathom_union *u,
			      const struct fathom_process_tree *process, const struct fathom_result_system *system,
			      struct fathom_comm *comm);

/* At rank 0: into cube, with memory from arena; topologies must last as long. 0 or -ENOMEM. */
int fathom_topologies_put(const struct fathom_topologies *topologies, struct fathom_cube *cube,
			  struct fathom_arena *arena);

void fathom_topologies_fini(struct fathom_topologies *topologies);

#endif
