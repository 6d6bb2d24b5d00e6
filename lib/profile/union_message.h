/*
 * union_message: a union on its way from a rank to its parent.
 */
#ifndef FATHOM_PROFILE_UNION_MESSAGE_H
#define FATHOM_PROFILE_UNION_MESSAGE_H

#include <stddef.h>

#include "comm/comm.h"
#include "profile/unification.h"

/* How many it takes. Context: finish; so below. */
size_t fathom_union_message_bytes(const struct fathom_union *u);

/* Both return -errno where comm is broken. Where there is no memory, *err or u->err says so, at both ends. */
int fathom_union_message_send(const struct fathom_union *u, struct fathom_comm *comm, int to, int *err);
int fathom_union_message_receive(struct fathom_union *u, struct fathom_comm *comm, int from);

#endif
