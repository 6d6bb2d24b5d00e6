/*
 * subtree_pruning: sends a union without the sub-trees that the receiver has already.
 *
 * From the root down, the sender sends the digests of a node's children. For each child the receiver answers whether
 * it has the same call path with the same sub-tree, the call path with another sub-tree, or no such call path. After
 * some levels, or when no question is left, the sender sends the call paths that are not in an equal sub-tree.
 */
#ifndef FATHOM_PROFILE_SUBTREE_PRUNING_H
#define FATHOM_PROFILE_SUBTREE_PRUNING_H

#include "comm/comm.h"
#include "profile/unification/call_path_digest.h"
#include "profile/unification/union.h"

/* The sender's part and the receiver's part. Both return 0, or -errno: comm is broken. Without memory, *err and
 * u->err become -ENOMEM, on both sides. Context: finish. */
int fathom_pruned_send(const struct fathom_union *u, const struct fathom_digests *digests, struct fathom_comm *comm,
		       int to, int *err);
int fathom_pruned_receive(struct fathom_union *u, struct fathom_comm *comm, int from);

#endif
