/*
 * idleness_values: the blame of call paths for idle threads and processors, from the process tree.
 *
 * Let T be the number of threads of a team, and W the number of those that work at a time. A call path in a parallel
 * region has the integral Z of (T - W) / W over its time (event/teams/idleness.h), and the time p itself. With the
 * largest team of the process, R, and C processors:
 *
 * 	idle threads of the team	Z
 *
 * 	missing threads, (R - W) / W	R Z / T + p (R - T) / T
 *
 * 	idle processors, (C - W) / W	C Z / T + p (C - T) / T, at least 0
 *
 * T is the number of threads that have visited the parallel region's call path: exact if the teams there have one size.
 * Outside of parallel regions one thread works, and Z is the idle time of the workers.
 */
#ifndef FATHOM_PROFILE_IDLENESS_VALUES_H
#define FATHOM_PROFILE_IDLENESS_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/process_tree/process_tree.h"

/* Chooses whether there are such values. Context: start. */
void fathom_idleness_choose(bool measured);

/* Sets the three values of a call path whose other values are in values[value_count][location_count]. Returns the
 * bits of those that are not 0. Context: finish, signal. */
fathom_presence fathom_idleness_values(const struct fathom_process_tree *process, uint32_t path, uint64_t *values);

#endif
