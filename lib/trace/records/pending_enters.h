/*
 * pending_enters: leaves short visits of functions out of a trace (FATHOM_TRACE_GRANULARITY).
 *
 * The enter of a function is not written at once but kept as a pending enter. A record of anything but a function (an
 * MPI call, a construct of OpenMP, a lock, a user region, a parameter, a sample) first writes the pending enters, with
 * their own times. If a function is left while its enter is still pending, nothing of interest has happened in that
 * visit: it is left out if it was shorter than the granularity and not in the window with all functions
 * (detail_window.h), and otherwise written. The number of the visits left out, and their time, are values of a metric
 * class with these two members; the record stands in front of the next enter or leave that is written, so that they
 * belong to the region around the visits. An event costs a constant number of steps, and each enter is written or left
 * out once.
 *
 * The stage of this file takes the place of that of plain region records (trace.c). It is also the stage of the
 * counters' records in front of enters and leaves, because a pending enter keeps the readings of its time.
 */
#ifndef FATHOM_TRACE_PENDING_ENTERS_H
#define FATHOM_TRACE_PENDING_ENTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/substrate.h"
#include "trace/location_trace.h"

/* Sets FATHOM_TRACE_GRANULARITY; 0: all visits are recorded. The clock must have been chosen. Context: start. */
void fathom_trace_set_granularity(uint64_t granularity_ns);

/* Returns the granularity in ns, and whether it is not 0. Any context. */
uint64_t fathom_trace_granularity(void);

/* Prepares a new location for pending enters, in memory from its arena. 0 or -ENOMEM. Context: birth. */
int fathom_trace_pending_init(struct fathom_trace *trace);

/* Returns the stage of the records of regions, which calls the stage after. Only one can exist. Context: start. */
struct fathom_stage fathom_trace_pending_enters_before(struct fathom_stage after);

/* Writes the pending enters, and what was left out since the last record of it, also if recording was stopped; for the
 * end of the trace. Context: finish, signal. */
void fathom_trace_pending_end(struct fathom_trace *trace);

/* Removes the pending enter of an event that will not be continued: see fathom_trace_buffer_repair. Context: signal. */
void fathom_trace_pending_repair(struct fathom_trace *trace, const struct fathom_frame *top);

#endif
