/*
 * transfer: messages that go into a stack, or past it where there is no memory.
 */
#ifndef FATHOM_SYSTEM_TRANSFER_H
#define FATHOM_SYSTEM_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"
#include "system/byte_stack.h"

/* Send bytes, in pieces. 0 or -errno: comm is broken. Context: finish. */
int fathom_transfer_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes);

/* Receive them on top of a stack; *at: where. SIZE_MAX: there was no memory, but they are received. 0 or -errno: comm
 * is broken. Context: finish. */
int fathom_transfer_receive(struct fathom_comm *comm, int from, struct fathom_byte_stack *stack, uint64_t bytes,
			    size_t *at);

/* Receive them and forget them. */
int fathom_transfer_drop(struct fathom_comm *comm, int from, uint64_t bytes);

/* Receive them and send them on, to nobody where a rank is negative, without memory for them. */
int fathom_transfer_relay(struct fathom_comm *comm, int from, int to, int to_another, uint64_t bytes);

#endif
