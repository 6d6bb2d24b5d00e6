#include "trace/cut_points.h"

#include "define/metric.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "trace/archive.h"
#include "trace/buffer.h"
#include "trace/ring/event_ring.h"
#include "trace/records/metric_records.h"
#include "trace/records/record.h"
#include "trace/ring/ring_markers.h"
#include "trace/samples/raw_samples.h"

/* The most regions that are active at a cut point. */
enum { FRAMES_MOST = 64 };

/* Parts of a word; a sum has the number of processes in each. */
enum { PART_BITS = 21 };
static const uint64_t part_mask = (UINT64_C(1) << PART_BITS) - 1;
enum word_part {
	NO_CUT_POINT,			/* a stretch cannot end here */
	IS_FULL,			/* the ring is full of events after the next cut point */
	WANTS_ALL,			/* the newest events are to be kept */
};

/* Only the initial thread writes this; workers read it. */
static struct {
	bool is_on;
	uint64_t start;			/* number of the cut point before which events were dropped; 0: none */
	uint64_t next;			/* number of the next one; 0: none */
	uint64_t kept;			/* number of the one before which all was kept; 0: none */
	uint64_t decisions;		/* stored with release after these; workers load it with acquire */
	uint32_t requests;		/* number of requests to keep events that were answered */
	uint64_t ends;			/* number of stretches */
	uint64_t drops;
} cuts;

void fathom_cut_points_use(void)
{
	cuts.is_on = true;
}

bool fathom_cut_points_are_on(void)
{
	return cuts.is_on;
}

/* --- words ------------------------------------------------------------------------------------------------ */

/* Returns whether the process has threads that are neither the initial one nor workers. */
static bool has_other_threads(void)
{
	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		if (trace->location->kind != FATHOM_KIND_INITIAL && trace->location->kind != FATHOM_KIND_WORKER)
			return true;
	return false;
}

uint64_t fathom_cut_points_word(const struct fathom_location *self, bool is_boundary, uint64_t now)
{
	const struct fathom_trace *trace = self->trace_data;
	uint64_t word = 0;

	if (!is_boundary || !trace->buffer.cut || trace->locks || has_other_threads())
		return UINT64_C(1) << NO_CUT_POINT * PART_BITS;
	if (cuts.next && fathom_trace_ring_is_past(trace, now))
		word |= UINT64_C(1) << IS_FULL * PART_BITS;
	if (fathom_event_ring_requests() != cuts.requests)
		word |= UINT64_C(1) << WANTS_ALL * PART_BITS;
	return word;
}

static bool has(uint64_t sum, enum word_part part)
{
	return sum >> part * PART_BITS & part_mask;
}

/* --- markers ---------------------------------------------------------------------------------------------- */

static void write_region(struct fathom_location *self, enum fathom_record record, const struct fathom_frame *frame,
			 uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;

	if (self->meter)
		fathom_trace_metrics(self, trace, now);
	FATHOM_TRACE_PUT(trace, now, record, frame->region->id);
}

static bool is_in_trace(const struct fathom_frame *frame)
{
	return frame->region && !fathom_frame_is_placeholder(frame) && !fathom_trace_is_untraced(frame);
}

/* Writes a marker for the present place of the initial thread. False: it has no room. */
static bool mark(struct fathom_location *self, const struct fathom_frame *top, uint64_t number, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;
	size_t region_bytes = 64 + (self->meter ? self->meter->count : 0) * 11;
	size_t bytes = 2 * (size_t)(top - self->root + 2) * region_bytes;
	sigset_t signals;

	/* A signal handler that leaves by longjmp must not find this half done. */
	fathom_signals_block(&signals);
	if (top - self->root > FRAMES_MOST || !fathom_trace_ring_begin(trace, number, now, bytes)) {
		fathom_signals_restore(&signals);
		return false;
	}
	for (const struct fathom_frame *frame = top; frame > self->root; frame--)
		if (is_in_trace(frame))
			write_region(self, FATHOM_RECORD_LEAVE, frame, now);
	FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_OFF);
	fathom_trace_ring_middle(trace, now);
	FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_ON);
	for (const struct fathom_frame *frame = self->root + 1; frame <= top; frame++)
		if (is_in_trace(frame))
			write_region(self, FATHOM_RECORD_ENTER, frame, now);
	fathom_trace_ring_end(trace, now);
	/* What samples after the marker refer to must not be before it. */
	fathom_trace_samples_forget(trace);
	fathom_signals_restore(&signals);
	return true;
}

