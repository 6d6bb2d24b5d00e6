/*
 * cut_points: where traces with a ring begin (FATHOM_TRACE_OLDER=drop).
 *
 * A cut point is the end of a stretch (stretches.h) at which no message is in flight, no request is open and no thread
 * is in a team, in all processes. Messages and operations are before it in all processes or behind it in all. So a
 * trace from which all events before a cut point are dropped is valid.
 *
 * There is one cut point at a time up to which events may be dropped later, the next one. At each later cut point, a
 * process says whether its initial thread has filled its ring since the next one. As soon as one of them has, all
 * processes drop the events before it, and the present cut point becomes the next one. All processes decide the same,
 * because they get the sum of the words of all. A request to keep the newest events (event_ring.h) is such a word, too:
 * all processes then write what they have; it stays in the trace whatever is dropped later, and a gap follows.
 *
 * Workers of OpenMP record their last events of a team later than the initial thread. A worker applies the decisions
 * before it records its next team, or when its trace is closed. A process with other threads has no cut points.
 */
#ifndef FATHOM_TRACE_CUT_POINTS_H
#define FATHOM_TRACE_CUT_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "trace/location_trace.h"

/* Context: start; hook. */
void fathom_cut_points_use(void);
bool fathom_cut_points_are_on(void);

/* Returns the word of this process at the end of a stretch. is_boundary: a stretch may end here (stretches.h). Context:
 * hook. */
uint64_t fathom_cut_points_word(const struct fathom_location *self, bool is_boundary, uint64_t now);

/* Decides by the sum of the words of all processes. number: larger than those of earlier stretches; top: the innermost
 * active frame. Context: hook. */
void fathom_cut_points_decide(struct fathom_location *self, const struct fathom_frame *top, uint64_t number,
			      uint64_t sum, uint64_t now);

/* MPI has begun: from now on the processes decide together. Context: finish. */
void fathom_cut_points_use_votes(void);

/* A worker applies the decisions: before it records a team; and when it records no more events. Context: hook; signal.
 */
void fathom_cut_points_follow(struct fathom_trace *trace);
void fathom_cut_points_settle(struct fathom_trace *trace);

/* Returns whether events were dropped; says so, or that there was no cut point. Context: finish. */
bool fathom_cut_points_have_dropped(void);
void fathom_cut_points_report(void);

#endif
