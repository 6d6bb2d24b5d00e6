/*
 * Sending and receiving in pieces, see unification.h.
 */
#include <string.h>

#include "profile/unification.h"

enum { PIECE_BYTES = 64 << 10 };

int fathom_pieces_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes)
{
	const char *place = data;
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += PIECE_BYTES)
		err = comm->send(comm, to, place + done, bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
	return err;
}

int fathom_pieces_fill(struct fathom_comm *comm, int to, char what, uint64_t bytes)
{
	char same[PIECE_BYTES];
	int err = 0;

	memset(same, what, sizeof(same));
	for (uint64_t done = 0; !err && done < bytes; done += PIECE_BYTES)
		err = comm->send(comm, to, same, bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
	return err;
}

int fathom_pieces_receive(struct fathom_comm *comm, int from, void *data, uint64_t bytes)
{
	static char dropped[PIECE_BYTES];	/* nobody reads it; large for a stack */
	char *place = data;
	int err = 0;

	for (uint64_t done = 0; !err && done < bytes; done += PIECE_BYTES)
		err = comm->receive(comm, from, place ? place + done : dropped,
				    bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
	return err;
}
