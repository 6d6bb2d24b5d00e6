#include "event/meter.h"

#include <errno.h>
#include <string.h>

#include "define/metric.h"
#include "event/counter_turns.h"
#include "event/result.h"
#include "event/state.h"
#include "event/teams/tasks.h"
#include "metric/counters.h"
#include "platform/vectors.h"

/* The next stage, and the substrate's function finish; they do not change after the start. */
static struct fathom_stage next;
static __typeof__(((struct fathom_substrate *)NULL)->finish) finish_substrate;

/* True during crash saving: no counters are opened, because their source may have caused the crash. */
static bool is_paused;

/* The values of the counters of the initial thread when the measurement began. */
static uint64_t at_start[FATHOM_METRIC_MOST_STRICT];

FATHOM_KEEPS_VECTORS(fathom_counters_read_part);

/* Reads all counters of a thread. Keeps vector registers and errno, because the compiler does not see this call in
 * the code of the instrumented function. */
static inline void read_counters(struct fathom_counters *counters, uint64_t *values)
{
	for (uint32_t i = 0; i < counters->part_count; i++) {
		struct fathom_metric_reader *part = &counters->parts[i];

		if (likely(part->source->keeps_vectors))
			part->source->read(part, values);
		else
			fathom_counters_read_part_kept(part, values);
	}
}

/*
 * Counters belong to threads, but several threads may use a location one after the other, and yet another thread may
 * end its visits. A thread reads only its own counters, on the location that it works on; otherwise the last values
 * remain.
 */
static inline void read_meter(const struct fathom_location *self)
{
	struct fathom_meter *meter = self->meter;

	if (unlikely(!meter->counters || meter->counters != fathom_own_counters))
		return;
	read_counters(meter->counters, meter->values);
}

/* The calling thread begins to work on the location self; no visit is active there. If the counters are different
 * ones than before, the values start again from 0. */
static void adopt(const struct fathom_location *self)
{
	struct fathom_meter *meter = self->meter;
	struct fathom_counters *counters = is_paused ? NULL : fathom_counters_open();

	if (meter->counters != counters)
		memset(meter->values, 0, meter->count * sizeof(*meter->values));
	meter->counters = counters;
	meter->group = counters ? counters->group : FATHOM_NO_COUNTER_GROUP;
	read_meter(self);
}

/* A location of a created thread or a worker gets its counters in anchor, when the thread itself runs. */
static int birth(struct fathom_location *self, struct fathom_frame *root)
{
	uint32_t count = fathom_metric_strict_count();

	self->meter = fathom_arena_alloc(&self->arena, sizeof(*self->meter) + count * sizeof(*self->meter->values));
	if (!self->meter)
		return -ENOMEM;
	/* Only the initial thread has the metrics of the process. */
	self->meter->count = self->kind == FATHOM_KIND_INITIAL ? count : fathom_metric_thread_count();
	if (self->kind == FATHOM_KIND_FOREIGN || self->kind == FATHOM_KIND_SCRATCH)
		adopt(self);
	/* What the counters have counted since the start belongs to the program. */
	if (self->kind == FATHOM_KIND_INITIAL) {
		self->meter->counters = fathom_own_counters;
		self->meter->group = fathom_own_counters ? fathom_own_counters->group : 0;
		memcpy(self->meter->values, at_start, count * sizeof(*at_start));
	}
	return next.birth(self, root);
}

static void meter_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	read_meter(self);
	next.enter(self, frame);
}

static void meter_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next.exit(self, frame, now);
}

static void enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next.enter_at(self, frame, now);
}

static void anchor(struct fathom_location *self, struct fathom_frame *frame, void *origin)
{
	adopt(self);
	next.anchor(self, frame, origin);
}

static void task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next.task_begin(self, frame, now);
}

static void task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next.task_end(self, frame, now);
}

/* suspend and resume are called for all frames of a task at the same time: one reading, at the first frame, is
 * enough. */
static void suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (frame == self->root)
		read_meter(self);
	next.suspend(self, frame, now);
}

static void resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	if (frame == self->root)
		read_meter(self);
	next.resume(self, frame, now, is_moved);
}

/* For traces, these functions also begin and end regions. */
static void team_begin(struct fathom_location *self, struct fathom_team *team, uint32_t number, uint64_t now)
{
	read_meter(self);
	next.team_begin(self, team, number, now);
}

static void team_end(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	read_meter(self);
	next.team_end(self, team, now);
}

static void task_start(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	read_meter(self);
	next.task_start(self, task, now);
}

static void task_complete(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	read_meter(self);
	next.task_complete(self, task, now);
}

/* The regions that are still active end with the last reading, see fathom_meter_end. */
static int finish(struct fathom_comm *comm, const struct fathom_result *result)
{
	const struct fathom_location *self = fathom_self;

	if (!is_paused && self->meter && self->kind == FATHOM_KIND_INITIAL && result->rank == 0)
		fathom_counters_say_silent(self->meter->values);
	return finish_substrate(comm, result);
}

void fathom_meter_begin(void)
{
	if (fathom_own_counters)
		read_counters(fathom_own_counters, at_start);
}

void fathom_meter_end(void)
{
	if (!is_paused && fathom_self->meter)
		read_meter(fathom_self);
}

void fathom_meter_pause(bool pause)
{
	is_paused = pause;
}

/* Returns the stage of readings. */
static struct fathom_stage before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.birth = birth;
	stage.enter = meter_enter;
	stage.exit = meter_exit;
	stage.enter_at = enter_at;
	stage.anchor = anchor;
	stage.task_begin = task_begin;
	stage.task_end = task_end;
	stage.suspend = suspend;
	stage.resume = resume;
	if (after.team_begin) {
		stage.team_begin = team_begin;
		stage.team_end = team_end;
		stage.task_start = task_start;
		stage.task_complete = task_complete;
	}
	return stage;
}

const struct fathom_substrate *fathom_meter_before(const struct fathom_substrate *substrate)
{
	static struct fathom_substrate with_readings;

	with_readings = *substrate;
	with_readings.chain = before(substrate->chain);
	if (fathom_metric_group_count() > 1)
		with_readings.chain = fathom_counter_turns_before(with_readings.chain);
	finish_substrate = substrate->finish;
	with_readings.finish = finish;
	return &with_readings;
}
