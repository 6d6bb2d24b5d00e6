/*
 * sampling_point: the end of the chain of stages where there is a budget.
 *
 * Every 4096th exit of a call path is a sampling point (FATHOM_BUDGET_VISITS): when its event has ended, the budget is
 * checked.
 */
#ifndef FATHOM_PROFILE_SAMPLING_POINT_H
#define FATHOM_PROFILE_SAMPLING_POINT_H

#include "event/substrate.h"

/* Context: start. */
struct fathom_stage fathom_sampling_point_end(void);

#endif
