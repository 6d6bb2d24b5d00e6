#include "simulated_comm.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int simulated_mismatches;

struct group;

/* A message that was posted. */
struct letter {
	struct letter *next;
	int from;
	size_t bytes;
	char data[];
};

struct member {
	struct fathom_comm comm;
	struct letter *first, *last;	/* posted to it, not yet taken */
	struct group *group;
	int color, key;			/* of the split that is under way */
	struct fathom_comm *part;	/* what it got from it */
};

/* One message of each ordered pair can be under way: its sender waits. */
struct slot {
	const void *data;		/* NULL: none */
	size_t bytes;
};

struct group {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int size;
	struct slot *slots;		/* [from][to] */
	struct member *members;
	int arrived;			/* at the split */
	unsigned splits;		/* that are over */
	int open;			/* members that have not closed */
};

static struct group *create_group(int size);

static void destroy_group(struct group *group)
{
	pthread_mutex_destroy(&group->mutex);
	pthread_cond_destroy(&group->changed);
	for (int i = 0; i < group->size; i++) {
		while (group->members[i].first) {
			struct letter *letter = group->members[i].first;

			group->members[i].first = letter->next;
			free(letter);
			__atomic_store_n(&simulated_mismatches, 1, __ATOMIC_RELAXED);
		}
	}
	free(group->slots);
	free(group->members);
	free(group);
}

static struct group *group_of(struct fathom_comm *comm)
{
	return ((struct member *)comm->context)->group;
}

static int send_to(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	struct group *group = group_of(comm);
	struct slot *slot;

	if (to < 0 || to >= group->size || to == comm->rank) {
		__atomic_store_n(&simulated_mismatches, 1, __ATOMIC_RELAXED);
		return -EINVAL;
	}
	slot = &group->slots[comm->rank * group->size + to];
	pthread_mutex_lock(&group->mutex);
	slot->data = data ? data : "";
	slot->bytes = bytes;
	pthread_cond_broadcast(&group->changed);
	while (slot->data)
		pthread_cond_wait(&group->changed, &group->mutex);
	pthread_mutex_unlock(&group->mutex);
	return 0;
}

static int receive_from(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	struct group *group = group_of(comm);
	struct slot *slot;
	int err = 0;

	if (from < 0 || from >= group->size || from == comm->rank) {
		__atomic_store_n(&simulated_mismatches, 1, __ATOMIC_RELAXED);
		return -EINVAL;
	}
	slot = &group->slots[from * group->size + comm->rank];
	pthread_mutex_lock(&group->mutex);
	while (!slot->data)
		pthread_cond_wait(&group->changed, &group->mutex);
	if (slot->bytes != bytes) {
		__atomic_store_n(&simulated_mismatches, 1, __ATOMIC_RELAXED);
		err = -EMSGSIZE;
	} else if (bytes) {
		memcpy(data, slot->data, bytes);
	}
	slot->data = NULL;
	pthread_cond_broadcast(&group->changed);
	pthread_mutex_unlock(&group->mutex);
	return err;
}

/* What it sends lies there while it waits for what it receives. */
static int exchange_with(struct fathom_comm *comm, const struct fathom_comm_message *out, const struct fathom_comm_message *in,
			 int count)
{
	struct group *group = group_of(comm);
	int err = 0;

	pthread_mutex_lock(&group->mutex);
	for (int i = 0; i < count; i++)
		if (out[i].rank >= 0)
			group->slots[comm->rank * group->size + out[i].rank] =
				(struct slot){ out[i].data, out[i].bytes };
	pthread_cond_broadcast(&group->changed);
	pthread_mutex_unlock(&group->mutex);
	for (int i = 0; i < count && !err; i++)
		if (in[i].rank >= 0)
			err = receive_from(comm, in[i].rank, in[i].data, in[i].bytes);
	pthread_mutex_lock(&group->mutex);
	for (int i = 0; i < count && !err; i++)
		while (out[i].rank >= 0 && group->slots[comm->rank * group->size + out[i].rank].data)
			pthread_cond_wait(&group->changed, &group->mutex);
	pthread_mutex_unlock(&group->mutex);
	return err;
}

static int broadcast_from(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	int err = 0;

	if (comm->rank != root)
		return receive_from(comm, root, data, bytes);
	for (int to = 0; !err && to < comm->size; to++)
		if (to != root)
			err = send_to(comm, to, data, bytes);
	return err;
}

