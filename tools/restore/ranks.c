#include "ranks.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/command.h"

enum {
	PACKET_BYTES = 32 << 10,
	WAIT_MS = 2,			/* pause before another attempt to send to a peer whose buffer is full */
	MOST_WAITS = 60 * 1000 / WAIT_MS,	/* attempts to send to a peer that has not started yet */
};

/* The head of a datagram; the bytes of the message follow. */
struct head {
	uint64_t circle;		/* number of the communicator */
	int32_t from;			/* rank in the world */
	uint32_t bytes;
};

struct packet {
	struct packet *next;		/* a packet that came later */
	struct head head;
	uint32_t taken;			/* bytes that have been received already */
	char bytes[];
};

/* The socket of this process, and the packets that came and were not received yet. */
static struct {
	pid_t parent;
	int socket, rank;
	struct packet *first, **last;
} post = { .last = &post.first };

/* A communicator: the list of its members. */
struct circle {
	struct fathom_comm comm;
	uint64_t number;		/* the same at all members, and different from that of any other communicator */
	uint64_t split_count;
	int *world;			/* rank in the world, by rank in the communicator */
};

static socklen_t address_of(struct sockaddr_un *address, int rank)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	/* A name that begins with a NUL does not name a file. */
	return (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1 +
	       (socklen_t)snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "fathom-restore-%d-%d",
				   (int)post.parent, rank);
}

/* --- datagrams ------------------------------------------------------------------------------------ */

