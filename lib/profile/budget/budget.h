/*
 * budget: FATHOM_OVERHEAD. While the program runs, functions are disabled until measuring takes no more than its
 * share of the time.
 *
 * account          the data about a region over all its call paths, see budget_accounts.h.
 * sampling point   the 4096th exit of a call path, the 8192nd, and so on. The thread that leaves the call path then
 *                  checks whether the budget is exceeded. So no other thread, timer or signal disturbs the program, and
 *                  the hot path only tests a number that it has in a register.
 * window           the time from one walk over all call paths to the next. It lasts at least 2 ms, and so long that a
 *                  walk takes one per cent of it; up to four times as long while few visits are seen. The first window,
 *                  and those after regions were disabled, are shorter.
 *
 * The overhead is visits x own cost of a visit (event/cost.h), plus the time that deciding takes. It may be share x
 * processor time of the process. Some threads use their processors only to wait; therefore the processor time counts
 * at most for the number of threads that had many visits. If the overhead was larger than allowed, both in a window
 * and in all windows so far, regions are disabled until it is smaller again; budget_choice.h describes how they are
 * chosen. They stay disabled.
 */
#ifndef FATHOM_PROFILE_BUDGET_H
#define FATHOM_PROFILE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "platform/clock.h"
#include "platform/compiler.h"

struct fathom_location;
struct fathom_node;
struct fathom_region;

/* The visits of a call path between two of its sampling points. */
#define FATHOM_BUDGET_VISITS 4096

#ifndef FATHOM_WITHOUT_BUDGET

/* Sets the budget: share is the part of the time in 1/1000 of a percent. Context: start. */
void fathom_budget_init(uint64_t share);

/* Returns the share; 0: there is no budget. Context: finish, signal. */
uint64_t fathom_budget_share(void);

/* The function sampling_point of the substrate's table: the calling thread is between two events and has reached a
 * sampling point. Context: birth. */
FATHOM_COLD void fathom_budget_sampling_point(struct fathom_location *self);

/* The program's work ends now: stores what the estimates need. May be called again. Context: finish, signal. */
void fathom_budget_end(void);

struct fathom_missing {		/* an estimate of the visits that a call path lacks because its region was disabled */
	uint64_t visits;
	uint64_t ticks;		/* inclusive, without own cost */
};

/* Estimates the missing visits of a call path up to the last fathom_budget_end, as if the region had continued as
 * before. All zero if the region is enabled. Context: finish, signal. */
struct fathom_missing fathom_budget_missing(const struct fathom_node *node);

/* Returns when the region with this id was disabled, in ns since the start; 0: it was not. Context: finish, signal. */
uint64_t fathom_budget_disabled_ns(uint32_t region, struct fathom_tick_scale scale);

#else

/* configure --without-budget: there is never a budget, and FATHOM_OVERHEAD is refused (platform/settings.c). */
static inline void fathom_budget_init(uint64_t share)
{
	(void)share;
}

static inline uint64_t fathom_budget_share(void)
{
	return 0;
}

/* Kept, because assembler code calls it by its name (platform/vectors.h). */
static __attribute__((used)) FATHOM_COLD void fathom_budget_sampling_point(struct fathom_location *self)
{
	(void)self;
}

static inline void fathom_budget_end(void)
{
}

static inline uint64_t fathom_budget_disabled_ns(uint32_t region, struct fathom_tick_scale scale)
{
	(void)region;
	(void)scale;
	return 0;
}

#endif

#endif