static int post_to(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	struct group *group = group_of(comm);
	struct letter *letter = malloc(sizeof(*letter) + bytes);
	struct member *receiver;

	if (to < 0 || to >= group->size || to == comm->rank || bytes > FATHOM_COMM_MOST_POSTED) {
		__atomic_store_n(&simulated_mismatches, 1, __ATOMIC_RELAXED);
		free(letter);
		return -EINVAL;
	}
	*letter = (struct letter){ NULL, comm->rank, bytes };
	memcpy(letter->data, data, bytes);
	receiver = &group->members[to];
	pthread_mutex_lock(&group->mutex);
	if (receiver->first)
		receiver->last->next = letter;
	else
		receiver->first = letter;
	receiver->last = letter;
	pthread_cond_broadcast(&group->changed);
	pthread_mutex_unlock(&group->mutex);
	return 0;
}

static int poll_any(struct fathom_comm *comm, int *from, void *data, size_t *bytes, bool wait)
{
	struct group *group = group_of(comm);
	struct member *receiver = comm->context;
	struct letter *letter;

	*from = -1;
	pthread_mutex_lock(&group->mutex);
	while (wait && !receiver->first)
		pthread_cond_wait(&group->changed, &group->mutex);
	letter = receiver->first;
	if (letter)
		receiver->first = letter->next;
	pthread_mutex_unlock(&group->mutex);
	if (!letter)
		return 0;
	*from = letter->from;
	*bytes = letter->bytes;
	memcpy(data, letter->data, letter->bytes);
	free(letter);
	return 0;
}

/* The last to arrive makes the parts of all. */
static void make_parts(struct group *group)
{
	for (int i = 0; i < group->size; i++)
		group->members[i].part = NULL;
	for (int first = 0; first < group->size; first++) {
		int color = group->members[first].color, size = 0, place = 0;
		struct group *part;

		if (group->members[first].part)
			continue;
		for (int i = 0; i < group->size; i++)
			size += group->members[i].color == color;
		part = create_group(size);
		while (place < size) {
			struct member *next = NULL;

			for (int i = 0; i < group->size; i++) {
				struct member *member = &group->members[i];

				if (member->color == color && !member->part && (!next || member->key < next->key))
					next = member;
			}
			next->part = &part->members[place++].comm;
		}
	}
}

static int split(struct fathom_comm *comm, int color, int key, struct fathom_comm **part)
{
	struct group *group = group_of(comm);
	struct member *self = comm->context;
	unsigned before;

	pthread_mutex_lock(&group->mutex);
	self->color = color;
	self->key = key;
	before = group->splits;
	if (++group->arrived == group->size) {
		make_parts(group);
		group->arrived = 0;
		group->splits++;
		pthread_cond_broadcast(&group->changed);
	}
	while (group->splits == before)
		pthread_cond_wait(&group->changed, &group->mutex);
	*part = self->part;
	pthread_mutex_unlock(&group->mutex);
	return 0;
}

static void close_part(struct fathom_comm *comm)
{
	struct group *group = group_of(comm);
	int left;

	pthread_mutex_lock(&group->mutex);
	left = --group->open;
	pthread_mutex_unlock(&group->mutex);
	if (left == 0)
		destroy_group(group);
}

static struct group *create_group(int size)
{
	struct group *group = calloc(1, sizeof(*group));

	pthread_mutex_init(&group->mutex, NULL);
	pthread_cond_init(&group->changed, NULL);
	group->size = size;
	group->open = size;
	group->slots = calloc((size_t)size * (size_t)size, sizeof(*group->slots));
	group->members = calloc((size_t)size, sizeof(*group->members));
	for (int rank = 0; rank < size; rank++) {
		group->members[rank].group = group;
		group->members[rank].comm = (struct fathom_comm){
			.rank = rank,
			.size = size,
			.send = send_to,
			.receive = receive_from,
			.exchange = exchange_with,
			.broadcast = broadcast_from,
			.post = post_to,
			.poll = poll_any,
			.split = split,
			.close = close_part,
			.file_open = fathom_comm_plain_open,
			.file_write = fathom_comm_plain_write,
			.file_close = fathom_comm_plain_close,
			.context = &group->members[rank],
		};
	}
	return group;
}

struct start {
	simulated_rank *function;
	struct fathom_comm *comm;
	void *argument;
	int result;
};

static void *run_rank(void *data)
{
	struct start *start = data;

	start->result = start->function(start->comm, start->argument);
	return NULL;
}

void simulated_run(int size, simulated_rank *function, void *const arguments[], int results[])
{
	struct group *world = create_group(size);
	struct start *starts = calloc((size_t)size, sizeof(*starts));
	pthread_t *threads = calloc((size_t)size, sizeof(*threads));

	for (int rank = 0; rank < size; rank++) {
		starts[rank] = (struct start){ function, &world->members[rank].comm, arguments[rank], 0 };
		if (pthread_create(&threads[rank], NULL, run_rank, &starts[rank]))
			abort();
	}
	for (int rank = 0; rank < size; rank++) {
		pthread_join(threads[rank], NULL);
		results[rank] = starts[rank].result;
	}
	free(threads);
	free(starts);
	destroy_group(world);
}
