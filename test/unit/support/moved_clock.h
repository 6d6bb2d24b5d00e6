/*
 * moved_clock: a clock that the test moves, in place of the clock of lib/platform. The test's program is linked with
 * --wrap=fathom_clock_monotonic_ns.
 */
#ifndef FATHOM_TEST_MOVED_CLOCK_H
#define FATHOM_TEST_MOVED_CLOCK_H

#include <stdint.h>

/* The time, in ticks, at first 1000. */
extern uint64_t now_ticks;

/* Set the time, or let this many ticks pass, while other threads read it. */
static inline void moved_clock_set(uint64_t ticks)
{
	__atomic_store_n(&now_ticks, ticks, __ATOMIC_RELAXED);
}

static inline void pass(uint64_t ticks)
{
	__atomic_fetch_add(&now_ticks, ticks, __ATOMIC_RELAXED);
}

#endif
