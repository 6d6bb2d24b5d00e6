#include "profile/recording/partners.h"

#include <errno.h>
#include <string.h>

#include "event/location.h"
#include "platform/lock.h"

enum { FIRST_ENTRIES = 16 };

uint32_t fathom_partners_most;

void fathom_traffic_add(struct fathom_traffic *sum, const struct fathom_traffic *what)
{
	for (int d = 0; d < FATHOM_DIRECTIONS; d++) {
		sum->messages[d] += what->messages[d];
		sum->bytes[d] += what->bytes[d];
	}
}

static void add_waiting(double sum[FATHOM_DIRECTIONS], const double what[FATHOM_DIRECTIONS])
{
	for (int d = 0; d < FATHOM_DIRECTIONS; d++)
		sum[d] += what[d];
}

/* Returns the entry of the rank, or the unused entry where it belongs. */
static struct fathom_partner *place_of(struct fathom_partners *partners, uint32_t rank)
{
	uint32_t at = rank & partners->mask;

	while (partners->table[at].rank != rank && partners->table[at].rank != FATHOM_PARTNER_NONE)
		at = (at + 1) & partners->mask;
	return &partners->table[at];
}

/* Returns an empty table: the spare one of old, if there is one. NULL: no memory. */
static struct fathom_partners *empty_table(struct fathom_partners *old, struct fathom_arena *arena, uint32_t entries)
{
	struct fathom_partners *made = old ? old->spare : NULL;
	size_t bytes = sizeof(*made) + entries * sizeof(*made->table);

	if (!made || made->mask != entries - 1)
		made = fathom_arena_alloc(arena, bytes);
	if (!made)
		return NULL;
	memset(made, 0, bytes);
	made->mask = entries - 1;
	for (uint32_t i = 0; i < entries; i++)
		made->table[i].rank = FATHOM_PARTNER_NONE;
	if (old) {
		made->floor = old->floor;
		made->others = old->others;
		add_waiting(made->others_waited, old->others_waited);
		made->unknown = old->unknown;
	}
	return made;
}

static void put(struct fathom_partners *partners, const struct fathom_partner *partner)
{
	*place_of(partners, partner->rank) = *partner;
	partners->count++;
}

/* Makes the new table the one that is used. The old one is spare if it has the same size. */
static void replace(struct fathom_partners **partners, struct fathom_partners *made)
{
	struct fathom_partners *old = *partners;

	made->spare = old && old->mask == made->mask ? old : NULL;
	/* A signal handler that leaves by a jump, and a reader of a run snapshot, find one table or the other. */
	__atomic_store_n(partners, made, __ATOMIC_RELEASE);
}

static bool grow(struct fathom_partners **partners, struct fathom_arena *arena)
{
	struct fathom_partners *old = *partners;
	struct fathom_partners *made = empty_table(old, arena, old ? 2 * (old->mask + 1) : FIRST_ENTRIES);

	if (!made)
		return false;
	for (uint32_t i = 0; old && i <= old->mask; i++)
		if (old->table[i].rank != FATHOM_PARTNER_NONE)
			put(made, &old->table[i]);
	replace(partners, made);
	return true;
}

static uint32_t count_from(const struct fathom_partners *partners, uint64_t least_weight)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i <= partners->mask; i++)
		count += partners->table[i].rank != FATHOM_PARTNER_NONE &&
			 fathom_partner_weight(&partners->table[i]) >= least_weight;
	return count;
}

/* Returns the smallest weight that at most keep partners reach. */
static uint64_t least_kept_weight(const struct fathom_partners *partners, uint32_t keep)
{
	uint64_t below = 0;		/* more than keep partners reach this weight */

	for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1)
		if (count_from(partners, below | bit) > keep)
			below |= bit;
	return below + 1;
}

