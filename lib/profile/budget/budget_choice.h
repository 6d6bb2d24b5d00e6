/*
 * budget_choice: chooses the regions to disable, so that the visits in a window cost no more than allowed.
 *
 * small	a function whose visits take so little time without their callees that measuring them takes more than
 *		the budget allows. All other regions together are within the budget, whatever they call.
 * clean	small, and all callees that were seen are small or disabled. The function is disabled together with
 *		all its callees, so that no new call path appears.
 * needed	calls, directly or not, a region that is no function: MPI, OpenMP, a lock, a user region. It stays
 *		enabled.
 *
 * Small functions that are neither needed nor rare are chosen: first those with most visits for their time, and clean
 * functions before others. If a function that is not clean is disabled, its enabled callees appear below its callers
 * from then on.
 */
#ifndef FATHOM_PROFILE_BUDGET_CHOICE_H
#define FATHOM_PROFILE_BUDGET_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_budget_choice {
	uint32_t regions;	/* number of all regions */
	double recent_ns;	/* own cost of the visits in the window */
	double allowed_ns;	/* the allowed own cost */
	double ns_per_tick;
	double small;		/* a visit is small if it takes less than this many times its own cost */
};

/* Sets is_chosen in the accounts of the regions to disable. Returns true if there are any. Context: birth. */
bool fathom_budget_choose(const struct fathom_budget_choice *choice);

#endif
