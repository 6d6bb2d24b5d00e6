/*
 * unification: merges the call trees and definitions of all processes into one union.
 *
 * This is a reduction along a binomial tree of the ranks: each rank merges the unions of its children into its own
 * union and sends the result to its parent. So no rank stores more than the union. Most ranks have the same call
 * paths. Therefore each rank first gets a digest of its parent's call paths (call_path_digest.h), and sends nothing
 * if its own are the same. Otherwise both ranks find out which sub-trees are equal, and only the others are sent
 * (subtree_pruning.h). At the end, each rank gets the numbers of its call paths in the union (call_path_numbers.h).
 */
#ifndef FATHOM_PROFILE_UNIFICATION_H
#define FATHOM_PROFILE_UNIFICATION_H

#include "comm/comm.h"
#include "profile/process_tree/process_tree.h"
#include "profile/unification/union.h"

/*
 * Called by all ranks: reduces the trees of all processes. process: the tree of this process; NULL: this rank had no
 * memory for it. usage: of this process. Afterwards rank 0 has the union of all processes, and every other rank that
 * of its subtree of ranks; the first nodes of the tree are those of its own process tree, in the same order. The
 * threads of each process become locations by the strategy of fathom_aggregate_choose. 0, or -errno: comm is broken.
 * If a rank had no memory, u->err is set on that rank and on all ranks above it up to rank 0; such a union must only
 * be passed to fathom_union_hand_back and fathom_union_fini. Context: finish; signal where comm is serial.
 */
int fathom_union_reduce(struct fathom_union *u, struct fathom_comm *comm, const struct fathom_process_tree *process,
			const struct fathom_usage *usage);

#endif
