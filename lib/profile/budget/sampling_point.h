/*
 * sampling_point: the last stage of the chain if there is a budget.
 *
 * Every exit number FATHOM_BUDGET_VISITS (4096) of a call path is a sampling point: after its event has ended, the
 * budget is checked.
 */
#ifndef FATHOM_PROFILE_SAMPLING_POINT_H
#define FATHOM_PROFILE_SAMPLING_POINT_H

#include "event/substrate.h"

/* Returns the stage. Context: start. */
struct fathom_stage fathom_sampling_point_end(void);

#endif
