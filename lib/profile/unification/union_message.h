/* union_message: a union as a message from a rank to its parent. */
#ifndef FATHOM_PROFILE_UNION_MESSAGE_H
#define FATHOM_PROFILE_UNION_MESSAGE_H

#include <stddef.h>

#include "comm/comm.h"
#include "profile/unification/union.h"

/* Returns the number of bytes of the message. Context: finish, as of all functions here. */
size_t fathom_union_message_bytes(const struct fathom_union *u);

/* fathom_union_message_send sends a union; fathom_union_message_receive receives one and merges it into u. Both
 * return 0, or -errno: comm is broken. If the sender has no memory, *err and the receiver's u->err become -ENOMEM; if
 * the receiver has none, its u->err. */
int fathom_union_message_send(const struct fathom_union *u, struct fathom_comm *comm, int to, int *err);
int fathom_union_message_receive(struct fathom_union *u, struct fathom_comm *comm, int from);

#endif
