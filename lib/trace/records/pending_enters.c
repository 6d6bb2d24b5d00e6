#include "trace/records/pending_enters.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "platform/lock.h"
#include "platform/vectors.h"
#include "trace/detail_window.h"
#include "trace/records/metric_records.h"
#include "trace/records/record.h"

/* If more enters are pending, all of them are written. */
enum { MOST_PENDING = 512 };

enum { NS_PER_SECOND = 1000000000 };

/* A function that was entered, and whose enter is not in the trace. */
struct pending_enter {
	struct fathom_frame *frame;	/* as it was at the enter: the core moves the stack of frames when it grows */
	ptrdiff_t depth;		/* number of frames below, on the stack of that time */
	uint64_t ticks;			/* the time of the enter */
	uint64_t visits;		/* number of visits left out in it, at any depth */
	uint64_t left_out_ticks;	/* the time of those that it called itself */
	uint64_t *values;		/* readings of the location's counters at the enter */
};

/* The pending enters of a location, the outermost first. Its own thread alone writes them, until the trace is closed.
 */
struct fathom_trace_pending {
	uint64_t count;
	uint64_t visits;		/* visits left out in the innermost region that is written, since the newest */
	uint64_t left_out_ticks;	/* record about them, and their time */
	struct pending_enter enters[MOST_PENDING];
};

/* These do not change after the start. */
static uint64_t granularity_ns, granularity_ticks;
static struct fathom_tick_scale scale;
static struct fathom_stage next;

void fathom_trace_set_granularity(uint64_t ns)
{
	enum { MEASURING_NS = 1000000 };
	const struct timespec while_ns = { .tv_nsec = MEASURING_NS };
	unsigned __int128 units;

	granularity_ns = ns;
	if (!ns)
		return;
	nanosleep(&while_ns, NULL);	/* the process has just begun: the length of a tick is not known yet */
	scale = fathom_clock_scale();
	units = ((unsigned __int128)ns << 32) / NS_PER_SECOND;
	granularity_ticks = (uint64_t)((units << 32) / scale.units_per_tick_q32);
}

uint64_t fathom_trace_granularity(void)
{
	return granularity_ns;
}

static FATHOM_COLD bool prepare(struct fathom_trace *trace);

int fathom_trace_pending_init(struct fathom_trace *trace)
{
	uint32_t count = trace->location->meter ? trace->location->meter->count : 0;
	uint64_t *values = NULL;

	trace->pending = fathom_arena_alloc(&trace->location->arena, sizeof(*trace->pending));
	if (trace->pending && count)
		values = fathom_arena_alloc(&trace->location->arena, MOST_PENDING * count * sizeof(*values));
	if (!trace->pending || (count && !values))
		return -ENOMEM;
	for (uint32_t i = 0; i < MOST_PENDING; i++)
		trace->pending->enters[i].values = values + i * count;
	trace->prepare = prepare;
	fathom_trace_add_state(trace, FATHOM_TRACE_DEFERS);
	return 0;
}

/* --- writing ------------------------------------------------------------------------------------- */

static uint64_t ns_of(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)fathom_ticks_to_units(scale, ticks) * NS_PER_SECOND >> 32);
}

/* Writes what was left out in the innermost region that is written. */
static void write_left_out(struct fathom_trace *trace, uint64_t now)
{
	struct fathom_trace_pending *pending = trace->pending;
	const uint8_t types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
	uint64_t values[] = { pending->visits, ns_of(pending->left_out_ticks) };

	if (!pending->visits)
		return;
	pending->visits = pending->left_out_ticks = 0;
	fathom_trace_put_metric(trace, fathom_trace_time(trace, now), fathom_trace_left_out_class(), 2, types, values);
}

/* Returns the frame of a pending enter, which the core may have moved. The stack may also be that of another task now,
 * and then the frame has not moved. */
static struct fathom_frame *frame_of(const struct fathom_location *self, const struct pending_enter *enter)
{
	struct fathom_frame *frame = self->root + enter->depth;

	if (frame <= self->top && frame->enter_ticks == enter->ticks && (frame->flags & FATHOM_FRAME_PENDING))
		return frame;
	return enter->frame;
}

