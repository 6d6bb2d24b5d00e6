#include "mpi/posted_messages.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "comm/comm.h"
#include "mpi/request_wait.h"

/* A message in a buffer has a head of 8 bytes with its length, and is filled up to a multiple of 8 bytes. */
enum { HEAD_BYTES = 8 };

/* A buffer is sent when a further message does not fit. */
enum { FIRST_BYTES = 1 << 12, MOST_BYTES = FATHOM_COMM_MOST_POSTED + HEAD_BYTES };

/* If there are more buffers with messages, all of them are sent: this bounds the memory. */
enum { MOST_BUFFERS = 1024 };

struct buffer {
	struct buffer *next;		/* among the buffers in flight */
	MPI_Request request;
	int to;
	size_t used, room;
	char data[];
};

struct fathom_mpi_posted {
	MPI_Comm mpi;
	int tag;
	struct buffer **of_rank;	/* by receiver: the buffer with messages that were not sent yet; NULL: none */
	int *receivers;			/* the receivers that have such a buffer */
	int receiver_count;
	struct buffer *in_flight;
	char *received;			/* the messages of one sender that arrived together; room for MOST_BYTES */
	size_t received_bytes, taken_bytes;
	int sender;
};

struct fathom_mpi_posted *fathom_mpi_posted_create(MPI_Comm mpi, int tag, int size)
{
	struct fathom_mpi_posted *posted = calloc(1, sizeof(*posted));

	if (!posted)
		return NULL;
	posted->mpi = mpi;
	posted->tag = tag;
	posted->of_rank = calloc((size_t)size, sizeof(*posted->of_rank));
	posted->receivers = calloc((size_t)size, sizeof(*posted->receivers));
	posted->received = malloc(MOST_BYTES);
	if (posted->of_rank && posted->receivers && posted->received)
		return posted;
	fathom_mpi_posted_destroy(posted);
	return NULL;
}

