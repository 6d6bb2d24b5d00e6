#include "profile/recording/burst_stage.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "define/burst_boundary.h"
#include "define/region.h"
#include "event/location.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"
#include "platform/vectors.h"
#include "profile/recording/burst_log.h"
#include "profile/recording/callpath.h"

FATHOM_KEEPS_VECTORS(fathom_burst_log_make_room);

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

static inline struct fathom_burst_log *log_of(const struct fathom_location *self)
{
	return ((const struct fathom_callpaths *)self->substrate_data)->bursts;
}

/* --- frames ---------------------------------------------------------------------------------------------- */

/* Returns the innermost frame from frame downwards whose region a trace has too, or that is an anchor or the lowest
 * frame. */
static const struct fathom_frame *recorded_frame(const struct fathom_frame *frame)
{
	const uint32_t unrecorded = FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_UNTRACED | FATHOM_FRAME_LOST;
	const uint32_t ends = FATHOM_FRAME_BOTTOM | FATHOM_FRAME_ANCHOR | FATHOM_FRAME_PAUSE;

	while (frame->flags & unrecorded && !(frame->flags & ends))
		frame--;
	return frame;
}

/* Returns whether a thread whose innermost frame is frame computes. Outside of all regions this is so in a team, in an
 * explicit task that is not recorded, and in the initial thread. */
static __attribute__((noinline)) bool computes(const struct fathom_location *self, const struct fathom_frame *frame)
{
	frame = recorded_frame(frame);
	if (frame->flags & FATHOM_FRAME_PAUSE || self->is_paused)
		return false;
	if (frame->flags & FATHOM_FRAME_ANCHOR)
		return self->team;
	if (frame->flags & FATHOM_FRAME_PLACEHOLDER)
		return true;
	if (frame->flags & FATHOM_FRAME_BOTTOM && frame->region->paradigm != FATHOM_PARADIGM_OPENMP)
		return self->kind == FATHOM_KIND_INITIAL;
	return !fathom_region_divides_bursts(frame->region) || fathom_region_is_burst_body(frame->region);
}

/* --- bursts ---------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void begin_burst(const struct fathom_location *self, struct fathom_burst_log *log,
						  uint64_t now, const struct fathom_node *before)
{
	for (uint32_t c = 0; c < log->counter_count; c++)
		log->readings[c] = self->meter->values[c];
	fathom_poke(&log->begin, now);
	fathom_poke(&log->before, before);
	fathom_poke(&log->state, FATHOM_BURST_OPEN);
}

/* Adds the record of the burst that is open. */
static inline void record_burst(const struct fathom_location *self, struct fathom_burst_log *log, uint64_t now,
				const struct fathom_node *after)
{
	uint64_t *record = log->next;

	record[FATHOM_BURST_BEGIN] = log->begin;
	record[FATHOM_BURST_END] = now;
	record[FATHOM_BURST_BEFORE] = (uint64_t)(uintptr_t)log->before;
	record[FATHOM_BURST_AFTER] = (uint64_t)(uintptr_t)after;
	for (uint32_t c = 0; c < log->counter_count; c++)
		record[FATHOM_BURST_COUNTERS + c] = self->meter->values[c] - log->readings[c];
	/* A jump that leaves here finds the record outside of the log, and one that leaves later finds it complete. */
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&log->next, record + fathom_burst_log_width(log), __ATOMIC_RELEASE);
}

/* Ends the burst that the thread is in, if it is in one. A burst without duration is none. */
static __attribute__((noinline)) void end_burst(const struct fathom_location *self, struct fathom_burst_log *log,
						uint64_t now, const struct fathom_node *after)
{
	uint32_t state = log->state;

	if (unlikely(state == FATHOM_BURST_INTERRUPTED))
		log->interrupted++;
	if (state != FATHOM_BURST_OPEN) {
		if (state != FATHOM_BURST_NEVER)
			fathom_poke(&log->state, FATHOM_BURST_NONE);
		return;
	}
	fathom_poke(&log->state, FATHOM_BURST_NONE);
	if (now <= log->begin)
		return;
	if (unlikely(log->next >= log->end) && !fathom_burst_log_make_room_kept(log))
		return;
	record_burst(self, log, now, after);
}

/* Begins a burst if the thread, whose innermost frame is frame, computes. */
static void begin_if_computing(const struct fathom_location *self, struct fathom_burst_log *log,
			       const struct fathom_frame *frame, uint64_t now, const struct fathom_node *before)
{
	if (log->state != FATHOM_BURST_NEVER && computes(self, frame))
		begin_burst(self, log, now, before);
}

/* --- the stage ------------------------------------------------------------------------------------------- */

static int birth(struct fathom_location *self, struct fathom_frame *root)
{
	struct fathom_callpaths *paths = self->substrate_data;

	paths->bursts = fathom_burst_log_create(self);
	if (!paths->bursts)
		return -ENOMEM;
	begin_if_computing(self, paths->bursts, root, self->birth_ticks, NULL);
	return next.birth(self, root);
}

/* A call or construct begins. */
static __attribute__((noinline)) void enter_boundary(struct fathom_location *self, struct fathom_frame *frame,
						     uint64_t now)
{
	struct fathom_burst_log *log = log_of(self);

	end_burst(self, log, now, frame->node);
	if (fathom_region_is_burst_body(frame->region) && log->state != FATHOM_BURST_NEVER)
		begin_burst(self, log, now, frame->node);
}

