/* union_message: a union as a message from a rank to its parent. */
#ifndef FATHOM_PROFILE_UNION_MESSAGE_H
#define FATHOM_PROFILE_UNION_MESSAGE_H

#include <stddef.h>

#include "comm/comm.h"
#include "profile/unification.h"

/* The number of bytes of the message. Context: finish; so below. */
size_t fathom_union_message_bytes(const struct fathom_union *u);

/* Send a union; receive one and merge it into u. Both return 0, or -errno: comm is broken. Without memory, *err or
 * u->err says so, at both sides. */
int fathom_union_message_send(const struct fathom_union *u, struct fathom_comm *comm, int to, int *err);
int fathom_union_message_receive(struct fathom_union *u, struct fathom_comm *comm, int from);

#endif
