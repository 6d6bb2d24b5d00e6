/*
 * record: events become OTF2 records of the calling thread's location.
 *
 * Time stamps are the clock's ticks, made coarser by FATHOM_TRACE_TICK; on a location they never go back. Where there
 * is no room for a record, recording ends.
 */
#ifndef FATHOM_TRACE_RECORD_H
#define FATHOM_TRACE_RECORD_H

#include <stdbool.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/substrate.h"
#include "platform/clock.h"
#include "trace/archive.h"

/* Bits of a time stamp that are kept; see FATHOM_TRACE_TICK. */
extern uint64_t fathom_trace_tick_mask;

/* Choose the mask for ticks of that many ns (0: all bits count), and how the clock is read. Context: start. */
void fathom_trace_set_clock(uint64_t tick_ns);

extern bool fathom_trace_reads_counter;

/* The time. Context: hook. */
static inline uint64_t fathom_trace_now(void)
{
	return likely(fathom_trace_reads_counter) ? fathom_clock_counter() : fathom_clock_monotonic_ns();
}

/* The time for the record of something that follows from what another process did: a message was received, a
 * collective is over. See fathom_clock_counter_after. Context: hook. */
static inline uint64_t fathom_trace_now_after(void)
{
	return likely(fathom_trace_reads_counter) ? fathom_clock_counter_after() : fathom_clock_monotonic_ns();
}

/* How fast the clock runs, as far as it can be known now. Context: finish. */
double fathom_trace_ticks_per_second(void);

/* Recording of the location ends here: there is no disk. Context: birth. */
void fathom_trace_lose(struct fathom_trace *trace);

/* Nothing is recorded on it any more. While somebody closes the trace, that is also: wait. Context: birth. */
FATHOM_COLD void fathom_trace_miss(struct fathom_trace *trace);

/* The trace is being closed: threads wait, so that what is active stays as it is. Context: signal. */
void fathom_trace_hold_threads(bool hold);

/* The time stamp for a record at now. Context: hook. */
static inline uint64_t fathom_trace_time(const struct fathom_trace *trace, uint64_t now)
{
	now &= fathom_trace_tick_mask;
	return likely(now >= trace->buffer.last_ticks) ? now : trace->buffer.last_ticks;
}

/* Where it is recorded; NULL: it is not. Context: hook. */
static inline struct fathom_trace *fathom_trace_recording(const struct fathom_location *self)
{
	struct fathom_trace *trace = self->trace_data;

	if (likely(fathom_peek(&trace->state) <= FATHOM_TRACE_LIMITED))
		return trace;
	fathom_trace_miss(trace);
	return NULL;
}

/* Recording goes on as it does mostly, and there is room for the enter or leave of a region. Context: hook. */
static inline bool fathom_trace_is_plain(const struct fathom_trace *trace)
{
	return likely(!fathom_peek(&trace->state) && trace->buffer.end - trace->buffer.at >= FATHOM_TRACE_REGION_BYTES);
}

/* The region of frame is entered or left, as record says. Needs a plain trace. Context: hook. */
static inline void fathom_trace_region(struct fathom_trace *trace, uint64_t now, enum fathom_record record,
				       const struct fathom_frame *frame)
{
	uint64_t ticks = fathom_trace_time(trace, now);
	uint8_t *at = fathom_trace_ticks(trace->buffer.at, &trace->buffer, ticks);

	at = fathom_trace_put_region(at, record, frame->region->compact_id);
	fathom_trace_keep_region(&trace->buffer, at, ticks, frame);
}

/* The same for any trace. A frame whose enter is left out is marked quiet. Context: birth. */
FATHOM_COLD void fathom_trace_enter_rare(struct fathom_trace *trace, struct fathom_frame *frame, uint64_t now);
FATHOM_COLD void fathom_trace_exit_rare(struct fathom_trace *trace, const struct fathom_frame *frame, uint64_t now);

/* Its enter is not in the trace. */
static inline bool fathom_trace_is_untraced(const struct fathom_frame *frame)
{
	return unlikely(frame->flags & FATHOM_FRAME_UNTRACED);
}

/* The first records of a process. Context: birth. */
void fathom_trace_begin_program(const struct fathom_location *self, struct fathom_trace *trace,
				const struct fathom_frame *root);

/* The function of the substrate's table: the program switched the location's recording off or on. Context: hook. */
void fathom_trace_on_off(struct fathom_location *self, bool is_on, uint64_t now);

/* Whether recording was ever switched off in this process: then no kind of record is complete. Context: finish. */
bool fathom_trace_has_gaps(void);

#endif
