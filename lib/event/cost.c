#include "event/cost.h"

#include <stdatomic.h>
#include <stddef.h>

#include "define/region.h"
#include "event/event.h"
#include "event/location.h"
#include "event/state.h"
#include "platform/clock.h"

/* Pairs in one try. The best of several tries is taken: the others were interrupted, or met cold caches. All take some
 * 50 us for each way that something came by, at the end of every run, or at a budget's first look. */
enum { TRIES = 5, PAIRS = 64 };

/*
 * In a program an event takes more than where nothing else happens, as here: caches and predictions of branches are the
 * program's. How much more is different, 1.05 to 1.7 times was seen (doc/performance.md); this is right to a third.
 */
#define IN_PROGRAM 1.3

/* Its code is written once. */
static struct fathom_region region = { .name = "cost", .paradigm = FATHOM_PARADIGM_MEASUREMENT };

static void call_enter(void)
{
	fathom_event_enter_on(&region);
}

static void call_leave(void)
{
	fathom_event_exit_on(&region);
}

static const struct fathom_pair calls = { call_enter, call_leave };

/* By way, while nobody has said otherwise: NULL. */
static const struct fathom_pair *pairs[FATHOM_WAYS] = { [FATHOM_WAY_CALL] = &calls };

void fathom_event_cost_by(enum fathom_way way, const struct fathom_pair *pair, const void *code)
{
	if (code && !fathom_peek(&region.code))
		fathom_poke(&region.code, code);
	__atomic_store_n(&pairs[way], pair, __ATOMIC_RELEASE);	/* pairs with the acquire in cost_of */
}

const struct fathom_region *fathom_event_cost_region(void)
{
	return &region;
}

enum fathom_way fathom_cost_way(const struct fathom_region *of)
{
	if (of->paradigm != FATHOM_PARADIGM_COMPILER)
		return FATHOM_WAY_CALL;
	return of->has_sleds ? FATHOM_WAY_SLED : FATHOM_WAY_HOOK;
}

/* Ticks of PAIRS enters and exits. */
static uint64_t time_pairs(struct fathom_pair pair)
{
	uint64_t begin = fathom_clock_ticks();

	for (int i = 0; i < PAIRS; i++) {
		pair.enter();
		pair.leave();
	}
	return fathom_clock_ticks() - begin;
}

/* What the visits on scratch took so far, as they were recorded. */
static uint64_t spent(const struct fathom_location *scratch)
{
	return fathom.substrate->spent ? fathom.substrate->spent(scratch) : 0;
}

static struct fathom_cost measure(struct fathom_pair pair)
{
	struct fathom_location *self = fathom_self;
	struct fathom_location *scratch = fathom_location_create_scratch();
	struct fathom_tick_scale scale = fathom_clock_scale();
	uint64_t whole = UINT64_MAX, inside = 0;
	struct fathom_cost cost;

	if (!scratch)
		return (struct fathom_cost){ 0 };
	fathom_self = scratch;
	for (int try = 0; try < TRIES; try++) {
		uint64_t before = spent(scratch), ticks = time_pairs(pair);

		if (ticks >= whole)
			continue;
		whole = ticks;
		inside = spent(scratch) - before;
	}
	fathom_self = self;
	fathom_location_destroy_scratch(scratch);
	inside = inside < whole ? inside : whole;
	cost.inside_units = (uint64_t)(IN_PROGRAM * (double)fathom_ticks_to_units(scale, inside) / PAIRS);
	cost.outside_units = (uint64_t)(IN_PROGRAM * (double)fathom_ticks_to_units(scale, whole - inside) / PAIRS);
	return cost;
}

/* Whoever measures first: two that do it at once find about the same, and the first to be done is believed. */
static struct {
	struct fathom_cost cost;
	_Atomic int state;	/* 0: not known; 1: being written; 2: known */
} known[FATHOM_WAYS];

static struct fathom_cost cost_of(enum fathom_way way)
{
	const struct fathom_pair *pair = __atomic_load_n(&pairs[way], __ATOMIC_ACQUIRE);
	struct fathom_cost cost;
	int nobody = 0;

	if (!pair)
		return cost_of(FATHOM_WAY_CALL);
	if (atomic_load_explicit(&known[way].state, memory_order_acquire) == 2)	/* pairs with the release below */
		return known[way].cost;
	cost = measure(*pair);
	if (cost.inside_units + cost.outside_units &&
	    atomic_compare_exchange_strong(&known[way].state, &nobody, 1)) {
		known[way].cost = cost;
		atomic_store_explicit(&known[way].state, 2, memory_order_release);
	}
	return cost;
}

struct fathom_costs fathom_cost_measure(void)
{
	struct fathom_costs costs;

	for (enum fathom_way way = 0; way < FATHOM_WAYS; way++)
		costs.of[way] = cost_of(way);
	return costs;
}
