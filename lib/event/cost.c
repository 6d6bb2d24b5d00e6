#include "event/cost.h"

#include <stdatomic.h>
#include <stddef.h>

#include "define/region.h"
#include "event/event.h"
#include "event/location.h"
#include "event/state.h"
#include "metric/counters.h"
#include "platform/clock.h"

/*
 * The shortest of several tries counts, because the others were interrupted or found cold caches. Without counters
 * all tries take some 50 us for each way, at the end of every run or at the first check of a budget. If counters make
 * events expensive, a try has fewer pairs, so that it does not take much longer than MOST_UNITS: 0.2 ms.
 */
enum { TRIES = 5, MOST_PAIRS = 64, LEAST_PAIRS = 2 };
#define MOST_UNITS ((uint64_t)(0.0002 * FATHOM_UNITS_PER_SECOND))

/*
 * An event takes longer in a program than here, because the program uses the caches and the branch prediction for
 * other things. The factor differs: 1.05 to 1.7 were measured (doc/internals/performance.md), so this value is right
 * to a third. The time to read counters is mostly spent in the kernel, and gets no factor.
 */
#define IN_PROGRAM 1.3

/* The member code is written once; nothing else changes. */
static struct fathom_region region = { .name = "cost", .paradigm = FATHOM_PARADIGM_MEASUREMENT };

static void call_enter(void)
{
	fathom_event_enter_early(&region);
}

static void call_leave(void)
{
	fathom_event_exit_early(&region);
}

static const struct fathom_pair calls = { call_enter, call_leave };

/* The functions to measure each way with; NULL until fathom_event_cost_by sets them. */
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

/* Returns the ticks that count enters and exits take. */
static uint64_t time_pairs(struct fathom_pair pair, uint64_t count)
{
	uint64_t begin = fathom_clock_ticks();

	for (uint64_t i = 0; i < count; i++) {
		pair.enter();
		pair.leave();
	}
	return fathom_clock_ticks() - begin;
}

/* Returns the recorded ticks of all visits on scratch so far. */
static uint64_t spent(const struct fathom_location *scratch)
{
	return fathom.substrate->scratch_ticks ? fathom.substrate->scratch_ticks(scratch) : 0;
}

static struct fathom_reading_cost reading_cost(struct fathom_tick_scale scale)
{
	const struct fathom_reading *reading = fathom_counters_reading();

	if (!reading)
		return (struct fathom_reading_cost){ 0 };
	return (struct fathom_reading_cost){
		.all_units = fathom_ticks_to_units(scale, reading->all_ticks),
		.perf_read_units = fathom_ticks_to_units(scale, reading->read_ticks),
		.perf_rdpmc_units = fathom_ticks_to_units(scale, reading->rdpmc_ticks),
		.by_rdpmc = reading->by_rdpmc,
	};
}

/* Returns the number of pairs for a try. */
static uint64_t count_pairs(struct fathom_pair pair, struct fathom_tick_scale scale)
{
	uint64_t units = fathom_ticks_to_units(scale, time_pairs(pair, LEAST_PAIRS)) / LEAST_PAIRS;
	uint64_t count = units ? MOST_UNITS / units : MOST_PAIRS;

	return count < LEAST_PAIRS ? LEAST_PAIRS : count > MOST_PAIRS ? MOST_PAIRS : count;
}

/* Returns the cost of a visit in a program. whole_units: the measured time of an enter and an exit; inside_units: the
 * part inside the visit; reading_units: the time to read counters, which is part of the time outside. */
static struct fathom_cost in_program(uint64_t whole_units, uint64_t inside_units, uint64_t reading_units)
{
	uint64_t outside_units = whole_units - inside_units;

	reading_units = reading_units < outside_units ? reading_units : outside_units;
	return (struct fathom_cost){
		.inside_units = (uint64_t)(IN_PROGRAM * (double)inside_units),
		.outside_units = (uint64_t)(IN_PROGRAM * (double)(outside_units - reading_units)) + reading_units,
	};
}

static struct fathom_cost measure(struct fathom_pair pair)
{
	struct fathom_location *self = fathom_self;
	struct fathom_location *scratch = fathom_location_create_scratch();
	struct fathom_tick_scale scale = fathom_clock_scale();
	uint64_t whole = UINT64_MAX, inside = 0, count;

	if (!scratch)
		return (struct fathom_cost){ 0 };
	fathom_self = scratch;
	count = count_pairs(pair, scale);
	for (int try = 0; try < TRIES; try++) {
		uint64_t before = spent(scratch), ticks = time_pairs(pair, count);

		if (ticks >= whole)
			continue;
		whole = ticks;
		inside = spent(scratch) - before;
	}
	fathom_self = self;
	fathom_location_destroy_scratch(scratch);
	inside = inside < whole ? inside : whole;
	return in_program(fathom_ticks_to_units(scale, whole) / count, fathom_ticks_to_units(scale, inside) / count,
			  2 * reading_cost(scale).all_units);
}

/* The measured costs. If two threads measure at the same time, both find similar values, and the first one to finish
 * stores its own. */
static struct {
	struct fathom_cost cost;
	_Atomic int state;	/* 0: not known; 1: being written; 2: known */
} costs[FATHOM_WAYS];

static struct fathom_cost cost_of(enum fathom_way way)
{
	const struct fathom_pair *pair = __atomic_load_n(&pairs[way], __ATOMIC_ACQUIRE);
	struct fathom_cost cost;
	int nobody = 0;

	if (!pair)
		return cost_of(FATHOM_WAY_CALL);
	if (atomic_load_explicit(&costs[way].state, memory_order_acquire) == 2)	/* pairs with the release below */
		return costs[way].cost;
	cost = measure(*pair);
	if (cost.inside_units + cost.outside_units &&
	    atomic_compare_exchange_strong(&costs[way].state, &nobody, 1)) {
		costs[way].cost = cost;
		atomic_store_explicit(&costs[way].state, 2, memory_order_release);
	}
	return cost;
}

struct fathom_costs fathom_cost_measure(void)
{
	struct fathom_costs costs;

	for (enum fathom_way way = 0; way < FATHOM_WAYS; way++)
		costs.of[way] = cost_of(way);
	costs.reading = reading_cost(fathom_clock_scale());
	return costs;
}