/* A function begins in a thread that did not compute: a call of the runtime calls it, or it is the first one of a
 * thread. The burst ends with the function. */
static __attribute__((noinline)) void enter_outer(struct fathom_location *self, struct fathom_frame *frame,
						  uint64_t now)
{
	fathom_poke(&frame->flags, frame->flags | FATHOM_FRAME_BURSTS);
	begin_burst(self, log_of(self), now, NULL);
}

static inline bool is_outer(const struct fathom_location *self)
{
	return unlikely(log_of(self)->state == FATHOM_BURST_NONE);
}

/* The clock is read before the work is done, so that the call around gets the time that this work takes. */
static void burst_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	bool divides = fathom_region_divides_bursts(frame->region);

	if (divides || is_outer(self)) {
		uint64_t now = fathom_clock_ticks();

		(divides ? enter_boundary : enter_outer)(self, frame, now);
		next.enter_at(self, frame, now);
		return;
	}
	next.enter(self, frame);
}

static void burst_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	bool divides = fathom_region_divides_bursts(frame->region);

	if (!(frame->flags & FATHOM_FRAME_UNTRACED) && (divides || is_outer(self)))
		(divides ? enter_boundary : enter_outer)(self, frame, now);
	next.enter_at(self, frame, now);
}

/* Ends a call or construct, a region that a trace does not have, or the outermost function in a call. */
static __attribute__((noinline)) void exit_rare(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_burst_log *log = log_of(self);

	if (frame->flags & FATHOM_FRAME_UNTRACED) {
		/* The thread may come back from an explicit task, or from a pause. */
		if (log->state == FATHOM_BURST_NONE)
			begin_if_computing(self, log, frame - 1, now, recorded_frame(frame - 1)->node);
	} else if (frame->flags & FATHOM_FRAME_BURSTS) {
		end_burst(self, log, now, NULL);
	} else {
		end_burst(self, log, now, frame->node);
		begin_if_computing(self, log, frame - 1, now, frame->node);
	}
}

static void burst_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	/* The anchor of a created thread has no region; like all anchors it has the flag FATHOM_FRAME_UNTRACED. */
	if (unlikely(frame->flags & (FATHOM_FRAME_BURSTS | FATHOM_FRAME_UNTRACED)) ||
	    fathom_region_divides_bursts(frame->region))
		exit_rare(self, frame, now);
	next.exit(self, frame, now);
}

static void task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_burst_log *log = log_of(self);

	end_burst(self, log, now, recorded_frame(self->top)->node);
	if (!self->is_paused)
		begin_burst(self, log, now, frame->node);
	next.task_begin(self, frame, now);
}

/* The thread's other frames say later whether it computes then: see exit_rare and resume. */
static void task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	end_burst(self, log_of(self), now, frame->node);
	next.task_end(self, frame, now);
}

/* suspend and resume are called for each frame of the task. */
static void suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (frame == self->root)
		end_burst(self, log_of(self), now, recorded_frame(self->top)->node);
	next.suspend(self, frame, now);
}

static void resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	next.resume(self, frame, now, is_moved);
	if (frame == self->top)
		begin_if_computing(self, log_of(self), frame, now, recorded_frame(frame)->node);
}

/* The leader's parallel region began with the fork, without an event in a trace; there it begins and ends with the
 * leader's part in the team. */
static void team_begin(struct fathom_location *self, struct fathom_team *team, uint32_t number, uint64_t now)
{
	struct fathom_burst_log *log = log_of(self);
	const struct fathom_node *around = recorded_frame(self->top)->node;

	end_burst(self, log, now, around);
	begin_if_computing(self, log, self->top, now, self == team->leader ? self->top->node : around);
	if (next.team_begin)
		next.team_begin(self, team, number, now);
}

static void team_end(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	struct fathom_burst_log *log = log_of(self);
	const struct fathom_node *around = recorded_frame(self->top)->node;

	end_burst(self, log, now, self == team->leader ? self->top->node : around);
	begin_if_computing(self, log, self->top, now, around);
	if (next.team_end)
		next.team_end(self, team, now);
}

static void no_task(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	(void)self, (void)task, (void)now;
}

void fathom_burst_stage_on_off(struct fathom_location *self, bool is_on, uint64_t now)
{
	struct fathom_burst_log *log = log_of(self);

	(void)now;
	if (log->state == FATHOM_BURST_NEVER || log->is_off == !is_on)
		return;
	log->is_off = !is_on;
	if (!is_on && log->state != FATHOM_BURST_NONE)
		log->interrupted++;
	fathom_poke(&log->state, is_on && computes(self, self->top) ? FATHOM_BURST_INTERRUPTED : FATHOM_BURST_NONE);
}

struct fathom_stage fathom_burst_stage_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.birth = birth;
	stage.enter = burst_enter;
	stage.enter_at = burst_enter_at;
	stage.exit = burst_exit;
	stage.task_begin = task_begin;
	stage.task_end = task_end;
	stage.suspend = suspend;
	stage.resume = resume;
	stage.team_begin = team_begin;
	stage.team_end = team_end;
	/* A chain has all four functions of teams and tasks, or none of them. */
	if (!after.task_start) {
		stage.task_start = no_task;
		stage.task_complete = no_task;
	}
	return stage;
}
