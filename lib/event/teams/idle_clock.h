/*
 * idle_clock: the idle clock of a team: the integral over time of the number of idle threads for each working thread.
 * See idleness.h.
 */
#ifndef FATHOM_EVENT_IDLE_CLOCK_H
#define FATHOM_EVENT_IDLE_CLOCK_H

#include <stdint.h>

#include "platform/compiler.h"

/* Each change is made under lock, and between two steps of sequence, by which readers see
 * that their reading is of one piece. */
struct fathom_idle_clock {
	uint32_t lock;			/* 1: a thread changes the clock */
	uint32_t sequence;		/* odd while the clock is being changed */
	uint32_t begun;			/* threads that have begun to work in the team */
	uint32_t working;		/* of these, threads that are not idle now */
	uint64_t since_ticks;		/* time of the last change */
	uint64_t rate;			/* idle threads for each working thread since then, in 2^-20 */
	uint64_t reading;		/* of the clock at that time, in 2^-FATHOM_IDLE_SHIFT ticks; wraps around */
};

#define FATHOM_IDLE_SHIFT 10

/* Returns the reading of a clock at the time now. Context: hook. */
static inline uint64_t fathom_idle_reading(const struct fathom_idle_clock *clock, uint64_t now)
{
	uint64_t since, rate, reading;
	uint32_t sequence;

	/* Normally once; never without end, because a thread may have been stopped while it changed the clock. */
	for (int i = 0; i < 100; i++) {
		sequence = __atomic_load_n(&clock->sequence, __ATOMIC_ACQUIRE);	/* pairs with change() */
		since = fathom_peek(&clock->since_ticks);
		rate = fathom_peek(&clock->rate);
		reading = fathom_peek(&clock->reading);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (likely(!(sequence & 1) && fathom_peek(&clock->sequence) == sequence))
			break;
	}
	if (now > since)
		reading += (uint64_t)((unsigned __int128)(now - since) * rate >> (20 - FATHOM_IDLE_SHIFT));
	return reading;
}

#endif