bool fathom_partners_thin(struct fathom_partners **partners, struct fathom_arena *arena, uint32_t keep)
{
	struct fathom_partners *old = *partners, *made;
	uint64_t least;

	if (old->count <= keep)
		return true;
	made = empty_table(old, arena, old->mask + 1);
	if (!made)
		return false;
	least = least_kept_weight(old, keep);
	for (uint32_t i = 0; i <= old->mask; i++) {
		const struct fathom_partner *partner = &old->table[i];

		if (partner->rank == FATHOM_PARTNER_NONE)
			continue;
		if (fathom_partner_weight(partner) >= least) {
			put(made, partner);
			continue;
		}
		fathom_traffic_add(&made->others, &partner->traffic);
		add_waiting(made->others_waited, partner->waited);
	}
	/* No partner that has left, now or earlier, has more than this among the others. */
	made->floor = least - 1 > old->floor ? least - 1 : old->floor;
	replace(partners, made);
	return true;
}

struct fathom_partner *fathom_partners_make(struct fathom_partners **partners, struct fathom_arena *arena,
					    uint32_t rank, uint32_t most)
{
	struct fathom_partner *partner = *partners ? place_of(*partners, rank) : NULL;

	if (partner && partner->rank == rank)
		return partner;
	if (*partners && (*partners)->count >= most && !fathom_partners_thin(partners, arena, most / 2))
		return NULL;
	if ((!*partners || 2 * ((*partners)->count + 1) > (*partners)->mask + 1) && !grow(partners, arena))
		return NULL;
	partner = place_of(*partners, rank);
	partner->missed = (*partners)->floor;
	__atomic_store_n(&partner->rank, rank, __ATOMIC_RELEASE);
	(*partners)->count++;
	return partner;
}

bool fathom_partners_merge(struct fathom_partners **sum, struct fathom_arena *arena,
			   const struct fathom_partners *location)
{

	if (!*sum && !grow(sum, arena))
		return false;
	/* A partner that a table does not have may have as much among the others as the table's floor says. */
	(*sum)->floor += location->floor;
	for (uint32_t i = 0; i <= (*sum)->mask; i++)
		(*sum)->table[i].missed += location->floor;
	for (uint32_t i = 0; i <= location->mask; i++) {
		const struct fathom_partner *added = &location->table[i];
		struct fathom_partner *partner;

		if (added->rank == FATHOM_PARTNER_NONE)
			continue;
		partner = fathom_partners_make(sum, arena, added->rank, UINT32_MAX);
		if (!partner)
			return false;
		partner->missed = partner->missed - location->floor + added->missed;
		fathom_traffic_add(&partner->traffic, &added->traffic);
		add_waiting(partner->waited, added->waited);
	}
	fathom_traffic_add(&(*sum)->others, &location->others);
	add_waiting((*sum)->others_waited, location->others_waited);
	fathom_traffic_add(&(*sum)->unknown, &location->unknown);
	return true;
}

static FATHOM_COLD struct fathom_partner *make_kept(struct fathom_location *self, struct fathom_partners **partners,
						    uint32_t rank)
{
	int saved = errno;
	struct fathom_partner *partner;
	sigset_t before;

	fathom_signals_block(&before);
	partner = fathom_partners_make(partners, &self->arena, rank, fathom_partners_most);
	fathom_signals_restore(&before);
	errno = saved;
	return partner;
}

static void count(struct fathom_traffic *traffic, enum fathom_direction direction, uint64_t bytes)
{
	fathom_add(&traffic->messages[direction], 1);
	fathom_add(&traffic->bytes[direction], bytes);
}

void fathom_partners_count_rarely(struct fathom_location *self, struct fathom_partners **partners, uint32_t rank,
				  enum fathom_direction direction, uint64_t bytes)
{
	struct fathom_partners *present = *partners;
	struct fathom_partner *partner;

	if (unlikely(rank >= FATHOM_PARTNER_UNKNOWN)) {
		/* Any entry makes a table, in which the unknown have their sum. */
		if (!present && !make_kept(self, partners, 0)) {
			fathom_location_drop(self, FATHOM_DROP_MEMORY);
			return;
		}
		count(&(*partners)->unknown, direction, bytes);
		return;
	}
	partner = present ? place_of(present, rank) : NULL;
	if (unlikely(!partner || partner->rank != rank))
		partner = make_kept(self, partners, rank);
	if (likely(partner))
		count(&partner->traffic, direction, bytes);
	else if (*partners)
		count(&(*partners)->others, direction, bytes);
	else
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
}
