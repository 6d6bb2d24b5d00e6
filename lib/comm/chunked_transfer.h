/*
 * chunked_transfer: long messages between ranks, sent as a sequence of short ones.
 *
 * A rank that has no memory for a message must receive it all the same, because the sender waits. It receives the
 * chunks one after the other into the same small buffer.
 */
#ifndef FATHOM_COMM_CHUNKED_TRANSFER_H
#define FATHOM_COMM_CHUNKED_TRANSFER_H

#include <stdint.h>

#include "comm/comm.h"

/* All functions return 0, or -errno: comm is broken. Sender and receiver must pass the same number of bytes.
 * Context: finish, as of all functions here; signal where comm is serial. */

/* Sends bytes bytes of data. */
int fathom_chunked_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes);

/* Sends a message of bytes bytes, all with the value byte. */
int fathom_chunked_send_filled(struct fathom_comm *comm, int to, char byte, uint64_t bytes);

/* Receives a message into data. NULL: the message is received and dropped. */
int fathom_chunked_receive(struct fathom_comm *comm, int from, void *data, uint64_t bytes);

/* Called by all ranks: rank 0 sends data to all others. data NULL, at other ranks than 0: the message is dropped. */
int fathom_chunked_broadcast(struct fathom_comm *comm, void *data, uint64_t bytes);

#endif
