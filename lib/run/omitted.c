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

enum { FIRST_PLACES = 256 };

struct set {
	struct fathom_arena arena;
	uint64_t *places;		/* by the number itself, which is a hash; 0: free. What is outgrown stays */
	size_t size, count;		/* size: of places, a power of two; at most half are used */
	uint64_t sum;			/* of all numbers: equal sets have equal ones */
};

static bool put(uint64_t *places, size_t size, uint64_t number)
{
	size_t i = number & (size - 1);

	while (places[i] && places[i] != number)
		i = (i + 1) & (size - 1);
	if (places[i])
		return false;
	fathom_poke(&places[i], number);
	return true;
}

static void add(struct set *set, uint64_t number)
{
	size_t size = set->size ? set->size * 2 : FIRST_PLACES;
	uint64_t *places;

	if (!set->size || (set->count + 1) * 2 > set->size) {
		places = fathom_arena_alloc(&set->arena, size * sizeof(*places));
		if (!places)
			return;
		for (size_t i = 0; i < set->size; i++)
			if (set->places[i])
				put(places, size, set->places[i]);
		fathom_poke(&set->places, places);
		__atomic_store_n(&set->size, size, __ATOMIC_RELEASE);	/* pairs with take_all */
	}
	if (!put(set->places, set->size, number))
		return;
	set->count++;
	set->sum += number;
}

/* All numbers of a set that somebody may be adding to. A process that crashed may have done so inside its lock. */
static void take_all(struct set *into, const struct set *from)
{
	size_t size = __atomic_load_n(&from->size, __ATOMIC_ACQUIRE);
	const uint64_t *places = fathom_peek(&from->places);

	for (size_t i = 0; i < size; i++) {
		uint64_t number = fathom_peek(&places[i]);

		if (number)
			add(into, number);
	}
}

/* --- this process ------------------------------------------------------------------------------------ */

static struct {
	struct fathom_lock lock;	/* held while a number is added; holds nothing */
	struct set set;
} left_out;

void fathom_omitted_add(const struct fathom_region *region)
{
	uint64_t number = fathom_region_hash(region, FATHOM_REGION_ALL);

	fathom_lock_take(&left_out.lock);
	add(&left_out.set, number ? number : 1);
	fathom_lock_give(&left_out.lock);
}

/* --- all processes ----------------------------------------------------------------------------------- */

/* Processes with neighbouring ranks that leave out the same. */
struct run {
	uint64_t sum;
	uint32_t first, last;
	uint32_t count;
	uint32_t pad;
};

enum { MOST_RUNS = 32, PIECE = 4096 };

/* What is known of a part of the tree: all ranks from one to another. What goes to the parent begins like this, and the
 * numbers follow. */
struct part {
	struct run runs[MOST_RUNS];	/* by ranks */
	uint32_t run_count;
	uint32_t is_cut;		/* there were more */
	uint64_t count;			/* of numbers */
};

static void add_run(struct part *part, const struct run *run)
{
	struct run *last = part->run_count ? &part->runs[part->run_count - 1] : NULL;

	if (part->is_cut)
		return;
	if (last && last->sum == run->sum && last->count == run->count)
		last->last = run->last;
	else if (part->run_count == MOST_RUNS)
		part->is_cut = 1;
	else
		part->runs[part->run_count++] = *run;
}

static int receive(struct fathom_comm *comm, int from, struct part *part, struct set *set)
{
	static struct part theirs;	/* one thread finishes */
	static uint64_t numbers[PIECE];
	int err = comm->receive(comm, from, &theirs, sizeof(theirs));

	for (uint32_t i = 0; !err && i < theirs.run_count; i++)
		add_run(part, &theirs.runs[i]);
	part->is_cut |= !err && theirs.is_cut;
	while (!err && theirs.count) {
		size_t count = theirs.count < PIECE ? theirs.count : PIECE;

		err = comm->receive(comm, from, numbers, count * sizeof(*numbers));
		for (size_t i = 0; !err && i < count; i++)
			add(set, numbers[i]);
		theirs.count -= count;
	}
	return err;
}

static int send(struct fathom_comm *comm, int to, const struct part *part, const struct set *set)
{
	static uint64_t numbers[PIECE];
	size_t count = 0;
	int err = comm->send(comm, to, part, sizeof(*part));

	for (size_t i = 0; !err && i < set->size; i++) {
		if (set->places[i])
			numbers[count++] = set->places[i];
		if (count < PIECE)
			continue;
		err = comm->send(comm, to, numbers, count * sizeof(*numbers));
		count = 0;
	}
	if (!err && count)
		err = comm->send(comm, to, numbers, count * sizeof(*numbers));
	return err;
}

/* Where all are alike there is nothing to tell. */
static void describe(const struct part *part, char *text, size_t bytes)
{
	size_t length = 0;

	*text = '\0';
	for (uint32_t i = 0; part->run_count > 1 && i < part->run_count; i++) {
		const struct run *run = &part->runs[i];
		char words[64];
		int more = run->first == run->last ?
			   fathom_format(words, sizeof(words), "%s%u: %u", i ? ", " : "", run->first, run->count) :
			   fathom_format(words, sizeof(words), "%s%u-%u: %u", i ? ", " : "", run->first, run->last,
					 run->count);

		if (length + (size_t)more + sizeof(", ...") > bytes)
			break;
		memcpy(text + length, words, (size_t)more + 1);
		length += (size_t)more;
		if (i + 1 == part->run_count && !part->is_cut)
			return;
	}
	if (length)
		memcpy(text + length, ", ...", sizeof(", ..."));
}

int fathom_omitted_unite(struct fathom_comm *comm, struct fathom_omitted *omitted)
{
	static struct part part;	/* one thread finishes; large for a stack */
	struct set all = { .count = 0 };
	struct run run = { .first = (uint32_t)comm->rank, .last = (uint32_t)comm->rank };
	int children[32], parent, err = 0, count = fathom_comm_tree(comm->rank, comm->size, &parent, children);

	take_all(&all, &left_out.set);
	run.sum = all.sum;
	run.count = (uint32_t)all.count;
	memset(&part, 0, sizeof(part));
	add_run(&part, &run);
	for (int i = 0; !err && i < count; i++)		/* in the order of their ranks */
		err = receive(comm, children[i], &part, &all);
	part.count = all.count;
	if (!err && parent >= 0)
		err = send(comm, parent, &part, &all);
	omitted->count = (uint32_t)all.count;
	describe(&part, omitted->ranks, sizeof(omitted->ranks));
	fathom_arena_fini(&all.arena);
	return err;
}
