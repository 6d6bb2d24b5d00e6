#include "profile/budget/budget_accounts.h"

#include <string.h>

#include "define/region.h"
#include "event/cost.h"
#include "event/location.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "profile/recording/callpath.h"

struct activity {		/* the visits of a location */
	uint64_t visits;	/* at the last walk */
	uint64_t recent;	/* in the window */
};

struct note {			/* a note about a call path, see fathom_accounts_note_chosen */
	const struct fathom_node *node;		/* NULL: free. Stored (release) when the note is complete */
	struct fathom_caller_then caller;
};

/* A hash table with open addressing, at most half full. A table that has become too small is not freed, because
 * another thread may be reading it. */
struct notes {
	uint32_t mask;
	uint32_t used;
	struct note notes[];
};

static struct {
	struct fathom_arena arena;
	struct fathom_account *of_regions;
	uint32_t region_room;
	struct activity *of_locations;
	uint32_t location_room;
	struct notes *notes;
} accounts;

/* --- memory ---------------------------------------------------------------------------------------- */

bool fathom_accounts_make_room(uint32_t regions, uint32_t locations)
{
	return fathom_arena_grow(&accounts.arena, &accounts.of_regions, &accounts.region_room, regions,
				 sizeof(*accounts.of_regions)) &&
	       fathom_arena_grow(&accounts.arena, &accounts.of_locations, &accounts.location_room, locations,
				 sizeof(*accounts.of_locations));
}

struct fathom_account *fathom_account_of(uint32_t region)
{
	/* Pairs with the release in fathom_arena_grow. */
	return region < __atomic_load_n(&accounts.region_room, __ATOMIC_ACQUIRE) ? &accounts.of_regions[region] : NULL;
}

/* --- walking over all call paths ------------------------------------------------------------------- */

/* Returns the next node below top, parents first; NULL: node was the last one. Other threads may add children
 * meanwhile. */
static struct fathom_node *next_below(struct fathom_node *node, const struct fathom_node *top)
{
	/* Pairs with the release in adopt() of callpath.c. */
	struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);

	if (child)
		return child;
	while (node != top && !node->sibling)
		node = node->parent;
	return node == top ? NULL : node->sibling;
}

/* Calls visit for all nodes below top. Returns true if any call returned true. */
static bool walk_below(struct fathom_node *top, fathom_visit_function *visit)
{
	struct fathom_node *node = top;
	bool any = false;

	while ((node = next_below(node, top)) != NULL)
		any |= visit(node, node->parent);
	return any;
}

static bool walk_location(const struct fathom_location *location, fathom_visit_function *visit)
{
	const struct fathom_callpaths *paths = location->substrate_data;
	/* These pair with the releases in anchor_nodes.c. */
	struct fathom_node *tasks = __atomic_load_n(&paths->tasks, __ATOMIC_ACQUIRE);
	struct fathom_anchor_node *anchor = __atomic_load_n(&paths->anchors, __ATOMIC_ACQUIRE);
	bool any = walk_below(paths->root, visit);

	if (tasks)
		any |= walk_below(tasks, visit);
	for (; anchor; anchor = anchor->next)
		any |= walk_below(&anchor->node, visit);
	return any;
}

bool fathom_accounts_walk(fathom_visit_function *visit)
{
	struct fathom_location *location = fathom_location_newest();
	bool any = false;

	for (; location; location = location->next)
		any |= walk_location(location, visit);
	return any;
}

/* --- what happened in the window ------------------------------------------------------------------- */

static uint64_t counted;	/* number of visits on the location that is being walked over */

static bool count_node(struct fathom_node *node, struct fathom_node *parent)
{
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);
	struct fathom_account *account = fathom_account_of(node->region->id);
	uint64_t visits = fathom_peek(&node->visits), ticks = fathom_peek(&node->inclusive_ticks), below = 0;

	(void)parent;
	counted += visits;
	if (!account)
		return false;
	account->visits += visits;
	account->ticks += ticks;
	for (; child; child = child->sibling) {
		const struct fathom_account *of = fathom_account_of(child->region->id);
		uint64_t called = fathom_peek(&child->visits);

		account->called += called;
		account->outside_ns += of ? (double)called * (of->cost_ns - of->inside_ns) : 0;
		below += fathom_peek(&child->inclusive_ticks);
	}
	/* If a visit is active, its callees may have taken longer than all visits that have ended. */
	account->own_ticks += ticks > below ? ticks - below : 0;
	return false;
}

