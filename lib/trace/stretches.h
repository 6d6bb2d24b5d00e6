/*
 * stretches: leaves repetitions out of a trace (FATHOM_TRACE_REPEAT).
 *
 * The events of the initial thread are divided into stretches. In an MPI program, a stretch begins and ends directly
 * after an operation in which all processes have waited for each other (MPI_Barrier, MPI_Allreduce, ...). A digest
 * (stretch_digest.h) identifies the contents of a stretch, and the digests are the stream in which each process looks
 * for a period (repeat_detector.h). At the end of each stretch the processes vote: the stretch is left out if it is a
 * repetition in all processes, and at its begin and at its end no message is in flight and no request is open. As all
 * processes get the same result, they leave out the same stretches, and every message and every operation that stays in
 * the trace has all its ends.
 *
 * To know whether messages are in flight, each process adds a hash of the communicator, sender, receiver and tag for
 * each message that it has sent, and subtracts it for each that it has received. The processes vote when all of them
 * are in the same operation. So the sum over all processes is 0 if every message that was sent was received (and
 * otherwise with a probability of 2^-64).
 *
 * In a program without MPI, each process decides alone. A stretch ends where the initial thread leaves a function, or
 * a team of OpenMP ends, near the root of the call tree and after some records. How near, depends on the program: at
 * first these are the functions that main calls, and then deeper ones, if those take too long.
 *
 * Each stretch is recorded in the location's buffer as ever, so that recording costs the same as without the setting.
 * To leave the stretch out, its records are removed from the end of the buffer again. One gap takes the place of all
 * stretches that are left out in a row: the leaves of the regions that are active at its begin and not until its end,
 * the records that switch measurement off and on, a metric class with the number of the stretches, their time, the
 * shortest and the longest one, and the enters of the regions that are active at its end. The buffer is complete after
 * each stretch: if the process ends, however it does, no event is missing.
 *
 * Workers of OpenMP record teams that begin and end within a stretch, but their last records may come later. So each
 * worker removes its records of a stretch itself, before it records the next team or before its event file is closed.
 * All other threads are recorded throughout; a stretch in which threads are created or end stays in the trace.
 */
#ifndef FATHOM_TRACE_STRETCHES_H
#define FATHOM_TRACE_STRETCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "trace/location_trace.h"

/* Prepares leaving out repetitions; that many periods are recorded whole. 0: nothing is left out. 0 or -ENOMEM.
 * Context: start. */
int fathom_stretches_init(uint64_t whole_periods);

/* Returns whether repetitions are looked for. Context: hook. */
bool fathom_stretches_are_on(void);

/* The functions vote and vote_result of the substrate's table. Context: hook. */
void fathom_stretches_vote(struct fathom_location *self, uint64_t number, uint64_t *words);
void fathom_stretches_vote_result(struct fathom_location *self, uint64_t number, const uint64_t *sums);

/* For a program without MPI: fathom_stretches_begin prepares the trace of the initial thread; fathom_stretches_divide
 * ends the stretch at now and begins the next one, and top is the innermost frame afterwards; fathom_stretches_join is
 * called after the record of the end of a team. Context: hook; the first: birth. */
void fathom_stretches_begin(struct fathom_trace *trace);
void fathom_stretches_divide(struct fathom_location *self, const struct fathom_frame *top, uint64_t now);
void fathom_stretches_join(struct fathom_location *self, uint64_t now);

/* The number of records, after those that a stretch needs, after which stretches end deeper in the call tree. */
enum { FATHOM_STRETCH_MOST_RECORDS = 8192 };

/* Returns whether the stretch, which has enough records, may end at the leave of frame: near enough to the root; or
 * after so many records that later stretches must end deeper. Context: hook. */
static inline bool fathom_stretches_may_end(const struct fathom_location *self, const struct fathom_trace *trace,
					    const struct fathom_frame *frame)
{
	if (frame - self->root <= trace->division_depth)
		return true;
	return trace->division_depth && trace->buffer.events >= trace->division_events + FATHOM_STRETCH_MOST_RECORDS;
}

/* MPI has begun: from now on the processes decide together. Context: finish. */
void fathom_stretches_use_votes(void);

/* A message of this thread was sent or received; peer is a rank in the communicator with this number. Context: hook. */
void fathom_stretches_message(struct fathom_trace *trace, uint32_t comm, uint32_t peer, uint32_t tag, bool is_sent);

/* A worker is about to record the begin of a team. Context: hook. */
void fathom_stretches_follow(struct fathom_trace *trace);

/* Removes the records of a worker in a stretch that was left out. The worker records no more events. Context:
 * signal. */
void fathom_stretches_settle(struct fathom_trace *trace);

/* Returns whether a stretch was left out in this process. Context: finish. */
bool fathom_stretches_have_gaps(void);

/* Says what was left out in this process, or why nothing was. Context: finish. */
void fathom_stretches_report(void);

#endif
