#include "event/cost.h"

#include <stdatomic.h>
#include <stddef.h>

#include "define/region.h"
#include "event/event.h"
#include "event/location.h"
#include "platform/clock.h"

/* Pairs in one try. The best of several tries is taken: the others were interrupted, or met cold caches. All take some
 * 50 us, at the end of every run. */
enum { TRIES = 5, PAIRS = 64 };

/* Not constants to the compiler: the calls must be made as any wrapper makes them. */
typedef void event_function(const struct fathom_region *);
static event_function *volatile enter = fathom_event_enter_on;
static event_function *volatile leave = fathom_event_exit_on;

static const struct fathom_region region = { .name = "cost", .paradigm = FATHOM_PARADIGM_MEASUREMENT };

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Ticks of PAIRS enters and exits. */
static uint64_t time_pairs(void)
{
	uint64_t begin = fathom_clock_ticks();

	for (int i = 0; i < PAIRS; i++) {
		enter(&region);
		leave(&region);
	}
	return fathom_clock_ticks() - begin;
}

/* Ticks of PAIRS visits, as the clock readings of an enter and behind it have them: an exit begins with its own. */
static uint64_t time_insides(const struct fathom_location *self)
{
	uint64_t sum = 0;

	for (int i = 0; i < PAIRS; i++) {
		uint64_t now, entered;

		enter(&region);
		now = fathom_clock_ticks();
		entered = self->top->enter_ticks;
		sum += now > entered ? now - entered : 0;
		leave(&region);
	}
	return sum;
}

static struct fathom_cost measure(void)
{
	struct fathom_location *self = fathom_self;
	struct fathom_location *scratch = fathom_location_create_scratch();
	struct fathom_tick_scale scale = fathom_clock_scale();
	uint64_t whole = UINT64_MAX, inside = UINT64_MAX;
	struct fathom_cost cost;

	if (!scratch)
		return (struct fathom_cost){ 0 };
	fathom_self = scratch;
	for (int try = 0; try < TRIES; try++) {
		whole = least(whole, time_pairs());
		inside = least(inside, time_insides(scratch));
	}
	fathom_self = self;
	fathom_location_destroy_scratch(scratch);
	inside = least(inside, whole);
	cost.inside_units = fathom_ticks_to_units(scale, inside) / PAIRS;
	cost.outside_units = fathom_ticks_to_units(scale, whole - inside) / PAIRS;
	return cost;
}

/* Whoever measures first: two that do it at once find about the same, and the first to be done is believed. */
static struct fathom_cost known;
static _Atomic int state;	/* 0: not known; 1: being written; 2: known */

struct fathom_cost fathom_cost_measure(void)
{
	struct fathom_cost cost;
	int nobody = 0;

	if (atomic_load_explicit(&state, memory_order_acquire) == 2)	/* pairs with the release below */
		return known;
	cost = measure();
	if (cost.inside_units + cost.outside_units && atomic_compare_exchange_strong(&state, &nobody, 1)) {
		known = cost;
		atomic_store_explicit(&state, 2, memory_order_release);
	}
	return cost;
}