static void write_enter(struct fathom_trace *trace, const struct pending_enter *enter)
{
	struct fathom_frame *frame = frame_of(trace->location, enter);
	uint64_t now = fathom_trace_time(trace, enter->ticks);

	write_left_out(trace, now);
	if (trace->location->meter)
		fathom_trace_readings(trace->location, trace, now, enter->values);
	if (!fathom_trace_buffer_room(trace, now, FATHOM_TRACE_REGION_BYTES))
		return;
	fathom_trace_region(trace, now, FATHOM_RECORD_ENTER, frame);
	frame->flags &= ~(uint32_t)FATHOM_FRAME_PENDING;
}

/* Writes all pending enters. A signal handler that leaves by longjmp must not find half of them written. */
static void write_enters(struct fathom_trace *trace)
{
	struct fathom_trace_pending *pending = trace->pending;
	sigset_t signals;

	if (!pending->count)
		return;
	fathom_signals_block(&signals);
	for (uint64_t i = 0; i < pending->count; i++) {
		write_enter(trace, &pending->enters[i]);
		pending->visits = pending->enters[i].visits;
		pending->left_out_ticks = pending->enters[i].left_out_ticks;
	}
	pending->count = 0;
	fathom_signals_restore(&signals);
}

/* The function prepare of struct fathom_trace. */
static FATHOM_COLD bool prepare(struct fathom_trace *trace)
{
	if (fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED))
		return false;
	write_enters(trace);
	return true;
}

void fathom_trace_pending_end(struct fathom_trace *trace)
{
	if (!trace->pending)
		return;
	write_enters(trace);
	write_left_out(trace, trace->buffer.last_ticks);
}

void fathom_trace_pending_repair(struct fathom_trace *trace, const struct fathom_frame *top)
{
	struct fathom_trace_pending *pending = trace->pending;

	if (pending && pending->count && pending->enters[pending->count - 1].frame == top + 1)
		pending->count--;
}

/* --- the stage ----------------------------------------------------------------------------------- */

/* Keeps the enter of frame's region as a pending one; there is room for it. The count changes last: a signal handler
 * that leaves by longjmp finds the enter complete or does not find it. */
static inline void keep_pending(const struct fathom_location *self, struct fathom_trace_pending *pending,
				struct fathom_frame *frame, uint64_t now)
{
	struct pending_enter *enter = &pending->enters[pending->count];

	enter->frame = frame;
	enter->depth = frame - self->root;
	enter->ticks = now;
	enter->visits = enter->left_out_ticks = 0;
	frame->flags |= FATHOM_FRAME_PENDING;
	atomic_signal_fence(memory_order_release);
	fathom_poke(&pending->count, pending->count + 1);
}

/* Leaves out the visit of the innermost pending enter, which took that many ticks. */
static inline void leave_out(struct fathom_trace_pending *pending, uint64_t ticks)
{
	uint64_t count = pending->count - 1;
	struct pending_enter *enter = &pending->enters[count];

	if (count) {
		enter[-1].visits += enter->visits + 1;
		enter[-1].left_out_ticks += ticks;
	} else {
		pending->visits += enter->visits + 1;
		pending->left_out_ticks += ticks;
	}
	atomic_signal_fence(memory_order_release);
	fathom_poke(&pending->count, count);
}

/* Returns true if the location is recorded, nothing limits recording, and the region is a function. */
static inline bool may_be_pending(const struct fathom_trace *trace, const struct fathom_frame *frame)
{
	return fathom_peek(&trace->state) == FATHOM_TRACE_DEFERS &&
	       frame->region->paradigm == FATHOM_PARADIGM_COMPILER;
}

/* Returns whether the innermost pending enter is that of frame; false also if the core has moved the frame. */
static inline bool is_innermost(const struct fathom_trace_pending *pending, const struct fathom_frame *frame)
{
	return pending->count && pending->enters[pending->count - 1].frame == frame;
}

