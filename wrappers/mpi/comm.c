/*
 * comm: the functions of struct fathom_comm (lib/comm), implemented with MPI.
 *
 * MPI libraries wait by spinning. Where there are more ranks than processors, a spinning rank takes the processor from
 * the ranks that it waits for. So nothing here blocks inside MPI: each operation is begun as a nonblocking one and then
 * tested, with pauses in between.
 *
 * A part that split makes has no communicator of MPI, because making one would block. It is a list of ranks of the
 * whole and a tag of its own.
 */
#include "mpi/comm.h"

#include "mpi/comm_file.h"
#include "mpi/posted_messages.h"
#include "mpi/request_wait.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1 << 30)	/* MPI counts are int */
#define MOST_EXCHANGED 4	/* messages of one exchange, each way */
#define POSTED_TAG 32767	/* of posted messages: the highest tag that every MPI must allow */
#define LAST_TAG 32766		/* the highest tag of a part */

struct context {
	struct fathom_comm comm;
	MPI_Comm mpi;
	int tag;	/* distinguishes the messages of different parts that have the same members */
	int *ranks;	/* by member: its rank in mpi; NULL: both ranks are equal */
	int *next_tag;	/* points to own_next_tag of the context that was opened; shared with all its parts */
	int own_next_tag;
	struct fathom_mpi_posted *posted;	/* NULL: no message has been posted or polled yet */
};

static int rank_in_mpi(const struct context *context, int rank)
{
	return context->ranks ? context->ranks[rank] : rank;
}

static int begin_send(struct context *context, int to, const void *data, size_t bytes, MPI_Request *request)
{
	int err = PMPI_Isend(data, (int)bytes, MPI_BYTE, rank_in_mpi(context, to), context->tag, context->mpi, request);

	return err == MPI_SUCCESS ? 0 : -EIO;
}

static int comm_send(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	struct context *context = comm->context;
	const char *next = data;

	if (fathom_mpi_posted_flush(context->posted))
		return -EIO;
	do {
		size_t part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
		MPI_Request request;
		int err;

		err = begin_send(context, to, next, part, &request);
		if (!err)
			err = fathom_mpi_comm_wait(&request, comm->is_timed);
		if (err)
			return err;
		next += part;
		bytes -= part;
	} while (bytes);
	return 0;
}

static int comm_receive(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	struct context *context = comm->context;
	char *next = data;

	if (fathom_mpi_posted_flush(context->posted))
		return -EIO;
	do {
		size_t part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
		MPI_Request request;
		int err;

		if (PMPI_Irecv(next, (int)part, MPI_BYTE, rank_in_mpi(context, from), context->tag, context->mpi,
			       &request) != MPI_SUCCESS)
			return -EIO;
		err = fathom_mpi_comm_wait(&request, comm->is_timed);
		if (err)
			return err;
		next += part;
		bytes -= part;
	} while (bytes);
	return 0;
}

static int comm_exchange(struct fathom_comm *comm, const struct fathom_comm_message *out,
			 const struct fathom_comm_message *in,
			 int count)
{
	MPI_Request sent[MOST_EXCHANGED];
	int err = 0, begun = 0;

	if (count > MOST_EXCHANGED)
		return -EINVAL;
	for (; begun < count && !err; begun++) {
		sent[begun] = MPI_REQUEST_NULL;
		if (out[begun].bytes > MOST_BYTES || in[begun].bytes > MOST_BYTES)
			err = -EMSGSIZE;
		else if (out[begun].rank >= 0)
			err = begin_send(comm->context, out[begun].rank, out[begun].data, out[begun].bytes,
					 &sent[begun]);
	}
	for (int i = 0; i < count && !err; i++)
		if (in[i].rank >= 0)
			err = comm_receive(comm, in[i].rank, in[i].data, in[i].bytes);
	for (int i = 0; i < begun && !err; i++)
		err = fathom_mpi_comm_wait(&sent[i], false);
	return err;
}

/* Sends along the binomial tree whose root is the rank root. */
static int broadcast_in_part(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	int children[32];
	int parent;
	int count = fathom_comm_tree((comm->rank - root + comm->size) % comm->size, comm->size, &parent, children);
	int err = 0;

	if (parent >= 0)
		err = comm_receive(comm, (parent + root) % comm->size, data, bytes);
	/* The farthest child has the largest subtree, so it gets the data first. */
	for (int i = count - 1; i >= 0 && !err; i--)
		err = comm_send(comm, (children[i] + root) % comm->size, data, bytes);
	return err;
}

static int comm_broadcast(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	struct context *context = comm->context;
	char *next = data;

	if (fathom_mpi_posted_flush(context->posted))
		return -EIO;
	if (context->ranks)
		return broadcast_in_part(comm, root, data, bytes);
	do {
		size_t part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
		MPI_Request request;
		int err;

		if (PMPI_Ibcast(next, (int)part, MPI_BYTE, root, context->mpi, &request) != MPI_SUCCESS)
			return -EIO;
		err = fathom_mpi_comm_wait(&request, comm->is_timed);
		if (err)
			return err;
		next += part;
		bytes -= part;
	} while (bytes);
	return 0;
}

