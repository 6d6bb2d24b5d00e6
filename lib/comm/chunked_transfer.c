#include "comm/chunked_transfer.h"

#include <string.h>

enum { CHUNK_BYTES = 64 << 10 };

/* Gets the chunks that are dropped. It is too large for the stack of a signal handler. */
static char dropped[CHUNK_BYTES];

static size_t chunk_bytes(uint64_t rest)
{
	return rest < CHUNK_BYTES ? (size_t)rest : CHUNK_BYTES;
}

int fathom_chunked_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes)
{
	const char *begin = data;
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += CHUNK_BYTES)
		err = comm->send(comm, to, begin + done, chunk_bytes(bytes - done));
	return err;
}

int fathom_chunked_send_filled(struct fathom_comm *comm, int to, char byte, uint64_t bytes)
{
	char chunk[CHUNK_BYTES];
	int err = 0;

	memset(chunk, byte, sizeof(chunk));
	for (uint64_t done = 0; !err && done < bytes; done += CHUNK_BYTES)
		err = comm->send(comm, to, chunk, chunk_bytes(bytes - done));
	return err;
}

int fathom_chunked_receive(struct fathom_comm *comm, int from, void *data, uint64_t bytes)
{
	char *begin = data;
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += CHUNK_BYTES)
		err = comm->receive(comm, from, begin ? begin + done : dropped, chunk_bytes(bytes - done));
	return err;
}

int fathom_chunked_broadcast(struct fathom_comm *comm, void *data, uint64_t bytes)
{
	char *begin = data;
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += CHUNK_BYTES)
		err = comm->broadcast(comm, 0, begin ? begin + done : dropped, chunk_bytes(bytes - done));
	return err;
}
