/*
 * metric_records: counters, and values that the program gives, in a trace.
 *
 * The counters of a thread are one OTF2 metric class, or one for each group if groups take turns
 * (fathom_metric_group_count). A record with the values of the class that the thread counts is before every Enter and
 * Leave, with the same time. The counters of the process are another class; the initial thread records them for its
 * location group. Each metric of the program is a class of its own, recorded when the program gives a value.
 */
#ifndef FATHOM_TRACE_METRIC_RECORDS_H
#define FATHOM_TRACE_METRIC_RECORDS_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "event/location.h"
#include "event/substrate.h"
#include "trace/archive.h"

/* Determines the metric classes. has_left_out: there is one of the visits that are left out; has_repeats: there is one
 * of repetitions. Called before the first record. Context: start. */
void fathom_trace_metrics_init(bool has_left_out, bool has_repeats);

/* Stores the ids of a group's metrics of threads in ids, which has space for FATHOM_METRIC_MOST_STRICT, and returns
 * their number. Context: hook. */
uint32_t fathom_trace_group_members(uint32_t group, uint32_t *ids);

/* Returns whether the group has a class that no group with a lower number has: groups with equal members share one.
 * Context: finish. */
bool fathom_trace_group_begins_class(uint32_t group);

/* Returns the number of the class of what is left out, see pending_enters.h: the first class after those of counters.
 * Context: hook. */
uint32_t fathom_trace_left_out_class(void);

/* Returns whether there is such a class. Context: finish. */
bool fathom_trace_has_left_out_class(void);

/* Returns the number of the class of repetitions, see stretches.h; it follows that class. Context: hook. */
uint32_t fathom_trace_repeat_class(void);

/* Returns whether there is such a class. Context: finish. */
bool fathom_trace_has_repeat_class(void);

/* Records the last readings of the location's counters. The caller has checked that the location is recorded and has
 * counters. Context: hook. */
void fathom_trace_metrics(const struct fathom_location *self, struct fathom_trace *trace, uint64_t now);

/* Records readings of the location's counters; fathom_trace_metrics records the last ones. Context: hook. */
void fathom_trace_readings(const struct fathom_location *self, struct fathom_trace *trace, uint64_t now,
			   const uint64_t *values);

/* Returns the stage that writes the last readings of the location's counters in front of each record of an enter or
 * leave, also those of teams and tasks. after: the chain of the other records. Only one can exist. Context: start. */
struct fathom_stage fathom_trace_metric_records_before(struct fathom_stage after);

/* The function metric of the substrate's table: records a value that the program gives; bits is the value, as the
 * bits of the metric's type. Context: hook. */
void fathom_trace_give(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits);

/* Returns OTF2's name for a type of metrics. Context: hook. */
OTF2_Type fathom_trace_metric_type(enum fathom_metric_type type);

/* Returns true if a metric that is not strict is in traces. Any context. */
static inline bool fathom_trace_has_class(const struct fathom_metric *metric)
{
	return metric->mode == FATHOM_METRIC_GIVEN || metric->mode == FATHOM_METRIC_POINT;
}

/* Return the number of classes of the process, and the number of those, the first ones, that are of counters.
 * Context: finish. */
uint32_t fathom_trace_metric_count(void);
uint32_t fathom_trace_strict_class_count(void);

#endif