/* Returns the state for posted messages, which the first call makes. Parts have none. NULL: no memory. */
static struct fathom_mpi_posted *posted_of(struct context *context)
{
	if (!context->posted && !context->ranks)
		context->posted = fathom_mpi_posted_create(context->mpi, POSTED_TAG, context->comm.size);
	return context->posted;
}

static int comm_post(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	struct fathom_mpi_posted *posted = posted_of(comm->context);

	return posted ? fathom_mpi_posted_send(posted, to, data, bytes) : -ENOMEM;
}

static int comm_poll(struct fathom_comm *comm, int *from, void *data, size_t *bytes, bool wait)
{
	struct fathom_mpi_posted *posted = posted_of(comm->context);

	*from = -1;
	return posted ? fathom_mpi_posted_poll(posted, from, data, bytes, wait) : -ENOMEM;
}

struct member {
	int color;
	int key;
	int rank;
	int tag;
};

static int by_key(const void *a, const void *b)
{
	const struct member *x = a;
	const struct member *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Collects the color and key of all ranks at rank 0 along the binomial tree, and sends them from there to all. */
static int exchange(struct fathom_comm *comm, struct member *members)
{
	int children[32];
	int parent;
	int count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	int below = comm->size;	/* one past the last rank of this rank's subtree */
	int err = 0;

	if (parent >= 0) {
		int bit = comm->rank & -comm->rank;

		below = comm->rank + bit < comm->size ? comm->rank + bit : comm->size;
	}
	for (int i = 0; i < count && !err; i++) {
		int end = i + 1 < count ? children[i + 1] : below;

		err = comm_receive(comm, children[i], &members[children[i]],
				   (size_t)(end - children[i]) * sizeof(*members));
	}
	if (!err && parent >= 0)
		err = comm_send(comm, parent, &members[comm->rank], (size_t)(below - comm->rank) * sizeof(*members));
	if (err)
		return err;
	return comm_broadcast(comm, 0, members, (size_t)comm->size * sizeof(*members));
}

/* Returns the worst error of all ranks, so that all give up if one rank has no memory; else they would wait for it. */
static int agree(struct fathom_comm *comm, int worst)
{
	int children[32], parent, next;
	int count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	int err = 0;

	for (int i = 0; i < count && !err; i++) {
		err = comm_receive(comm, children[i], &next, sizeof(next));
		if (!err && next < worst)
			worst = next;
	}
	if (!err && parent >= 0)
		err = comm_send(comm, parent, &worst, sizeof(worst));
	if (!err)
		err = comm_broadcast(comm, 0, &worst, sizeof(worst));
	return err ? err : worst;
}

static struct context *context_create(MPI_Comm mpi);

static int comm_split(struct fathom_comm *comm, int color, int key, struct fathom_comm **result)
{
	struct context *context = comm->context;
	struct member *members = calloc((size_t)comm->size, sizeof(*members));
	struct context *part = context_create(context->mpi);
	int tag = 0;
	int count = 0;
	int err;

	if (part)
		part->ranks = calloc((size_t)comm->size, sizeof(*part->ranks));
	err = agree(comm, members && part && part->ranks ? 0 : -ENOMEM);
	if (err)
		goto fail;

	members[comm->rank] = (struct member){ color, key, comm->rank, *context->next_tag };
	err = exchange(comm, members);
	if (err)
		goto fail;
	/* Ranks that were in different parts before may have used different numbers of tags. */
	for (int i = 0; i < comm->size; i++) {
		if (members[i].tag > tag)
			tag = members[i].tag;
		if (members[i].color == color)
			members[count++] = members[i];
	}
	qsort(members, (size_t)count, sizeof(*members), by_key);
	for (int i = 0; i < count; i++) {
		part->ranks[i] = rank_in_mpi(context, members[i].rank);
		if (members[i].rank == comm->rank)
			part->comm.rank = i;
	}
	part->comm.size = count;
	part->tag = tag;
	part->next_tag = context->next_tag;
	*context->next_tag = tag < LAST_TAG ? tag + 1 : 1;
	free(members);
	*result = &part->comm;
	return 0;

fail:
	if (part)
		part->comm.close(&part->comm);
	free(members);
	return err;
}

static void comm_close(struct fathom_comm *comm)
{
	struct context *context = comm->context;

	fathom_mpi_posted_destroy(context->posted);
	free(context->ranks);
	free(context);
}

static struct context *context_create(MPI_Comm mpi)
{
	struct context *context = calloc(1, sizeof(*context));

	if (!context)
		return NULL;
	context->mpi = mpi;
	context->own_next_tag = 1;
	context->next_tag = &context->own_next_tag;
	context->comm = (struct fathom_comm){
		.send = comm_send,
		.receive = comm_receive,
		.exchange = comm_exchange,
		.broadcast = comm_broadcast,
		.post = comm_post,
		.poll = comm_poll,
		.split = comm_split,
		.close = comm_close,
		.file_open = fathom_mpi_file_open,
		.file_write = fathom_mpi_file_write,
		.file_close = fathom_mpi_file_close,
		.context = context,
	};
	return context;
}

struct fathom_comm *fathom_mpi_comm_open(MPI_Comm mpi)
{
	struct context *context = context_create(mpi);

	if (!context)
		return NULL;
	PMPI_Comm_rank(mpi, &context->comm.rank);
	PMPI_Comm_size(mpi, &context->comm.size);
	return &context->comm;
}
