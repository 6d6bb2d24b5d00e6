/*
 * transfer: sends data of any size to another process, and receives it on top of a byte stack.
 *
 * A receiver without memory still receives the data, so that the sender does not wait for ever. Context of all
 * functions: finish. They return 0, or -errno if comm is broken.
 */
#ifndef FATHOM_SYSTEM_TRANSFER_H
#define FATHOM_SYSTEM_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"
#include "system/byte_stack.h"

/* Sends bytes in pieces that comm can handle. */
int fathom_transfer_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes);

/* Receives bytes on top of the stack and stores their offset in *at. *at is SIZE_MAX if there was no memory: then the
 * bytes were received and dropped. */
int fathom_transfer_receive(struct fathom_comm *comm, int from, struct fathom_byte_stack *stack, uint64_t bytes,
			    size_t *at);

/* Receives bytes and drops them. */
int fathom_transfer_drop(struct fathom_comm *comm, int from, uint64_t bytes);

/* Receives bytes and sends them on to two ranks, piece by piece, without storing them. A negative rank gets nothing. */
int fathom_transfer_relay(struct fathom_comm *comm, int from, int to, int to_another, uint64_t bytes);

#endif
