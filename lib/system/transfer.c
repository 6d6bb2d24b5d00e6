#include "system/transfer.h"

#include "platform/compiler.h"

enum { PIECE_BYTES = 4096 };	/* size of the buffer on the machine stack, used if there is no other memory */

static size_t piece(uint64_t bytes, uint64_t done)
{
	return bytes - done < PIECE_BYTES ? (size_t)(bytes - done) : PIECE_BYTES;
}

int fathom_transfer_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes)
{
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += PIECE_BYTES)
		err = comm->send(comm, to, (const char *)data + done, piece(bytes, done));
	return err;
}

/* Not inlined, so that the buffer is on the machine stack only in this rare case. */
FATHOM_COLD int fathom_transfer_relay(struct fathom_comm *comm, int from, int to, int to_another, uint64_t bytes)
{
	char data[PIECE_BYTES];
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += PIECE_BYTES) {
		err = comm->receive(comm, from, data, piece(bytes, done));
		if (!err && to >= 0)
			err = comm->send(comm, to, data, piece(bytes, done));
		if (!err && to_another >= 0)
			err = comm->send(comm, to_another, data, piece(bytes, done));
	}
	return err;
}

int fathom_transfer_drop(struct fathom_comm *comm, int from, uint64_t bytes)
{
	return fathom_transfer_relay(comm, from, -1, -1, bytes);
}

int fathom_transfer_receive(struct fathom_comm *comm, int from, struct fathom_byte_stack *stack, uint64_t bytes,
			    size_t *at)
{
	char *place;
	int err = 0;

	*at = fathom_byte_stack_push(stack, (size_t)bytes);
	if (*at == SIZE_MAX)
		return fathom_transfer_drop(comm, from, bytes);
	place = fathom_byte_stack_at(stack, *at);
	for (uint64_t done = 0; !err && done < bytes; done += PIECE_BYTES)
		err = comm->receive(comm, from, place + done, piece(bytes, done));
	return err;
}
