/*
 * score_counters: the records of counters and of the program's own metrics, predicted from a profile that has them.
 *
 * The counters of a thread are one record before each enter and leave; the counters of the process are another record,
 * which the initial thread has. A profile contains the number of values that the program gave at points, for each
 * metric ("load::count"), and the number of amounts of all metrics together, of type integer and of others. At a call
 * path, each metric is assumed to have the same number of amounts.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_COUNTERS_H
#define FATHOM_TOOLS_COMMON_SCORE_COUNTERS_H

#include "tools/common/score/score_data.h"

/* Reads the counters and given values of the profile. 0, or -errno after an error message. */
int fathom_score_counters(struct fathom_score *score);
void fathom_score_counters_fini(struct fathom_score *score);

/* Adds the records of the amounts that were given at a call path. */
void fathom_score_add_amounts(const struct fathom_score *score, const struct fathom_score_values *facts,
			      struct fathom_score_cost *cost);

#endif
