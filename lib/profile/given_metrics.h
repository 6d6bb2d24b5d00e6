/*
 * given_metrics: values that the program gives of its own metrics (define/metric.h), at the call paths where it does.
 *
 * A call path has a list of the metrics that it was given (struct fathom_given in callpath.h). Each counts the values
 * and adds them up, or keeps the least or greatest of them, as the metric's type says. A metric of single values
 * (FATHOM_METRIC_POINT) also has parts: their count, the least and the greatest.
 */
#ifndef FATHOM_PROFILE_GIVEN_METRICS_H
#define FATHOM_PROFILE_GIVEN_METRICS_H

#include <stdint.h>

#include "profile/callpath.h"

/* The function of the substrate's table: the program gives a value at the innermost region's call path. bits are those
 * of the metric's type. Without memory the value is dropped and counted. Context: hook; the first value of a metric at
 * a call path: birth. */
void fathom_callpath_give(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits);

/* Adds count values of a metric, bits in sum, to what node was given. node belongs to the calling thread. Context: as
 * above. */
void fathom_callpath_give_at(struct fathom_location *self, struct fathom_node *node, const struct fathom_metric *metric,
			     uint64_t bits, uint64_t count);

#endif
