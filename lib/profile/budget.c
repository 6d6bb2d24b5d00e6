#include "profile/budget.h"

#include <errno.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "define/region.h"
#include "event/cost.h"
#include "event/location.h"
#include "event/switch.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "profile/callpath.h"

enum {
	LEAST_WINDOW_MS = 10,
	WINDOW_PER_WALK = 100,	/* so many times longer than a walk takes */
	HOT_VISITS = 1000,
	DEEPEST = 4,		/* of regions inside each other, each of which takes a share */
	SETTLE_MS = 20,		/* between two turns that count for settling */
	SETTLE_TURNS = 10,	/* before it: who was just entering a region has done so meanwhile */
};

/* Switched off is a little more than must be, so that not every change of the program brings the next walk over it. */
#define AIM 0.8

struct account {
	uint64_t visits;	/* over all call paths, at the last walk; the next, too */
	uint64_t ticks;
	uint64_t recent;	/* visits in the window */
	uint64_t off_ticks;	/* when it was switched off; 0: it is on */
	uint64_t off_cpu_ns;	/* time of the processors then */
	double rate;		/* visits a ns of the processors, unmeasured, in the window before that */
	double mean_ticks;	/* of a visit then, without its measurement */
	bool is_small;
	bool is_chosen;
	bool is_blocked;	/* calls what is still to be switched off */
};

struct activity {		/* of a location */
	uint64_t visits;	/* at the last walk */
	uint64_t recent;	/* in the window */
};

static struct {
	double share;			/* 0: there is no budget */
	uint32_t is_taken;		/* by the thread that has a turn */
	struct fathom_lock signals;	/* held by the same: only so that no signal comes in between */
	struct fathom_arena arena;
	struct account *accounts;	/* by region */
	uint32_t account_room;
	struct activity *activities;	/* by location */
	uint32_t activity_room;
	uint64_t start_ticks;		/* of the program */
	uint64_t begin_ticks;		/* of the window; 0: before the first, which begins with the first turn */
	uint64_t begin_cpu_ns;		/* time of the processors then */
	uint64_t end_ticks;		/* before which it is not over */
	uint64_t settle_ticks;		/* when the next turn counts for settling */
	int settle_turns;		/* to go; 0: nothing is to be settled */
	double cost_ns;			/* of a visit; the next: inside */
	double inside_ns;
	double ns_per_tick;
} budget;