/* Takes in a datagram if one comes within ms milliseconds. -1: waits for one. */
static int take_in(int ms)
{
	static char data[sizeof(struct head) + PACKET_BYTES];
	struct pollfd poll_for = { .fd = post.socket, .events = POLLIN };
	struct packet *packet;
	struct head head;
	ssize_t length;

	if (poll(&poll_for, 1, ms) <= 0)
		return 0;
	length = recv(post.socket, data, sizeof(data), MSG_DONTWAIT);
	if (length < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if ((size_t)length < sizeof(head))
		return -EPROTO;
	memcpy(&head, data, sizeof(head));
	if (head.bytes != (size_t)length - sizeof(head))
		return -EPROTO;
	packet = fathom_tool_alloc(1, sizeof(*packet) + head.bytes);
	packet->head = head;
	memcpy(packet->bytes, data + sizeof(head), head.bytes);
	*post.last = packet;
	post.last = &packet->next;
	return 0;
}

static int send_packet(int to, const struct head *head, const char *bytes)
{
	struct sockaddr_un address;
	socklen_t length = address_of(&address, to);
	struct iovec parts[] = {
		{ (void *)(uintptr_t)head, sizeof(*head) },
		{ (void *)(uintptr_t)bytes, head->bytes },
	};
	struct msghdr message = { .msg_name = &address, .msg_namelen = length, .msg_iov = parts, .msg_iovlen = 2 };

	for (int waits = 0;;) {
		int err;

		if (sendmsg(post.socket, &message, MSG_DONTWAIT) >= 0)
			return 0;
		if (errno == ECONNREFUSED && waits++ > MOST_WAITS)
			return -ECONNREFUSED;
		if (errno != EAGAIN && errno != ECONNREFUSED && errno != EINTR && errno != ENOBUFS)
			return -errno;
		err = take_in(WAIT_MS);
		if (err)
			return err;
	}
}

static int send_to(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	struct circle *circle = comm->context;
	const char *place = data;

	while (bytes) {
		struct head head = { .circle = circle->number, .from = post.rank,
				     .bytes = bytes < PACKET_BYTES ? (uint32_t)bytes : PACKET_BYTES };
		int err = send_packet(circle->world[to], &head, place);

		if (err)
			return err;
		place += head.bytes;
		bytes -= head.bytes;
	}
	return 0;
}

/* Returns the oldest packet from a rank. */
static struct packet **find_packet(const struct circle *circle, int from)
{
	struct packet **place = &post.first;

	while (*place && ((*place)->head.circle != circle->number || (*place)->head.from != circle->world[from]))
		place = &(*place)->next;
	return place;
}

static void drop_packet(struct packet **place)
{
	struct packet *packet = *place;

	*place = packet->next;
	if (!packet->next)
		post.last = place;
	free(packet);
}

static int receive_from(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	char *place = data;

	while (bytes) {
		struct packet **packet = find_packet(comm->context, from);
		size_t rest, part;

		if (!*packet) {
			int err = take_in(-1);

			if (err)
				return err;
			continue;
		}
		rest = (*packet)->head.bytes - (*packet)->taken;
		part = rest < bytes ? rest : bytes;
		memcpy(place, (*packet)->bytes + (*packet)->taken, part);
		(*packet)->taken += (uint32_t)part;
		if (part == rest)
			drop_packet(packet);
		place += part;
		bytes -= part;
	}
	return 0;
}

/* --- the rest of the table ------------------------------------------------------------------------ */

static int exchange(struct fathom_comm *comm, const struct fathom_comm_message *out,
		    const struct fathom_comm_message *in, int count)
{
	int err = 0;

	for (int i = 0; !err && i < count; i++)
		if (out[i].rank >= 0)
			err = send_to(comm, out[i].rank, out[i].data, out[i].bytes);
	for (int i = 0; !err && i < count; i++)
		if (in[i].rank >= 0)
			err = receive_from(comm, in[i].rank, in[i].data, in[i].bytes);
	return err;
}

static int broadcast(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	int parent, children[32], count = fathom_comm_tree(comm->rank, comm->size, &parent, children), err = 0;

	if (root && comm->rank == root)
		err = send_to(comm, 0, data, bytes);
	if (!err && root && comm->rank == 0)
		err = receive_from(comm, root, data, bytes);
	if (!err && parent >= 0)
		err = receive_from(comm, parent, data, bytes);
	for (int c = count; !err && c--;)
		err = send_to(comm, children[c], data, bytes);
	return err;
}

/* The data that a member sends when a communicator is split. */
struct member {
	int32_t color, key, rank;
};

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static struct fathom_comm *make_circle(uint64_t number, int rank, int size);
static void close_circle(struct fathom_comm *comm);

static int split(struct fathom_comm *comm, int color, int key, struct fathom_comm **part)
{
	struct circle *circle = comm->context, *made;
	struct member self = { color, key, comm->rank };
	struct member *all = fathom_tool_alloc((size_t)comm->size, sizeof(*all));
	int count = 0, rank = 0, err = 0;

	if (comm->rank)
		err = send_to(comm, 0, &self, sizeof(self));
	all[0] = self;
	for (int i = 1; !comm->rank && !err && i < comm->size; i++)
		err = receive_from(comm, i, &all[i], sizeof(*all));
	if (!err)
		err = broadcast(comm, 0, all, (size_t)comm->size * sizeof(*all));
	for (int i = 0; i < comm->size; i++)
		if (all[i].color == color)
			all[count++] = all[i];
	qsort(all, (size_t)count, sizeof(*all), by_key);
	for (int i = 0; i < count; i++)
		if (all[i].rank == comm->rank)
			rank = i;
	circle->split_count++;
	*part = make_circle((circle->number * 1000003 + circle->split_count) * 1000003 + (uint32_t)color, rank, count);
	made = (*part)->context;
	for (int i = 0; i < count; i++)
		made->world[i] = circle->world[all[i].rank];
	free(all);
	return err;
}

static void close_circle(struct fathom_comm *comm)
{
	struct circle *circle = comm->context;

	free(circle->world);
	free(circle);
}

static struct fathom_comm *make_circle(uint64_t number, int rank, int size)
{
	struct circle *circle = fathom_tool_alloc(1, sizeof(*circle));

	circle->number = number;
	circle->world = fathom_tool_alloc((size_t)size, sizeof(*circle->world));
	circle->comm = (struct fathom_comm){
		.rank = rank,
		.size = size,
		.send = send_to,
		.receive = receive_from,
		.exchange = exchange,
		.broadcast = broadcast,
		.split = split,
		.close = close_circle,
		.file_open = fathom_comm_plain_open,
		.file_write = fathom_comm_plain_write,
		.file_close = fathom_comm_plain_close,
		.context = circle,
	};
	return &circle->comm;
}

/* --- the processes -------------------------------------------------------------------------------- */

static void live(int rank, int count, int (*work)(struct fathom_comm *comm, void *data), void *data)
{
	struct sockaddr_un address;
	struct fathom_comm *comm;
	socklen_t length;
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != post.parent)
		_exit(FATHOM_TOOL_FAILURE);
	post.rank = rank;
	post.socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	length = address_of(&address, rank);
	if (post.socket < 0 || bind(post.socket, (const struct sockaddr *)&address, length)) {
		fathom_tool_error("rank %d: no socket: %s", rank, strerror(errno));
		_exit(FATHOM_TOOL_FAILURE);
	}
	comm = make_circle(1, rank, count);
	for (int i = 0; i < count; i++)
		((struct circle *)comm->context)->world[i] = i;
	err = work(comm, data);
	fflush(NULL);
	_exit(err ? FATHOM_TOOL_FAILURE : 0);
}

int ranks_run(int count, int (*work)(struct fathom_comm *comm, void *data), void *data)
{
	pid_t *processes = fathom_tool_alloc((size_t)count, sizeof(*processes)), ended;
	int started = 0, status, err = 0;

	post.parent = getpid();
	fflush(NULL);
	for (; started < count && !err; started++) {
		processes[started] = fork();
		if (processes[started] == 0)
			live(started, count, work, data);
		if (processes[started] < 0) {
			fathom_tool_error("no process for rank %d: %s", started, strerror(errno));
			err = -EAGAIN;
			break;
		}
	}
	for (int left = started; left;) {
		/* If one process has failed, the others would wait for it for ever. */
		for (int i = 0; err && i < started; i++)
			if (processes[i] > 0)
				kill(processes[i], SIGKILL);
		ended = wait(&status);
		if (ended < 0 && errno == EINTR)
			continue;
		if (ended < 0)
			break;
		left--;
		for (int i = 0; i < started; i++)
			if (processes[i] == ended)
				processes[i] = -1;
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			err = -EINVAL;
	}
	free(processes);
	return err;
}
