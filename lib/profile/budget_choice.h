/*
 * budget_choice: which regions are to be switched off, so that the visits in a window cost no more than allowed.
 *
 * small	a function whose visits take so little by themselves, without what they call, that measuring them takes
 *		more than the budget allows. All others together are within it, however they call each other.
 * clean	small, and so is all that it was seen to call, or off already. It goes off with all of that: no call
 *		path appears that was not there.
 * needed	leads to something that is no function: MPI, OpenMP, a lock, a region of the user's. It stays.
 *
 * Chosen are small functions that are neither needed nor rare, first those with most visits for their time, and before
 * others those that are clean. Of one that is not, what it calls and stays is seen below its callers from then on.
 */
#ifndef FATHOM_PROFILE_BUDGET_CHOICE_H
#define FATHOM_PROFILE_BUDGET_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_budget_choice {
	uint32_t regions;	/* those that there are */
	double recent_ns;	/* what the visits in the window cost */
	double allowed_ns;	/* what they may */
	double ns_per_tick;
	double small;		/* a visit that takes less than so many times what it costs */
};

/* Marks those chosen in their accounts. Returns whether there are any. Context: birth. */
bool fathom_budget_choose(const struct fathom_budget_choice *choice);

#endif
