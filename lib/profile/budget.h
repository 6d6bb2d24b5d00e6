/*
 * budget: FATHOM_OVERHEAD. Functions are switched off while the program runs, until measuring takes no more than that.
 *
 * account    what is known of a region over all its call paths.
 * turn       a look at whether something is to be done. Whichever thread has just left a call path for the 4096th time,
 *            or the 8192nd ..., has one: no other thread, no timer and no signal disturbs the program, and the
 *            hot path only looks at a number that it has at hand.
 * window     from one walk over all call paths to the next, at least 2 ms, and so long that walks take one per cent;
 *            while little is seen to happen, up to four times as long. Shorter: the first, and after switches.
 *
 * Overhead = visits x cost of one (event/cost.h), and what the looks take; and may be share x time of the processors
 * that the process had (at most that of the threads that visited anything to speak of: some wait and use theirs all the
 * same). Where it is more, in a window and in all windows so far, regions are switched off until it holds: which, says
 * budget_choice.h. They stay off.
 */
#ifndef FATHOM_PROFILE_BUDGET_H
#define FATHOM_PROFILE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/clock.h"
#include "platform/compiler.h"

struct fathom_location;
struct fathom_node;
struct fathom_region;

/* A call path's visits are looked at whenever they are a multiple of this. */
#define FATHOM_BUDGET_VISITS 4096

/* share: of the time, in 1/1000 of a percent. Context: start. */
void fathom_budget_init(uint64_t share);

/* 0: there is no budget. Context: finish, signal. */
uint64_t fathom_budget_share(void);

/* The calling thread is between two events. Context: birth. */
FATHOM_COLD void fathom_budget_sampling_point(struct fathom_location *self);

struct fathom_missing {		/* what was not recorded at a call path, because its region was off: an estimate */
	uint64_t visits;
	uint64_t ticks;		/* inclusive, without what measuring would have taken */
};

/* Up to now, which is what fathom_budget_now says, as the region went on before. All zero where it is on.
 * Context: finish, signal. */
struct fathom_missing fathom_budget_missing(const struct fathom_node *node, uint64_t now);
uint64_t fathom_budget_now(void);

/* When the region with this id was switched off, in ns since the start; 0: it was not. Context: finish, signal. */
uint64_t fathom_budget_off_ns(uint32_t region, struct fathom_tick_scale scale);

#endif
