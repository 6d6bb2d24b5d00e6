/* result_topologies: the topologies in which processes and threads have positions, for the file: those that the
 * program describes by fathom's API, and those of its Cartesian communicators. */
#ifndef FATHOM_PROFILE_RESULT_TOPOLOGIES_H
#define FATHOM_PROFILE_RESULT_TOPOLOGIES_H

#include "config.h"
#include "comm/comm.h"
#include "cube/cube.h"
#include "profile/process_tree/process_tree.h"
#include "profile/result/result_system.h"
#include "profile/unification/union.h"

#ifndef FATHOM_WITHOUT_TOPOLOGIES

#include "system/grid_runs.h"

struct fathom_topologies {
	struct fathom_grid_runs spread;
};

/* Called by all ranks, after fathom_result_system_find: collects all topologies at rank 0. 0, or -errno: comm is
 * broken. Without memory the file has no topologies. Context: finish; signal where comm is serial. */
int fathom_topologies_collect(struct fathom_topologies *topologies, const struct fathom_union *u,
			      const struct fathom_process_tree *process, const struct fathom_result_system *system,
			      struct fathom_comm *comm);

/* At rank 0: adds the topologies to cube, with memory from arena. topologies must live until the file is written. 0
 * or -ENOMEM. Context: finish, signal. */
int fathom_topologies_put(const struct fathom_topologies *topologies, struct fathom_cube *cube,
			  struct fathom_arena *arena);

/* Releases the memory of the topologies. Context: finish, signal. */
void fathom_topologies_fini(struct fathom_topologies *topologies);

#else

/* configure --without-topologies: the file has none. */
struct fathom_topologies {
	char unused;
};

static inline int fathom_topologies_collect(struct fathom_topologies *topologies, const struct fathom_union *u,
					    const struct fathom_process_tree *process,
					    const struct fathom_result_system *system, struct fathom_comm *comm)
{
	(void)topologies;
	(void)u;
	(void)process;
	(void)system;
	(void)comm;
	return 0;
}

static inline int fathom_topologies_put(const struct fathom_topologies *topologies, struct fathom_cube *cube,
					struct fathom_arena *arena)
{
	(void)topologies;
	(void)cube;
	(void)arena;
	return 0;
}

static inline void fathom_topologies_fini(struct fathom_topologies *topologies)
{
	(void)topologies;
}

#endif

#endif