/* Frees the buffers whose messages have been transferred. */
static int free_sent(struct fathom_mpi_posted *posted)
{
	struct buffer **link = &posted->in_flight, *buffer;

	while ((buffer = *link)) {
		int done = 0;

		if (PMPI_Test(&buffer->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return -EIO;
		if (!done) {
			link = &buffer->next;
			continue;
		}
		*link = buffer->next;
		free(buffer);
	}
	return 0;
}

/* Begins to send the buffer of a receiver, which must have one. The caller takes the receiver from the list. */
static int send_buffer(struct fathom_mpi_posted *posted, int to)
{
	struct buffer *buffer = posted->of_rank[to];

	if (PMPI_Isend(buffer->data, (int)buffer->used, MPI_BYTE, to, posted->tag, posted->mpi, &buffer->request) !=
	    MPI_SUCCESS)
		return -EIO;
	posted->of_rank[to] = NULL;
	buffer->next = posted->in_flight;
	posted->in_flight = buffer;
	return 0;
}

static int send_all(struct fathom_mpi_posted *posted)
{
	int err = 0;

	while (!err && posted->receiver_count)
		err = send_buffer(posted, posted->receivers[--posted->receiver_count]);
	return err ? err : free_sent(posted);
}

int fathom_mpi_posted_flush(struct fathom_mpi_posted *posted)
{
	return posted && posted->receiver_count ? send_all(posted) : 0;
}

/* Sends the buffer of a receiver that is in the list. */
static int send_listed(struct fathom_mpi_posted *posted, int to)
{
	int i = 0;

	while (posted->receivers[i] != to)
		i++;
	posted->receivers[i] = posted->receivers[--posted->receiver_count];
	return send_buffer(posted, to);
}

/* Makes room for bytes in the buffer of a receiver, which has none or a smaller one. NULL: no memory. */
static struct buffer *grow_buffer(struct buffer *buffer, int to, size_t bytes)
{
	size_t used = buffer ? buffer->used : 0, room = buffer ? 2 * buffer->room : FIRST_BYTES;

	while (room < used + bytes)
		room *= 2;
	if (room > MOST_BYTES)
		room = MOST_BYTES;
	buffer = realloc(buffer, sizeof(*buffer) + room);
	if (!buffer)
		return NULL;
	buffer->to = to;
	buffer->used = used;
	buffer->room = room;
	return buffer;
}

int fathom_mpi_posted_send(struct fathom_mpi_posted *posted, int to, const void *data, size_t bytes)
{
	size_t whole = HEAD_BYTES + ((bytes + 7) & ~(size_t)7);
	struct buffer *buffer = posted->of_rank[to];
	uint64_t head = bytes;
	int err = 0;

	if (bytes > FATHOM_COMM_MOST_POSTED)
		return -EMSGSIZE;
	if (buffer && buffer->used + whole > MOST_BYTES) {
		err = send_listed(posted, to);
		if (!err)
			err = free_sent(posted);
		buffer = NULL;
	} else if (!buffer && posted->receiver_count >= MOST_BUFFERS) {
		err = send_all(posted);
	}
	if (err)
		return err;
	if (!buffer || buffer->used + whole > buffer->room) {
		struct buffer *grown = grow_buffer(buffer, to, whole);

		if (!grown)
			return -ENOMEM;
		if (!buffer)
			posted->receivers[posted->receiver_count++] = to;
		buffer = posted->of_rank[to] = grown;
	}
	memcpy(buffer->data + buffer->used, &head, sizeof(head));
	memcpy(buffer->data + buffer->used + HEAD_BYTES, data, bytes);
	buffer->used += whole;
	return 0;
}

/* Receives the next messages of any sender, if there are any. False: there are none, or an error occurred. */
static bool receive_buffer(struct fathom_mpi_posted *posted, int *err)
{
	MPI_Status status;
	int is_there = 0, bytes = 0;

	*err = 0;
	if (PMPI_Iprobe(MPI_ANY_SOURCE, posted->tag, posted->mpi, &is_there, &status) != MPI_SUCCESS)
		*err = -EIO;
	if (*err || !is_there)
		return false;
	PMPI_Get_count(&status, MPI_BYTE, &bytes);
	if (bytes > MOST_BYTES || PMPI_Recv(posted->received, bytes, MPI_BYTE, status.MPI_SOURCE, posted->tag,
					    posted->mpi, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
		*err = -EIO;
		return false;
	}
	posted->sender = status.MPI_SOURCE;
	posted->received_bytes = (size_t)bytes;
	posted->taken_bytes = 0;
	return bytes > 0;
}

/* Takes the next message of those that have arrived. */
static void take_message(struct fathom_mpi_posted *posted, int *from, void *data, size_t *bytes)
{
	const char *message = posted->received + posted->taken_bytes;
	uint64_t head;

	memcpy(&head, message, sizeof(head));
	memcpy(data, message + HEAD_BYTES, head);
	posted->taken_bytes += HEAD_BYTES + ((head + 7) & ~(size_t)7);
	*bytes = head;
	*from = posted->sender;
}

int fathom_mpi_posted_poll(struct fathom_mpi_posted *posted, int *from, void *data, size_t *bytes, bool wait)
{
	struct timespec pause = { 0, 20000 };	/* on a busy machine, a good part of a time slice */
	int err = 0;

	*from = -1;
	for (int tries = 0; posted->taken_bytes == posted->received_bytes && !receive_buffer(posted, &err); tries++) {
		/* Other ranks may be waiting for the messages in the buffers. */
		if (!err)
			err = posted->receiver_count ? send_all(posted) : free_sent(posted);
		if (err || !wait)
			return err;
		if (tries < 10) {
			sched_yield();
			continue;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 1000000)
			pause.tv_nsec += pause.tv_nsec / 2;
	}
	take_message(posted, from, data, bytes);
	return 0;
}

void fathom_mpi_posted_destroy(struct fathom_mpi_posted *posted)
{
	if (!posted)
		return;
	if (posted->receivers && posted->of_rank)
		send_all(posted);
	while (posted->in_flight) {
		struct buffer *buffer = posted->in_flight;

		posted->in_flight = buffer->next;
		fathom_mpi_comm_wait(&buffer->request, false);
		free(buffer);
	}
	free(posted->received);
	free(posted->receivers);
	free(posted->of_rank);
	free(posted);
}