static void set_cost(struct fathom_account *account, struct fathom_cost cost)
{
	double ns_per_unit = 1e9 / FATHOM_UNITS_PER_SECOND;

	account->cost_ns = (double)(cost.inside_units + cost.outside_units) * ns_per_unit;
	account->inside_ns = (double)cost.inside_units * ns_per_unit;
}

uint32_t fathom_accounts_count(uint32_t regions, uint32_t locations, const struct fathom_costs *costs,
			       double *recent_ns)
{
	struct fathom_location *location;
	uint64_t most = 1;
	uint32_t busy = 0;

	for (uint32_t id = 0; id < regions; id++) {
		struct fathom_account *account = &accounts.of_regions[id];

		account->recent = account->visits;
		account->visits = account->ticks = account->own_ticks = account->called = 0;
		account->outside_ns = 0;
		set_cost(account, costs->of[fathom_cost_way(fathom_region_by_id(id))]);
	}
	for (location = fathom_location_newest(); location; location = location->next) {
		struct activity *activity = &accounts.of_locations[location->id];

		if (location->id >= locations)
			continue;
		counted = 0;
		walk_location(location, count_node);
		activity->recent = counted - activity->visits;
		activity->visits = counted;
		most = activity->recent > most ? activity->recent : most;
	}
	for (uint32_t id = 0; id < locations; id++)
		busy += accounts.of_locations[id].recent > most / 10;
	*recent_ns = 0;
	for (uint32_t id = 0; id < regions; id++) {
		struct fathom_account *account = &accounts.of_regions[id];

		account->recent = account->visits - account->recent;
		*recent_ns += (double)account->recent * account->cost_ns;
	}
	return busy ? busy : 1;
}

/* --- the callers of call paths when they were disabled ---------------------------------------------- */

static struct note *place_of(struct notes *in, const struct fathom_node *node)
{
	uint32_t place = (uint32_t)(((uintptr_t)node * 0x9e3779b97f4a7c15u) >> 32) & in->mask;
	const struct fathom_node *there;

	/* Pairs with the release in note_node. */
	while ((there = __atomic_load_n(&in->notes[place].node, __ATOMIC_ACQUIRE)) != NULL && there != node)
		place = (place + 1) & in->mask;
	return &in->notes[place];
}

/* Makes room for one more note. False: no memory. */
static bool grow_notes(void)
{
	enum { FIRST = 1024 };
	struct notes *old = accounts.notes, *made;
	uint32_t count = old ? (old->mask + 1) * 2 : FIRST;

	if (old && old->used < old->mask / 2)
		return true;
	made = fathom_arena_alloc(&accounts.arena, sizeof(*made) + count * sizeof(*made->notes));
	if (!made)
		return false;
	made->mask = count - 1;
	for (uint32_t i = 0; old && i <= old->mask; i++) {
		if (!old->notes[i].node)
			continue;
		*place_of(made, old->notes[i].node) = old->notes[i];
		made->used++;
	}
	__atomic_store_n(&accounts.notes, made, __ATOMIC_RELEASE);
	return true;
}

static bool note_node(struct fathom_node *node, struct fathom_node *parent)
{
	const struct fathom_account *account = fathom_account_of(node->region->id);
	const struct fathom_account *above = fathom_account_of(parent->region->id);
	struct note *note;

	if (!account || !above || !account->is_chosen || account->off_ticks || !grow_notes())
		return false;
	note = place_of(accounts.notes, node);
	note->caller = (struct fathom_caller_then){ above->visits, above->ticks };
	if (!note->node)
		accounts.notes->used++;
	__atomic_store_n(&note->node, node, __ATOMIC_RELEASE);
	return false;
}

void fathom_accounts_note_chosen(void)
{
	fathom_accounts_walk(note_node);
}

struct fathom_caller_then fathom_accounts_caller_then(const struct fathom_node *node)
{
	struct notes *notes = __atomic_load_n(&accounts.notes, __ATOMIC_ACQUIRE);
	const struct note *note = notes ? place_of(notes, node) : NULL;

	return note && note->node ? note->caller : (struct fathom_caller_then){ 0 };
}

static bool count_last(struct fathom_node *node, struct fathom_node *parent)
{
	struct fathom_account *account = fathom_account_of(node->region->id);

	(void)parent;
	if (!account)
		return false;
	account->last_visits += fathom_peek(&node->visits);
	account->last_ticks += fathom_peek(&node->inclusive_ticks);
	return false;
}

void fathom_accounts_count_last(void)
{
	struct fathom_account *account;

	for (uint32_t id = 0; (account = fathom_account_of(id)) != NULL; id++)
		account->last_visits = account->last_ticks = 0;
	fathom_accounts_walk(count_last);
}
