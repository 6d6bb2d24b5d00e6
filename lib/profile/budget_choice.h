/*
 * budget_choice: which regions are to be disabled, so that the visits in a window cost no more than allowed.
 *
 * small	a function whose visits take so little time by themselves, without callees, that measuring them takes
 *		more than the budget allows. All other regions together are within the budget, however they call each
 *		other.
 * clean	small, and so are all callees that were seen, or they are disabled. The function is disabled together
 *		with all of these, so that no new call path appears.
 * needed	leads to a region that is no function: MPI, OpenMP, a lock, a user region. It stays enabled.
 *
 * Small functions that are neither needed nor rare are chosen, first those with most visits for their time, and clean
 * ones before others. If a function that is not clean is disabled, its enabled callees appear below its callers from
 * then on.
 */
#ifndef FATHOM_PROFILE_BUDGET_CHOICE_H
#define FATHOM_PROFILE_BUDGET_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_budget_choice {
	uint32_t regions;	/* number of all regions */
	double recent_ns;	/* what measuring the visits in the window took */
	double allowed_ns;	/* what it may take */
	double ns_per_tick;
	double small;		/* a visit is small if it takes less than this many times its own cost */
};

/* Sets is_chosen in the accounts of the regions that are to be disabled. Returns whether there are any. Context:
 * birth. */
bool fathom_budget_choose(const struct fathom_budget_choice *choice);

#endif
