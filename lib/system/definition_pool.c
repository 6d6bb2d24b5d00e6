#include "system/definition_pool.h"

#include <errno.h>
#include <string.h>

static uint64_t hash(const void *data, uint32_t bytes)
{
	const unsigned char *at = data;
	uint64_t sum = 0xcbf29ce484222325u;

	for (uint32_t i = 0; i < bytes; i++)
		sum = (sum ^ at[i]) * 0x100000001b3u;
	return sum * 0x9e3779b97f4a7c15u;
}

static uint32_t *slot_of(const struct fathom_pool *pool, const void *data, uint32_t bytes)
{
	uint32_t *slot = fathom_number_table_first(&pool->table, hash(data, bytes));

	while (*slot && (pool->things[*slot - 1].bytes != bytes || memcmp(pool->things[*slot - 1].data, data, bytes)))
		slot = fathom_number_table_next(&pool->table, slot);
	return slot;
}

/* Makes room for twice as many definitions. 0 or -ENOMEM. */
static int grow(struct fathom_pool *pool)
{
	uint32_t room = pool->room ? pool->room * 2 : 64;
	struct fathom_pool_thing *things = fathom_arena_alloc(&pool->arena, room * sizeof(*things));
	int result = fathom_number_table_reserve(&pool->table, &pool->arena, room);

	for (uint32_t i = 0; result > 0 && i < pool->count; i++)
		fathom_number_table_put(&pool->table, hash(pool->things[i].data, pool->things[i].bytes), i);
	if (!things || result < 0)
		return -ENOMEM;
	if (pool->count)
		memcpy(things, pool->things, pool->count * sizeof(*things));
	__atomic_store_n(&pool->things, things, __ATOMIC_RELEASE);
	pool->room = room;
	return 0;
}

int64_t fathom_pool_add(struct fathom_pool *pool, const void *data, uint32_t bytes)
{
	uint32_t *slot;
	void *copy;

	if (pool->count == pool->room && grow(pool))
		return -ENOMEM;
	slot = slot_of(pool, data, bytes);
	if (*slot)
		return *slot - 1;
	copy = fathom_arena_alloc(&pool->arena, bytes + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, data, bytes);
	pool->things[pool->count] = (struct fathom_pool_thing){ copy, bytes };
	*slot = pool->count + 1;
	/* Pairs with the acquires in the functions of lib/trace that copy for run snapshots. */
	__atomic_store_n(&pool->count, *slot, __ATOMIC_RELEASE);
	return *slot - 1;
}

int64_t fathom_pool_find(const struct fathom_pool *pool, const void *data, uint32_t bytes)
{
	return pool->count ? (int64_t)*slot_of(pool, data, bytes) - 1 : -1;
}

/* --- the tree ------------------------------------------------------------------------------------ */

/* The head of a message; the number of bytes and the bytes of each definition follow. */
struct message {
	int64_t err;		/* not 0: no data follow */
	uint64_t bytes;
	uint32_t count;
	uint32_t pad;
};

/* A message is sent in pieces, so that a receiver without memory can receive and drop it. */
enum { PIECE_BYTES = 64 << 10 };

static uint64_t piece(uint64_t bytes)
{
	return bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
}

static int send_up(struct fathom_pool *pool, struct fathom_comm *comm)
{
	struct message message = { .err = pool->err, .count = pool->count };
	char *data = NULL, *at;
	int err;

	for (uint32_t i = 0; i < pool->count; i++)
		message.bytes += sizeof(uint32_t) + pool->things[i].bytes;
	if (!message.err) {
		data = fathom_arena_alloc(&pool->arena, message.bytes + 1);
		if (!data)
			message.err = pool->err = -ENOMEM;
	}
	at = data;
	for (uint32_t i = 0; data && i < pool->count; i++) {
		memcpy(at, &pool->things[i].bytes, sizeof(uint32_t));
		memcpy(at + sizeof(uint32_t), pool->things[i].data, pool->things[i].bytes);
		at += sizeof(uint32_t) + pool->things[i].bytes;
	}
	err = comm->send(comm, pool->parent, &message, sizeof(message));
	for (uint64_t done = 0; !err && data && done < message.bytes; done += PIECE_BYTES)
		err = comm->send(comm, pool->parent, data + done, piece(message.bytes - done));
	return err;
}

