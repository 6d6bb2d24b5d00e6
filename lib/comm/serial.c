/*
 * serial: the communicator of a run with a single process, which sends no messages.
 */
#include <errno.h>

#include "comm/comm.h"

static int send_nobody(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	(void)comm, (void)to, (void)data, (void)bytes;
	return -EINVAL;
}

static int receive_nobody(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	(void)comm, (void)from, (void)data, (void)bytes;
	return -EINVAL;
}

static int exchange_nothing(struct fathom_comm *comm, const struct fathom_comm_message *out,
			    const struct fathom_comm_message *in, int count)
{
	(void)comm;
	for (int i = 0; i < count; i++)
		if (out[i].rank >= 0 || in[i].rank >= 0)
			return -EINVAL;
	return 0;
}

static int broadcast_alone(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	(void)comm, (void)root, (void)data, (void)bytes;
	return 0;
}

static int poll_nobody(struct fathom_comm *comm, int *from, void *data, size_t *bytes, bool wait)
{
	(void)comm, (void)data, (void)bytes;
	*from = -1;
	return wait ? -EDEADLK : 0;
}

static int split_alone(struct fathom_comm *comm, int color, int key, struct fathom_comm **part)
{
	(void)color, (void)key;
	*part = comm;
	return 0;
}

static void close_nothing(struct fathom_comm *comm)
{
	(void)comm;
}

struct fathom_comm *fathom_comm_serial(void)
{
	/* The communicator has no state, so one object serves all callers. */
	static struct fathom_comm serial = {
		.rank = 0,
		.size = 1,
		.send = send_nobody,
		.receive = receive_nobody,
		.exchange = exchange_nothing,
		.broadcast = broadcast_alone,
		.post = send_nobody,
		.poll = poll_nobody,
		.split = split_alone,
		.close = close_nothing,
		.file_open = fathom_comm_plain_open,
		.file_write = fathom_comm_plain_write,
		.file_close = fathom_comm_plain_close,
	};

	return &serial;
}
