/*
 * budget_estimates: estimates of the visits that are missing because the budget has disabled regions. They are
 * separate from the measured values (process_tree.h).
 */
#ifndef FATHOM_PROFILE_BUDGET_ESTIMATES_H
#define FATHOM_PROFILE_BUDGET_ESTIMATES_H

#include "config.h"
#include "profile/process_tree/process_tree.h"

#ifndef FATHOM_WITHOUT_BUDGET

/*
 * Adds the estimates for a call path of the process tree to values, which fathom_process_tree_values has filled in:
 * FATHOM_VALUE_MISSING_VISITS and FATHOM_VALUE_MISSING_TIME. Returns which of the two are not 0. Context: finish,
 * signal.
 */
fathom_presence fathom_budget_estimates_add(const struct fathom_process_tree *process, uint32_t path, uint64_t *values);

#else

static inline fathom_presence fathom_budget_estimates_add(const struct fathom_process_tree *process, uint32_t path,
							  uint64_t *values)
{
	(void)process;
	(void)path;
	(void)values;
	return 0;
}

#endif

#endif
