/*
 * subtree_pruning: what need not be sent of a call tree, because the other side has it.
 *
 * From the root down: the sender says what the children of a node are, by their digests, and is told of each whether
 * it is the same there with all below, whether it is there but something below is not, or not there at all. So it
 * goes on, some levels; then call paths are sent, without the sub-trees that are the same.
 */
#ifndef FATHOM_PROFILE_SUBTREE_PRUNING_H
#define FATHOM_PROFILE_SUBTREE_PRUNING_H

#include "comm/comm.h"
#include "profile/call_path_digest.h"
#include "profile/unification.h"

/* Both return -errno where comm is broken. Where there is no memory, *err or u->err says so, at both ends.
 * Context: finish. */
int fathom_pruned_send(const struct fathom_union *u, const struct fathom_digests *digests, struct fathom_comm *comm,
		       int to, int *err);
int fathom_pruned_receive(struct fathom_union *u, struct fathom_comm *comm, int from);

#endif