static void record_enter(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;
	uint32_t state = fathom_peek(&trace->state) & ~(uint32_t)FATHOM_TRACE_DEFERS;
	bool is_function = frame->region->paradigm == FATHOM_PARADIGM_COMPILER;

	if (!state && is_function && trace->pending) {
		if (trace->pending->count == MOST_PENDING)
			write_enters(trace);
		if (self->meter)
			memcpy(trace->pending->enters[trace->pending->count].values, self->meter->values,
			       self->meter->count * sizeof(self->meter->values[0]));
		keep_pending(self, trace->pending, frame, now);
		return;
	}
	if (!(state & ~(uint32_t)FATHOM_TRACE_LIMITED) && !(state && is_function) && trace->pending) {
		write_enters(trace);
		write_left_out(trace, now);
		if (self->meter)
			fathom_trace_metrics(self, trace, now);
	}
	fathom_trace_enter_rare(trace, frame, now);
}

FATHOM_HIDDEN void fathom_trace_enter_slowly(struct fathom_location *self, struct fathom_frame *frame);
FATHOM_COLD void fathom_trace_enter_slowly(struct fathom_location *self, struct fathom_frame *frame)
{
	uint64_t now = fathom_trace_now();

	record_enter(self, frame, now);
	next.enter_at(self, frame, now);
}
FATHOM_KEEPS_VECTORS(fathom_trace_enter_slowly);

static void enter_pending(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_trace *trace = self->trace_data;
	struct fathom_trace_pending *pending = trace->pending;
	uint64_t now;

	if (unlikely(!fathom_trace_reads_counter || !may_be_pending(trace, frame) || self->meter ||
		     pending->count == MOST_PENDING)) {
		fathom_trace_enter_slowly_kept(self, frame);
		return;
	}
	now = fathom_clock_counter();
	keep_pending(self, pending, frame, now);
	next.enter_at(self, frame, now);
}

static void enter_pending_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (!fathom_trace_is_untraced(frame))
		record_enter(self, frame, now);
	next.enter_at(self, frame, now);
}

/* Records the leave of a region whose enter is in the trace, or is the innermost pending one. */
static void record_leave(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;

	if (!(fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED)) && trace->pending) {
		write_enters(trace);
		write_left_out(trace, now);
		if (self->meter)
			fathom_trace_metrics(self, trace, now);
	}
	fathom_trace_exit_rare(trace, frame, now);
}

FATHOM_HIDDEN void fathom_trace_leave_slowly(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
FATHOM_COLD void fathom_trace_leave_slowly(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;
	struct fathom_trace_pending *pending = trace->pending;

	if (frame->flags & FATHOM_FRAME_UNTRACED) {
		next.exit(self, frame, now);
		return;
	}
	if (unlikely(trace->chosen_phase == frame->region && trace->chosen_depth == frame - self->root)) {
		trace->chosen_phase = NULL;
		fathom_detail_window_end_iteration(now);
	}
	if (!(frame->flags & FATHOM_FRAME_PENDING)) {
		record_leave(self, frame, now);
	} else if (fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED)) {
		fathom_trace_miss(trace);
	} else if (pending->count && frame_of(self, &pending->enters[pending->count - 1]) == frame) {
		uint64_t ticks = now - pending->enters[pending->count - 1].ticks;

		if (ticks < granularity_ticks && !fathom_detail_window_has(now - ticks, now))
			leave_out(pending, ticks);
		else
			record_leave(self, frame, now);
	}
	next.exit(self, frame, now);
}
FATHOM_KEEPS_VECTORS(fathom_trace_leave_slowly);

static void leave_pending(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;
	struct fathom_trace_pending *pending = trace->pending;
	uint64_t ticks;

	if (unlikely(fathom_peek(&trace->state) != FATHOM_TRACE_DEFERS || !is_innermost(pending, frame))) {
		fathom_trace_leave_slowly_kept(self, frame, now);
		return;
	}
	ticks = now - pending->enters[pending->count - 1].ticks;
	if (unlikely(ticks >= granularity_ticks || fathom_detail_window_has(now - ticks, now))) {
		fathom_trace_leave_slowly_kept(self, frame, now);
		return;
	}
	leave_out(pending, ticks);
	next.exit(self, frame, now);
}

struct fathom_stage fathom_trace_pending_enters_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.enter = enter_pending;
	stage.enter_at = enter_pending_at;
	stage.exit = leave_pending;
	return stage;
}
