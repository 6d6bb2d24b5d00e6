/*
 * score_counters: the records of counters and of the program's own metrics, from a profile that has them.
 *
 * The counters of a thread are one record before each enter and leave; the counters of the process are another
 * record, which the initial thread has. A profile knows how many values of each metric the program gave at points
 * ("load::count"), and how many amounts it gave of all metrics together, integers and others. Of the amounts at a
 * call path, each metric is taken to be given equally often.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_COUNTERS_H
#define FATHOM_TOOLS_COMMON_SCORE_COUNTERS_H

#include "tools/common/score.h"

/* Reads what the profile says of counters and given values. 0, or -errno after an error message. */
int fathom_score_counters(struct fathom_score *score);
void fathom_score_counters_fini(struct fathom_score *score);

/* Adds the records of the amounts that were given at a call path. */
void fathom_score_add_amounts(const struct fathom_score *score, const struct fathom_score_values *facts,
			      struct fathom_score_cost *cost);

#endif
