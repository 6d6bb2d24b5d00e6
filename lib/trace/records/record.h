/*
 * record: writes events as OTF2 records of the calling thread's location.
 *
 * Time stamps are ticks of the clock, rounded down as FATHOM_TRACE_TICK says; on a location they never decrease. When
 * there is no memory and no disk space for a record, recording of the location ends.
 */
#ifndef FATHOM_TRACE_RECORD_H
#define FATHOM_TRACE_RECORD_H

#include <stdbool.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/substrate.h"
#include "platform/clock.h"
#include "trace/buffer.h"

/* The bits of a time stamp that are kept; see FATHOM_TRACE_TICK. It does not change after the start. */
extern uint64_t fathom_trace_tick_mask;

/* Chooses the mask for a resolution of that many ns (0: all bits are kept), and how the clock is read. Context:
 * start. */
void fathom_trace_set_clock(uint64_t tick_ns);

extern bool fathom_trace_reads_counter;

/* Returns the time. Context: hook. */
static inline uint64_t fathom_trace_now(void)
{
	return likely(fathom_trace_reads_counter) ? fathom_clock_counter() : fathom_clock_monotonic_ns();
}

/* Returns the time for the record of an event that follows from an action of another process: a message was received,
 * a collective operation is complete. See fathom_clock_counter_after. Context: hook. */
static inline uint64_t fathom_trace_now_after(void)
{
	return likely(fathom_trace_reads_counter) ? fathom_clock_counter_after() : fathom_clock_monotonic_ns();
}

/* Returns the clock's rate, as far as it is known now. Context: finish. */
double fathom_trace_ticks_per_second(void);

/* Counts an event of a location that is not recorded any more. While a thread closes the trace, the calling thread
 * waits here until it is closed. Context: birth. */
FATHOM_COLD void fathom_trace_miss(struct fathom_trace *trace);

/*
 * After fathom_trace_hold_threads, the other threads wait at their next event, so that active regions do not change
 * while the calling thread closes the trace, or until a copy of the process has done so. They continue after
 * fathom_trace_release_threads; or when the calling thread waits for a lock, which one of them may hold; or after
 * most_seconds. Context: signal.
 */
void fathom_trace_hold_threads(uint32_t most_seconds);
void fathom_trace_release_threads(void);

/* Returns the time stamp of a record at now. Context: hook. */
static inline uint64_t fathom_trace_time(const struct fathom_trace *trace, uint64_t now)
{
	now &= fathom_trace_tick_mask;
	return likely(now >= trace->buffer.last_ticks) ? now : trace->buffer.last_ticks;
}

/* Returns the time of the newest record that is no sample: in a call, that of its enter if nothing was recorded since.
 * Context: hook. */
static inline uint64_t fathom_trace_event_ticks(const struct fathom_trace *trace)
{
	if (unlikely(trace->samples && trace->buffer.events == trace->sample_events))
		return trace->ticks_before_samples;
	return trace->buffer.last_ticks;
}

/* Writes a record of what began at the newest record that is no sample. Samples were taken later, so the record comes
 * before them. Context: hook. */
static inline void fathom_trace_put_begun(struct fathom_trace *trace, enum fathom_record record, const uint64_t *values,
					  size_t count)
{
	uint64_t ticks = fathom_trace_event_ticks(trace);

	if (likely(ticks == trace->buffer.last_ticks)) {
		fathom_trace_put(trace, ticks, record, values, count);
		return;
	}
	fathom_trace_put_late(trace, ticks, record, values, count);
	trace->sample_events = trace->buffer.events;
}

/* FATHOM_TRACE_PUT_BEGUN(trace, FATHOM_RECORD_MPI_SEND, receiver, communicator, tag, bytes) */
#define FATHOM_TRACE_PUT_BEGUN(trace, record, ...) \
	fathom_trace_put_begun((trace), (record), (const uint64_t[]){ 0, ##__VA_ARGS__ }, \
			       sizeof((const uint64_t[]){ 0, ##__VA_ARGS__ }) / sizeof(uint64_t) - 1)

/* Prepares for a record that is no enter or leave of a region: writes pending enters. False: the location is not
 * recorded any more. Context: hook. */
static inline bool fathom_trace_prepare(struct fathom_trace *trace)
{
	uint32_t state = fathom_peek(&trace->state);

	return likely(state <= FATHOM_TRACE_LIMITED) ||
	       ((state & FATHOM_TRACE_DEFERS) && trace->prepare(trace));
}

/* Returns the trace of a location that is recorded; NULL: it is not recorded, and the event is counted. Context:
 * hook. */
static inline struct fathom_trace *fathom_trace_recording(const struct fathom_location *self)
{
	struct fathom_trace *trace = self->trace_data;

	if (likely(fathom_trace_prepare(trace)))
		return trace;
	fathom_trace_miss(trace);
	return NULL;
}

/* Returns true if nothing limits recording, and there is room for the enter or leave of a region. Context: hook. */
static inline bool fathom_trace_is_plain(const struct fathom_trace *trace)
{
	return likely(!fathom_peek(&trace->state) && trace->buffer.end - trace->buffer.at >= FATHOM_TRACE_REGION_BYTES);
}

/* Writes the enter or leave record of frame's region. fathom_trace_is_plain must be true. Context: hook. */
static inline void fathom_trace_region(struct fathom_trace *trace, uint64_t now, enum fathom_record record,
				       const struct fathom_frame *frame)
{
	uint64_t ticks = fathom_trace_time(trace, now);
	uint8_t *at = fathom_trace_ticks(trace->buffer.at, &trace->buffer, ticks);

	at = fathom_trace_put_region(at, record, frame->region->compact_id);
	fathom_trace_keep_region(&trace->buffer, at, ticks, frame);
}

/* fathom_trace_enter_rare and fathom_trace_exit_rare write the enter or leave record if fathom_trace_is_plain is
 * false. A frame whose enter is not recorded is marked as untraced. Context: birth. */
FATHOM_COLD void fathom_trace_enter_rare(struct fathom_trace *trace, struct fathom_frame *frame, uint64_t now);
FATHOM_COLD void fathom_trace_exit_rare(struct fathom_trace *trace, const struct fathom_frame *frame, uint64_t now);

/* The function on_off of the substrate's table: the program paused the location, or ended the pause. Context: hook. */
void fathom_trace_on_off(struct fathom_location *self, bool is_on, uint64_t now);

/* Returns true if recording was ever paused in this process: then no kind of record is complete. Context: finish. */
bool fathom_trace_has_gaps(void);

#endif