/* The same for a worker, which is in no region. */
static bool mark_worker(struct fathom_trace *trace, uint64_t number)
{
	uint64_t now = trace->buffer.last_ticks;

	if (!fathom_trace_ring_begin(trace, number, now, 0))
		return false;
	fathom_trace_ring_middle(trace, now);
	fathom_trace_ring_end(trace, now);
	fathom_trace_samples_forget(trace);
	return true;
}

static void lose(struct fathom_trace *trace, int err)
{
	if (!err)
		return;
	fathom_trace_fail(err);
	fathom_trace_lose(trace);
}

/* --- decisions -------------------------------------------------------------------------------------------- */

void fathom_cut_points_decide(struct fathom_location *self, const struct fathom_frame *top, uint64_t number,
			      uint64_t sum, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;

	cuts.ends++;
	if (has(sum, NO_CUT_POINT) || !trace || !fathom_trace_prepare(trace))
		return;
	if (has(sum, WANTS_ALL)) {
		if (fathom_event_ring_requests() == cuts.requests)
			fathom_event_ring_keep_all(now);
		cuts.requests = fathom_event_ring_requests();
		cuts.next = 0;
		cuts.kept = number;
		if (mark(self, top, number, now))
			lose(trace, fathom_trace_ring_keep(trace));
	} else if (cuts.next && has(sum, IS_FULL)) {
		if (trace->buffer.cut->next.number == cuts.next)
			lose(trace, fathom_trace_ring_drop(trace));
		cuts.start = cuts.next;
		cuts.drops++;
		cuts.next = mark(self, top, number, now) ? number : 0;
	} else if (!cuts.next) {
		cuts.next = mark(self, top, number, now) ? number : 0;
	} else {
		return;
	}
	__atomic_store_n(&cuts.decisions, cuts.decisions + 1, __ATOMIC_RELEASE);
}

void fathom_cut_points_use_votes(void)
{
	cuts.next = 0;
}

/* Does what was decided since the worker did this last. */
static void apply(struct fathom_trace *trace, uint64_t start, uint64_t kept)
{
	struct fathom_ring_cut *cut = trace->buffer.cut;

	if (kept > cut->applied) {
		if (mark_worker(trace, kept))
			lose(trace, fathom_trace_ring_keep(trace));
		cut->applied = kept;
	}
	if (start > cut->applied) {
		if (cut->next.number == start || mark_worker(trace, start))
			lose(trace, fathom_trace_ring_drop(trace));
		cut->applied = start;
	}
}

void fathom_cut_points_follow(struct fathom_trace *trace)
{
	uint64_t decisions = __atomic_load_n(&cuts.decisions, __ATOMIC_ACQUIRE), next;

	if (!trace->buffer.cut || trace->location->kind != FATHOM_KIND_WORKER ||
	    decisions == trace->buffer.cut->decisions)
		return;
	trace->buffer.cut->decisions = decisions;
	apply(trace, fathom_peek(&cuts.start), fathom_peek(&cuts.kept));
	next = fathom_peek(&cuts.next);
	if (next && next != trace->buffer.cut->next.number)
		mark_worker(trace, next);
}

void fathom_cut_points_settle(struct fathom_trace *trace)
{
	(void)__atomic_load_n(&cuts.decisions, __ATOMIC_ACQUIRE);
	if (trace->buffer.cut && trace->location->kind == FATHOM_KIND_WORKER)
		apply(trace, fathom_peek(&cuts.start), fathom_peek(&cuts.kept));
}

/* --- the end ---------------------------------------------------------------------------------------------- */

bool fathom_cut_points_have_dropped(void)
{
	return cuts.drops;
}

void fathom_cut_points_report(void)
{
	if (!cuts.is_on)
		return;
	if (cuts.drops)
		fathom_log(FATHOM_LOG_INFO, "FATHOM_TRACE_OLDER=drop: older events were dropped %lu times",
			   (unsigned long)cuts.drops);
	else if (!cuts.next && !cuts.kept)
		fathom_log(FATHOM_LOG_SAY, "FATHOM_TRACE_OLDER=drop dropped nothing, and older events are reduced: %s",
			   cuts.ends ? "at no time all processes were outside of teams, without open requests and "
			   "locks, and without other threads" :
			   "there was no operation, such as MPI_Allreduce, at which all processes could decide "
			   "together");
}
