/*
 * result_system: the system tree of the file, which determines the columns of each process's locations.
 *
 * All processes build the system together (lib/system). At rank 0 the writer of the file reads the elements of the
 * tree one after the other; each is made when it is read. Rank 0 has no list of the ranks.
 */
#ifndef FATHOM_PROFILE_RESULT_SYSTEM_H
#define FATHOM_PROFILE_RESULT_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "cube/cube.h"
#include "event/location.h"
#include "event/result.h"
#include "profile/unification/union.h"
#include "system/builder.h"
#include "system/tree_labels.h"

struct fathom_result_system {
	struct fathom_system system;	/* the part of this process; at rank 0 the whole system */
	struct fathom_labels labels;
	bool is_parallel;
	/* While the elements are written: */
	struct fathom_walk walk;
	uint32_t in_process;		/* index of the next location in the process */
	char name[512];
	struct fathom_cube_system elements;
};

/* Sets how the system is described: tree is FATHOM_SYSTEM_TREE, which must live as long as the process; split: enum
 * fathom_split. Context: start. */
void fathom_result_system_choose(const char *tree, uint64_t split);

/*
 * Called by all ranks: builds the system. u: after the reduction; if it has an error, this process adds nothing. 0;
 * -ENOMEM, the same on all ranks, and then no memory is left allocated; or another -errno: comm is broken.
 * Context: finish; signal where comm is serial.
 */
int fathom_result_system_find(struct fathom_result_system *system, const struct fathom_union *u,
			      const struct fathom_process_tree *process, struct fathom_comm *comm,
			      const struct fathom_result *result);

/* At rank 0: returns the elements, from the first one on. An element is valid until the next one is read.
 * Context: finish; signal where there is one process. */
const struct fathom_cube_system *fathom_result_system_elements(struct fathom_result_system *system);

/* Releases the memory of the system. Context: finish, signal. */
void fathom_result_system_fini(struct fathom_result_system *system);

#endif
