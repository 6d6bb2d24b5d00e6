#include "profile/result/call_path_numbers.h"

#include <stdlib.h>

#include "comm/chunked_transfer.h"

struct numbered {
	struct fathom_digest path;
	uint32_t number;	/* before the numbers are known: the node */
	uint32_t pad;
};

/* The head of the message. */
struct announcement {
	uint32_t count;		/* number of entries that follow; 0: there are none */
	uint32_t is_uniform;
};

static int by_path(const void *left, const void *right)
{
	return fathom_digest_compare(((const struct numbered *)left)->path, ((const struct numbered *)right)->path);
}

/* Returns a list of the nodes, sorted by their digests. NULL: no memory. */
static struct numbered *sorted(struct fathom_arena *arena, const struct fathom_digests *digests, uint32_t count)
{
	struct numbered *list = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*list));

	for (uint32_t i = 0; list && i < count; i++)
		list[i] = (struct numbered){ .path = digests->paths[i], .number = i };
	if (list)
		qsort(list, count, sizeof(*list), by_path);
	return list;
}

int fathom_union_note_paths(struct fathom_union *u, struct fathom_comm *comm, struct fathom_digests *digests)
{
	if (comm->size == 1)
		return 0;
	return fathom_digests_make(digests, &u->arena, u, u->tree.count, false);
}

static int send_numbers(const struct fathom_union *u, struct fathom_comm *comm, const struct fathom_digests *digests,
			uint32_t count, const uint32_t *numbers)
{
	struct fathom_arena arena = { 0 };
	struct announcement what = { .is_uniform = u->is_uniform };
	struct numbered *list = numbers ? sorted(&arena, digests, count) : NULL;
	uint32_t *plain = list ? fathom_arena_alloc(&arena, ((size_t)count + 1) * sizeof(*plain)) : NULL;
	int err;

	/* Without memory no rank gets numbers; then no rank sends values. */
	what.count = plain ? count : 0;
	for (uint32_t i = 0; i < what.count; i++)
		plain[i] = list[i].number = numbers[list[i].number];
	err = comm->broadcast(comm, 0, &what, sizeof(what));
	if (!err && what.is_uniform)
		err = fathom_chunked_broadcast(comm, plain, (uint64_t)what.count * sizeof(*plain));
	else if (!err)
		err = fathom_chunked_broadcast(comm, list, (uint64_t)what.count * sizeof(*list));
	fathom_arena_fini(&arena);
	return err;
}

/* Finds the numbers of this rank's call paths among those of all ranks. False: one is missing. */
static bool find_numbers(const struct numbered *own, uint32_t own_count, const struct numbered *all, uint32_t count,
			 uint32_t *numbers)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < own_count; i++) {
		while (at < count && by_path(&all[at], &own[i]) < 0)
			at++;
		if (at == count || by_path(&all[at], &own[i]))
			return false;
		numbers[own[i].number] = all[at].number;
	}
	return true;
}

static int receive_numbers(const struct fathom_union *u, struct fathom_comm *comm, uint32_t *numbers, bool *has_numbers)
{
	struct fathom_arena arena = { 0 };
	struct fathom_digests digests;
	struct numbered *own = NULL;
	struct announcement what;
	uint64_t bytes;
	void *all = NULL;
	int err = comm->broadcast(comm, 0, &what, sizeof(what));

	*has_numbers = false;
	if (err || !what.count)
		return err;
	bytes = what.count * (what.is_uniform ? sizeof(uint32_t) : sizeof(struct numbered));
	if (numbers && !fathom_digests_make(&digests, &arena, u, u->own_count, false))
		own = sorted(&arena, &digests, u->own_count);
	if (own)
		all = fathom_arena_alloc(&arena, bytes);
	err = fathom_chunked_broadcast(comm, all, bytes);
	if (!err && all && !what.is_uniform) {
		*has_numbers = find_numbers(own, u->own_count, all, what.count, numbers);
	} else if (!err && all) {
		for (uint32_t i = 0; i < u->own_count; i++)
			numbers[own[i].number] = ((uint32_t *)all)[i];
		*has_numbers = true;
	}
	fathom_arena_fini(&arena);
	return err;
}

int fathom_union_hand_back(struct fathom_union *u, struct fathom_comm *comm, void *header, size_t header_bytes,
			   const struct fathom_digests *digests, uint32_t count, uint32_t *numbers, bool *has_numbers)
{
	int err = comm->broadcast(comm, 0, header, header_bytes);

	*has_numbers = numbers;
	if (err || comm->size == 1)
		return err;
	return comm->rank == 0 ? send_numbers(u, comm, digests, count, numbers) :
				 receive_numbers(u, comm, numbers, has_numbers);
}