/* What the process, or thread, has had of the processors: waiting, and other programs, are not in it. */
static uint64_t cpu_ns(clockid_t of)
{
	struct timespec time = { 0 };

	clock_gettime(of, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t ticks_of_ms(double ms)
{
	return (uint64_t)(ms * 1e6 / budget.ns_per_tick);
}

void fathom_budget_init(uint64_t share)
{
	budget.share = (double)share / 100000;
	budget.start_ticks = fathom_clock_ticks();
}

uint64_t fathom_budget_share(void)
{
	return (uint64_t)(budget.share * 100000 + 0.5);
}

/* --- memory ---------------------------------------------------------------------------------------- */

/* Room for count things; those that there are stay. What is outgrown stays as well: somebody may be reading. */
static bool make_room(void *array, uint32_t *room, uint32_t count, size_t bytes)
{
	uint32_t larger = *room ? *room : 1024;
	void *old, *made;

	if (count <= *room)
		return true;
	while (larger < count)
		larger *= 2;
	made = fathom_arena_alloc(&budget.arena, larger * bytes);
	if (!made)
		return false;
	memcpy(&old, array, sizeof(old));
	if (*room)
		memcpy(made, old, *room * bytes);
	memcpy(array, &made, sizeof(made));
	__atomic_store_n(room, larger, __ATOMIC_RELEASE);
	return true;
}

/* --- walking over all call paths ------------------------------------------------------------------- */

typedef bool visit_function(struct fathom_node *node, struct fathom_node *parent, void *data);

/* The node after this one below top, parents first. Other threads may add children meanwhile. */
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

/* True if any call of visit was. */
static bool walk_below(struct fathom_node *top, visit_function *visit, void *data)
{
	struct fathom_node *node = top;
	bool any = false;

	while ((node = next_below(node, top)) != NULL)
		any |= visit(node, node->parent, data);
	return any;
}

static bool walk_location(const struct fathom_location *location, visit_function *visit, void *data)
{
	const struct fathom_callpaths *paths = location->substrate_data;
	/* These pair with the releases in threads.c. */
	struct fathom_node *tasks = __atomic_load_n(&paths->tasks, __ATOMIC_ACQUIRE);
	struct fathom_alias *alias = __atomic_load_n(&paths->aliases, __ATOMIC_ACQUIRE);
	bool any = walk_below(paths->root, visit, data);

	if (tasks)
		any |= walk_below(tasks, visit, data);
	for (; alias; alias = alias->next)
		any |= walk_below(&alias->node, visit, data);
	return any;
}

static bool walk_all(visit_function *visit)
{
	struct fathom_location *location = fathom_location_newest();
	bool any = false;

	for (; location; location = location->next)
		any |= walk_location(location, visit, NULL);
	return any;
}

/* NULL: of a region that came since the walk began. */
static struct account *account_of(const struct fathom_region *region)
{
	return region->id < budget.account_room ? &budget.accounts[region->id] : NULL;
}

/* --- what happened in the window ------------------------------------------------------------------- */

static bool count_node(struct fathom_node *node, struct fathom_node *parent, void *data)
{
	struct account *account = account_of(node->region);
	uint64_t visits = fathom_peek(&node->visits);

	(void)parent;
	*(uint64_t *)data += visits;
	if (account) {
		account->visits += visits;
		account->ticks += fathom_peek(&node->inclusive_ticks);
	}
	return false;
}

/* Count all visits. Returns the number of threads that were at work: that have a tenth of the visits of the one with
 * most, at least. */
static uint32_t count_visits(uint32_t regions, uint32_t locations)
{
	struct fathom_location *location;
	uint64_t most = 1;
	uint32_t busy = 0;

	for (uint32_t id = 0; id < regions; id++) {
		struct account *account = &budget.accounts[id];

		account->recent = account->visits;
		account->visits = account->ticks = 0;
	}
	for (location = fathom_location_newest(); location; location = location->next) {
		struct activity *activity = &budget.activities[location->id];
		uint64_t visits = 0;

		if (location->id >= locations)
			continue;
		walk_location(location, count_node, &visits);
		activity->recent = visits - activity->visits;
		activity->visits = visits;
		most = activity->recent > most ? activity->recent : most;
	}
	for (uint32_t id = 0; id < locations; id++)
		busy += budget.activities[id].recent > most / 10;
	for (uint32_t id = 0; id < regions; id++)
		budget.accounts[id].recent = budget.accounts[id].visits - budget.accounts[id].recent;
	return busy ? busy : 1;
}

/* --- what can be switched off ---------------------------------------------------------------------- */

static bool is_small(const struct fathom_region *region, const struct account *account)
{
	double ns = (double)account->ticks * budget.ns_per_tick;

	/* No time: it was never left yet. */
	return region->paradigm == FATHOM_PARADIGM_COMPILER && account->visits && ns > 0 &&
	       ns * budget.share < (double)account->visits * budget.cost_ns * DEEPEST;
}

static bool is_small_or_off(const struct fathom_region *region)
{
	const struct account *account = account_of(region);

	return account && (account->is_small || account->off_ticks);
}

/* A node that stays: what leads to it does, too. */
static bool keep_callers(struct fathom_node *node, struct fathom_node *parent, void *data)
{
	bool any = false;

	(void)data;
	if (is_small_or_off(node->region))
		return false;
	for (; parent; parent = parent->parent) {
		struct account *account = account_of(parent->region);

		any |= account && account->is_small;
		if (account)
			account->is_small = false;
	}
	return any;
}

/* A node whose parent goes off goes with it. */
static bool choose_called(struct fathom_node *node, struct fathom_node *parent, void *data)
{
	struct account *account = account_of(node->region), *above = account_of(parent->region);

	(void)data;
	if (!account || !above || !above->is_chosen || account->is_chosen || account->off_ticks)
		return false;
	account->is_chosen = true;
	return true;
}

static struct account *noisiest(uint32_t regions)
{
	struct account *best = NULL;

	for (uint32_t id = 0; id < regions; id++) {
		struct account *account = &budget.accounts[id];

		if (account->is_small && !account->is_chosen && !account->off_ticks && account->recent >= HOT_VISITS &&
		    (!best || account->recent > best->recent))
			best = account;
	}
	return best;
}

/* recent: all visits in the window. Returns whether there is anything to be switched off. */
static bool choose(uint32_t regions, double recent, double allowed)
{
	struct account *account;
	bool any = false;

	for (uint32_t id = 0; id < regions; id++) {
		account = &budget.accounts[id];
		account->is_small = is_small(fathom_region_by_id(id), account);
		account->is_chosen = false;
	}
	while (walk_all(keep_callers))
		;
	while (recent > allowed && (account = noisiest(regions)) != NULL) {
		account->is_chosen = any = true;
		recent -= (double)account->recent;
	}
	while (any && walk_all(choose_called))
		;
	return any;
}

/* --- switching ------------------------------------------------------------------------------------- */

static bool block_callers(struct fathom_node *node, struct fathom_node *parent, void *data)
{
	const struct account *account = account_of(node->region);
	struct account *above = account_of(parent->region);

	(void)data;
	if (above && account && above != account && account->is_chosen && !account->off_ticks)
		above->is_blocked = true;
	return false;
}

/* What is called before what calls it, so that no other thread finds it called from elsewhere; of functions that call
 * each other, all. Returns whether there may be more. */
static bool switch_some(uint32_t regions, uint64_t now)
{
	bool any = false, all = true;

	for (uint32_t id = 0; id < regions; id++)
		budget.accounts[id].is_blocked = false;
	walk_all(block_callers);
	for (uint32_t id = 0; id < regions; id++)
		if (budget.accounts[id].is_chosen && !budget.accounts[id].off_ticks)
			any = true, all &= budget.accounts[id].is_blocked;
	for (uint32_t id = 0; id < regions; id++) {
		struct account *account = &budget.accounts[id];

		if (!account->is_chosen || account->off_ticks || (account->is_blocked && !all))
			continue;
		account->off_ticks = now;
		fathom_event_switch(fathom_region_by_id(id), false);
	}
	return any;
}

/* window: how long it was, in ns of the processors; recent: visits in it. */
static void switch_chosen(uint32_t regions, double window, double recent, uint64_t now)
{
	double unmeasured = window - recent * budget.cost_ns;
	uint64_t cpu = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint32_t count = 0;

	if (unmeasured < window / 20)
		unmeasured = window / 20;
	for (uint32_t id = 0; id < regions; id++) {
		struct account *account = &budget.accounts[id];

		if (!account->is_chosen)
			continue;
		account->rate = (double)account->recent / unmeasured;
		account->mean_ticks = account->visits ? (double)account->ticks / (double)account->visits : 0;
		account->mean_ticks -= budget.inside_ns / budget.ns_per_tick;
		if (account->mean_ticks < 0)
			account->mean_ticks = 0;
		account->off_cpu_ns = cpu;
		count++;
	}
	while (switch_some(regions, now))
		;
	fathom_log(FATHOM_LOG_INFO, "%u functions switched off: measuring took %lu%% of the time", count,
		   (unsigned long)(recent * budget.cost_ns / window * 100));
	/* Of a single thread it is known that it is in none of them. */
	budget.settle_turns = __libc_single_threaded ? 1 : SETTLE_TURNS;
	budget.settle_ticks = __libc_single_threaded ? now : now + ticks_of_ms(SETTLE_MS);
}

static void settle(uint64_t now)
{
	if (!budget.settle_turns || now < budget.settle_ticks)
		return;
	budget.settle_ticks = now + ticks_of_ms(SETTLE_MS);
	if (budget.settle_turns > 1)
		budget.settle_turns--;
	else if (!fathom_event_settle_switches())
		budget.settle_turns = 0;
}

static void learn_costs(void)
{
	double ns_per_unit = 1e9 / FATHOM_UNITS_PER_SECOND;
	struct fathom_tick_scale scale = fathom_clock_scale();
	struct fathom_cost cost = fathom_cost_measure();

	budget.ns_per_tick = (double)scale.units_per_tick_q32 / 4294967296.0 * ns_per_unit;
	budget.cost_ns = (double)(cost.inside_units + cost.outside_units) * ns_per_unit;
	budget.inside_ns = (double)cost.inside_units * ns_per_unit;
}

/* The next window begins; its least length depends on how long this look took the thread. */
static void begin_window(uint64_t took_ns)
{
	double least_ms = (double)took_ns * WINDOW_PER_WALK / 1e6;

	budget.begin_cpu_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	budget.begin_ticks = fathom_clock_ticks();
	__atomic_store_n(&budget.end_ticks, budget.begin_ticks +
			 ticks_of_ms(least_ms > LEAST_WINDOW_MS ? least_ms : LEAST_WINDOW_MS), __ATOMIC_RELAXED);
}

/* The window is over. */
static void look(uint64_t now)
{
	uint32_t regions = fathom_region_count(), locations = fathom_location_newest()->id + 1, threads;
	uint64_t before;
	double window, longest, recent = 0, allowed;
	bool is_first = !budget.begin_ticks;

	if (!make_room(&budget.accounts, &budget.account_room, regions, sizeof(*budget.accounts)) ||
	    !make_room(&budget.activities, &budget.activity_room, locations, sizeof(*budget.activities)))
		return;
	learn_costs();
	before = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	threads = count_visits(regions, locations);
	for (uint32_t id = 0; id < regions; id++)
		recent += (double)budget.accounts[id].recent;
	/* Threads that wait may well use their processors. */
	window = (double)(cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - budget.begin_cpu_ns);
	longest = (double)(now - budget.begin_ticks) * budget.ns_per_tick * threads;
	if (window > longest)
		window = longest;
	allowed = budget.share * window / (budget.cost_ns + 0.001);
	if (!is_first && recent > allowed && choose(regions, recent, allowed * AIM))
		switch_chosen(regions, window, recent, now);
	begin_window(cpu_ns(CLOCK_THREAD_CPUTIME_ID) - before);
}

void fathom_budget_turn(struct fathom_location *self)
{
	uint64_t now = fathom_clock_ticks();
	int saved = errno;

	if (self->kind == FATHOM_KIND_SCRATCH ||
	    (now < fathom_peek(&budget.end_ticks) && !fathom_peek(&budget.settle_turns)) ||
	    __atomic_exchange_n(&budget.is_taken, 1, __ATOMIC_ACQUIRE))
		return;
	fathom_lock_take(&budget.signals);
	if (now >= budget.end_ticks)
		look(now);
	settle(now);
	fathom_lock_give(&budget.signals);
	__atomic_store_n(&budget.is_taken, 0, __ATOMIC_RELEASE);
	errno = saved;
}

/* --- the end --------------------------------------------------------------------------------------- */

static uint64_t off_since(uint32_t region)
{
	/* Pairs with the release in make_room. */
	return region < __atomic_load_n(&budget.account_room, __ATOMIC_ACQUIRE) ? budget.accounts[region].off_ticks : 0;
}

uint64_t fathom_budget_off_ns(uint32_t region, struct fathom_tick_scale scale)
{
	uint64_t since = off_since(region);

	return since ? (uint64_t)((double)fathom_ticks_to_units(scale, since - budget.start_ticks) * 1e9 /
				  FATHOM_UNITS_PER_SECOND) + 1 : 0;
}

struct fathom_missing fathom_budget_missing(const struct fathom_node *node, uint64_t now_cpu_ns)
{
	const struct account *account;
	double visits;

	if (!node->region || !off_since(node->region->id))
		return (struct fathom_missing){ 0 };
	account = &budget.accounts[node->region->id];
	visits = (double)(now_cpu_ns - account->off_cpu_ns) * account->rate;
	if (account->visits)
		visits = visits * (double)fathom_peek(&node->visits) / (double)account->visits;
	return (struct fathom_missing){ (uint64_t)visits, (uint64_t)(visits * account->mean_ticks) };
}

uint64_t fathom_budget_now(void)
{
	return budget.share > 0 ? cpu_ns(CLOCK_PROCESS_CPUTIME_ID) : 0;
}
