/*
 * sampling_plan: starts samples as FATHOM_SAMPLING says, and tells results what was sampled.
 */
#ifndef FATHOM_RUN_SAMPLING_PLAN_H
#define FATHOM_RUN_SAMPLING_PLAN_H

#include <stddef.h>

struct fathom_sampling;

/*
 * Finds the events that FATHOM_SAMPLING names, and starts sampling. An event that this machine does not have is left
 * out, with a message that names those that it has. Returns 0, or -EINVAL with a line in error if no machine can sample
 * one of the events. Context: start.
 */
int fathom_sampling_plan_start(char *error, size_t bytes);

/* Returns what a result says about samples; NULL: none are taken. Context: finish, signal. */
const struct fathom_sampling *fathom_sampling_plan_describe(void);

#endif