static int merge(struct fathom_pool *pool, struct fathom_pool_child *child, const char *data, uint32_t count)
{
	child->ours = fathom_arena_alloc(&pool->arena, ((size_t)count + 1) * sizeof(*child->ours));
	if (!child->ours)
		return -ENOMEM;
	child->count = count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t bytes;
		int64_t number;

		memcpy(&bytes, data, sizeof(bytes));
		number = fathom_pool_add(pool, data + sizeof(bytes), bytes);
		if (number < 0)
			return -ENOMEM;
		child->ours[i] = (uint32_t)number;
		data += sizeof(bytes) + bytes;
	}
	return 0;
}

/* Receives the data of a child. Without memory, receives and drops them, so that the child does not wait for ever. */
static int receive(struct fathom_pool *pool, struct fathom_comm *comm, struct fathom_pool_child *child)
{
	static char dropped[PIECE_BYTES];	/* never read; too large for a machine stack */
	struct fathom_arena arena = { 0 };
	struct message message;
	char *data;
	int err = comm->receive(comm, child->rank, &message, sizeof(message));

	if (err || message.err) {
		pool->err = err ? pool->err : -ENOMEM;
		return err;
	}
	data = fathom_arena_alloc(&arena, message.bytes + 1);
	for (uint64_t done = 0; !err && done < message.bytes; done += PIECE_BYTES)
		err = comm->receive(comm, child->rank, data ? data + done : dropped, piece(message.bytes - done));
	if (!err && (!data || merge(pool, child, data, message.count)))
		pool->err = -ENOMEM;
	fathom_arena_fini(&arena);
	return err;
}

int fathom_pool_reduce(struct fathom_pool *pool, struct fathom_comm *comm)
{
	int ranks[32], err = 0;

	pool->own = pool->count;
	pool->child_count = fathom_comm_tree(comm->rank, comm->size, &pool->parent, ranks);
	for (int c = 0; !err && c < pool->child_count; c++) {
		pool->children[c].rank = ranks[c];
		err = receive(pool, comm, &pool->children[c]);
	}
	if (!err && pool->parent >= 0)
		err = send_up(pool, comm);
	return err;
}

/* Receives the numbers of all definitions of this rank from its parent; a count of 0: there are none. */
static int receive_numbers(struct fathom_pool *pool, struct fathom_comm *comm, uint32_t *numbers, uint32_t *count)
{
	int err = comm->receive(comm, pool->parent, count, sizeof(*count));

	if (err || !*count)
		return err;
	return comm->receive(comm, pool->parent, numbers, *count * sizeof(*numbers));
}

static int send_numbers(struct fathom_comm *comm, struct fathom_pool_child *child, const uint32_t *numbers)
{
	uint32_t count = numbers && child->ours ? child->count : 0;
	int err;

	for (uint32_t i = 0; i < count; i++)
		child->ours[i] = numbers[child->ours[i]];
	err = comm->send(comm, child->rank, &count, sizeof(count));
	if (!err && count)
		err = comm->send(comm, child->rank, child->ours, count * sizeof(*child->ours));
	return err;
}

int fathom_pool_hand_back(struct fathom_pool *pool, struct fathom_comm *comm, const uint32_t *names, uint32_t *numbers)
{
	uint32_t *all = fathom_arena_alloc(&pool->arena, ((size_t)pool->count + 1) * sizeof(*all));
	uint32_t count = pool->count;
	int err = 0;

	if (!all)
		return -ENOMEM;
	for (uint32_t i = 0; i < pool->count; i++)
		all[i] = names ? names[i] : i;
	if (pool->parent >= 0)
		err = receive_numbers(pool, comm, all, &count);
	for (int c = 0; !err && c < pool->child_count; c++)
		err = send_numbers(comm, &pool->children[c], count || !pool->count ? all : NULL);
	if (err)
		return err;
	if (!count && pool->count)
		return -ENOMEM;
	memcpy(numbers, all, pool->own * sizeof(*all));
	return 0;
}

void fathom_pool_fini(struct fathom_pool *pool)
{
	fathom_arena_fini(&pool->arena);
}
