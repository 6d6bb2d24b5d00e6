#include "run/omitted.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "comm/comm.h"
#include "define/region.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/log.h"

/* --- sets of numbers --------------------------------------------------------------------------------- */

enum { FIRST_SLOTS = 256 };

struct number_set {
	struct fathom_arena arena;
	uint64_t *slots;		/* hash table of the numbers; 0: a free slot. Outgrown tables stay */
	size_t size, count;		/* number of slots, a power of two; number of used slots, at most half */
	uint64_t sum;			/* of all numbers, to compare sets: equal sets have equal sums */
};

/* Returns false if the number was in the table already. */
static bool put_in_slot(uint64_t *slots, size_t size, uint64_t number)
{
	size_t i = number & (size - 1);

	while (slots[i] && slots[i] != number)
		i = (i + 1) & (size - 1);
	if (slots[i])
		return false;
	fathom_poke(&slots[i], number);
	return true;
}

static void add_number(struct number_set *set, uint64_t number)
{
	size_t size = set->size ? set->size * 2 : FIRST_SLOTS;
	uint64_t *slots;

	if (!set->size || (set->count + 1) * 2 > set->size) {
		slots = fathom_arena_alloc(&set->arena, size * sizeof(*slots));
		if (!slots)
			return;
		for (size_t i = 0; i < set->size; i++)
			if (set->slots[i])
				put_in_slot(slots, size, set->slots[i]);
		fathom_poke(&set->slots, slots);
		__atomic_store_n(&set->size, size, __ATOMIC_RELEASE);	/* pairs with add_concurrent */
	}
	if (!put_in_slot(set->slots, set->size, number))
		return;
	set->count++;
	set->sum += number;
}

/* Adds all numbers of from, to which another thread may be adding numbers. The lock is not taken, because a process
 * that crashed may have held it. */
static void add_concurrent(struct number_set *into, const struct number_set *from)
{
	size_t size = __atomic_load_n(&from->size, __ATOMIC_ACQUIRE);
	const uint64_t *slots = fathom_peek(&from->slots);

	for (size_t i = 0; i < size; i++) {
		uint64_t number = fathom_peek(&slots[i]);

		if (number)
			add_number(into, number);
	}
}

/* --- this process ------------------------------------------------------------------------------------ */

static struct {
	struct fathom_lock lock;	/* held while a number is added; no other lock is taken inside */
	struct number_set set;
} left_out;

void fathom_omitted_add(const struct fathom_region *region)
{
	uint64_t number = fathom_region_hash(region, FATHOM_REGION_ALL);

	fathom_lock_take(&left_out.lock);
	add_number(&left_out.set, number ? number : 1);
	fathom_lock_give(&left_out.lock);
}

/* --- all processes ----------------------------------------------------------------------------------- */

/* Processes with consecutive ranks that exclude the same regions. */
struct rank_range {
	uint64_t sum;			/* of the numbers of each process */
	uint32_t first, last;		/* ranks */
	uint32_t count;			/* number of regions that each process excludes */
	uint32_t pad;
};

enum { MOST_RANGES = 32, PIECE = 4096 };

/* The data about a part of the tree, whose ranks are consecutive. A process sends this structure to its parent,
 * followed by the numbers. */
struct part {
	struct rank_range ranges[MOST_RANGES];	/* sorted by rank */
	uint32_t range_count;
	uint32_t is_cut;		/* there were more ranges */
	uint64_t count;			/* number of numbers that follow */
};

static void add_range(struct part *part, const struct rank_range *range)
{
	struct rank_range *last = part->range_count ? &part->ranges[part->range_count - 1] : NULL;

	if (part->is_cut)
		return;
	if (last && last->sum == range->sum && last->count == range->count)
		last->last = range->last;
	else if (part->range_count == MOST_RANGES)
		part->is_cut = 1;
	else
		part->ranges[part->range_count++] = *range;
}

static int receive(struct fathom_comm *comm, int from, struct part *part, struct number_set *set)
{
	static struct part child_part;	/* static is safe: only one thread finishes the measurement */
	static uint64_t numbers[PIECE];
	int err = comm->receive(comm, from, &child_part, sizeof(child_part));

	for (uint32_t i = 0; !err && i < child_part.range_count; i++)
		add_range(part, &child_part.ranges[i]);
	part->is_cut |= !err && child_part.is_cut;
	while (!err && child_part.count) {
		size_t count = child_part.count < PIECE ? child_part.count : PIECE;

		err = comm->receive(comm, from, numbers, count * sizeof(*numbers));
		for (size_t i = 0; !err && i < count; i++)
			add_number(set, numbers[i]);
		child_part.count -= count;
	}
	return err;
}

static int send(struct fathom_comm *comm, int to, const struct part *part, const struct number_set *set)
{
	static uint64_t numbers[PIECE];
	size_t count = 0;
	int err = comm->send(comm, to, part, sizeof(*part));

	for (size_t i = 0; !err && i < set->size; i++) {
		if (set->slots[i])
			numbers[count++] = set->slots[i];
		if (count < PIECE)
			continue;
		err = comm->send(comm, to, numbers, count * sizeof(*numbers));
		count = 0;
	}
	if (!err && count)
		err = comm->send(comm, to, numbers, count * sizeof(*numbers));
	return err;
}

/* Writes the numbers by rank to text; an empty text if all processes exclude the same regions. */
static void describe(const struct part *part, char *text, size_t bytes)
{
	size_t length = 0;

	*text = '\0';
	for (uint32_t i = 0; part->range_count > 1 && i < part->range_count; i++) {
		const struct rank_range *range = &part->ranges[i];
		char words[64];
		int more = range->first == range->last ?
			   fathom_format(words, sizeof(words), "%s%u: %u", i ? ", " : "", range->first, range->count) :
			   fathom_format(words, sizeof(words), "%s%u-%u: %u", i ? ", " : "", range->first, range->last,
					 range->count);

		if (length + (size_t)more + sizeof(", ...") > bytes)
			break;
		memcpy(text + length, words, (size_t)more + 1);
		length += (size_t)more;
		if (i + 1 == part->range_count && !part->is_cut)
			return;
	}
	if (length)
		memcpy(text + length, ", ...", sizeof(", ..."));
}

int fathom_omitted_unite(struct fathom_comm *comm, struct fathom_omitted *omitted)
{
	static struct part part;	/* large for a stack, and only one thread finishes the measurement */
	struct number_set all_numbers = { .count = 0 };
	struct rank_range range = { .first = (uint32_t)comm->rank, .last = (uint32_t)comm->rank };
	int children[32], parent, err = 0, count = fathom_comm_tree(comm->rank, comm->size, &parent, children);

	add_concurrent(&all_numbers, &left_out.set);
	range.sum = all_numbers.sum;
	range.count = (uint32_t)all_numbers.count;
	memset(&part, 0, sizeof(part));
	add_range(&part, &range);
	for (int i = 0; !err && i < count; i++)		/* in the order of the children's ranks */
		err = receive(comm, children[i], &part, &all_numbers);
	part.count = all_numbers.count;
	if (!err && parent >= 0)
		err = send(comm, parent, &part, &all_numbers);
	omitted->count = (uint32_t)all_numbers.count;
	describe(&part, omitted->ranks, sizeof(omitted->ranks));
	fathom_arena_fini(&all_numbers.arena);
	return err;
}
