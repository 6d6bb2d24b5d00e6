/*
 * given_metrics: values of the program's own metrics (define/metric.h), at the call paths where the program gives
 * them.
 *
 * A call path has a list of its given metrics (struct fathom_given in callpath.h). An entry has the number of values
 * and their sum, or their minimum or maximum, depending on the metric's type. A metric of single values
 * (FATHOM_METRIC_POINT) also has parts: the number, the minimum and the maximum.
 */
#ifndef FATHOM_PROFILE_GIVEN_METRICS_H
#define FATHOM_PROFILE_GIVEN_METRICS_H

#include <stdint.h>

#include "profile/recording/callpath.h"

/* The function metric of the substrate's table: the program gives a value at the innermost region's call path. bits
 * is the value, as the bits of the metric's type. Without memory the value is dropped and counted. Context: hook;
 * birth for the first value of a metric at a call path. */
void fathom_callpath_give(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits);

/* Adds count values of a metric to node, which belongs to the calling thread; bits is their sum. Context: as above. */
void fathom_callpath_give_at(struct fathom_location *self, struct fathom_node *node, const struct fathom_metric *metric,
			     uint64_t bits, uint64_t count);

#endif
