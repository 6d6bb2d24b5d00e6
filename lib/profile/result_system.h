/*
 * result_system: where in the system the processes of a run are, and so in which columns their locations are in the
 * file.
 *
 * What all build together is lib/system's; here it becomes what the writer of the file wants: the elements
 * of the tree one after the other, made while they are written. Rank 0 has no list of the ranks.
 */
#ifndef FATHOM_PROFILE_RESULT_SYSTEM_H
#define FATHOM_PROFILE_RESULT_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "cube/cube.h"
#include "event/location.h"
#include "event/result.h"
#include "profile/unification.h"
#include "system/builder.h"
#include "system/tree_labels.h"

struct fathom_result_system {
	struct fathom_system system;	/* what this process knows of its own; at rank 0 the whole */
	struct fathom_labels labels;
	bool is_parallel;
	/* While the elements are told: */
	struct fathom_walk walk;
	uint32_t in_process;		/* of a location: its place in its process */
	char name[512];
	struct fathom_cube_system elements;
};

/* How processes find each other, for all that follows; tree: FATHOM_SYSTEM_TREE. Context: start. */
void fathom_result_system_choose(const char *tree, uint64_t split);

/*
 * Find out, together. u: after the reduction; where it has an error, nobody finds anything. 0, or -ENOMEM: the same
 * everywhere, and nothing is held; or comm is broken. Context: finish; signal where comm is serial.
 */
int fathom_result_system_find(struct fathom_result_system *system, const struct fathom_union *u,
			      const struct fathom_process_tree *process, struct fathom_comm *comm,
			      const struct fathom_result *result);

/* At rank 0: the elements from the first on. They live until the next is asked for. */
const struct fathom_cube_system *fathom_result_system_elements(struct fathom_result_system *system);

void fathom_result_system_fini(struct fathom_result_system *system);

#endif
