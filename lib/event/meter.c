#include "event/meter.h"

#include <errno.h>
#include <string.h>

#include "event/result.h"
#include "event/state.h"
#include "event/tasks.h"
#include "metric/counters.h"
#include "platform/vectors.h"

/* Whom the events go to; constant once there are any. */
static const struct fathom_substrate *next;

/* While the process is being saved from a crash, no counters are opened or read that are not yet: whoever reads them
 * may be what crashed. */
static bool is_paused;

/* What counters of the program stood at when the measurement began. */
static uint64_t at_start[FATHOM_METRIC_MOST_STRICT];

FATHOM_KEEPS_VECTORS(fathom_counters_read_part);

/* Reads all counters of a thread. Vector registers and errno are kept, as this runs in hooks that the compiler does not
 * know of. */
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
 * Counters belong to threads, locations to places in the program: a location may be served by one thread after the
 * other, and be closed by another one than that. So a thread reads its own counters where it is at work, and
 * elsewhere the last reading stands.
 */
static inline void read_meter(const struct fathom_location *self)
{
	struct fathom_meter *meter = self->meter;

	if (unlikely(!meter->counters || meter->counters != fathom_own_counters))
		return;
	read_counters(meter->counters, meter->values);
}

/* The calling thread begins to work there; no visit is open. */
static void adopt(const struct fathom_location *self)
{
	struct fathom_meter *meter = self->meter;
	struct fathom_counters *counters = is_paused ? NULL : fathom_counters_open();

	if (meter->counters != counters)
		memset(meter->values, 0, meter->count * sizeof(*meter->values));
	meter->counters = counters;
	read_meter(self);
}

/* A thread that was announced reads nothing before it is here, see hang. */
static int birth(struct fathom_location *self, struct fathom_frame *root)
{
	uint32_t count = fathom_metric_strict_count();

	self->meter = fathom_arena_alloc(&self->arena, sizeof(*self->meter) + count * sizeof(*self->meter->values));
	if (!self->meter)
		return -ENOMEM;
	/* Only the initial thread has those of the process. */
	self->meter->count = self->kind == FATHOM_KIND_INITIAL ? count : fathom_metric_thread_count();
	if (self->kind == FATHOM_KIND_FOREIGN || self->kind == FATHOM_KIND_SCRATCH)
		adopt(self);
	/* What was counted since the start is the program's. */
	if (self->kind == FATHOM_KIND_INITIAL) {
		self->meter->counters = fathom_own_counters;
		memcpy(self->meter->values, at_start, count * sizeof(*at_start));
	}
	return next->birth(self, root);
}

static void meter_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	read_meter(self);
	next->enter(self, frame);
}

static void meter_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next->exit(self, frame, now);
}

static void enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next->enter_at(self, frame, now);
}

static void hang(struct fathom_location *self, struct fathom_frame *frame, void *origin)
{
	adopt(self);
	next->hang(self, frame, origin);
}

static void task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next->task_begin(self, frame, now);
}

static void task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	read_meter(self);
	next->task_end(self, frame, now);
}

/* These two are called for all frames of a task at the same time. */
static void suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (frame == self->root)
		read_meter(self);
	next->suspend(self, frame, now);
}

static void resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	if (frame == self->root)
		read_meter(self);
	next->resume(self, frame, now, is_moved);
}

/* Traces have regions in these, too. */
static void team_begin(struct fathom_location *self, const struct fathom_team *team, uint32_t number, uint64_t now)
{
	read_meter(self);
	next->team_begin(self, team, number, now);
}

static void team_end(struct fathom_location *self, const struct fathom_team *team, uint64_t now)
{
	read_meter(self);
	next->team_end(self, team, now);
}

static void task_start(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	read_meter(self);
	next->task_start(self, task, now);
}

static void task_complete(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	read_meter(self);
	next->task_complete(self, task, now);
}

/* What is active ends with the last reading, see fathom_meter_end. */
static int finish(struct fathom_comm *comm, const struct fathom_result *result)
{
	const struct fathom_location *self = fathom_self;

	if (!is_paused && self->meter && self->kind == FATHOM_KIND_INITIAL && result->rank == 0)
		fathom_counters_say_silent(self->meter->values);
	return next->finish(comm, result);
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

const struct fathom_substrate *fathom_meter_before(const struct fathom_substrate *substrate)
{
	static struct fathom_substrate table;

	next = substrate;
	table = *substrate;
	table.birth = birth;
	table.enter = meter_enter;
	table.exit = meter_exit;
	table.enter_at = enter_at;
	table.hang = hang;
	table.task_begin = task_begin;
	table.task_end = task_end;
	table.suspend = suspend;
	table.resume = resume;
	table.finish = finish;
	if (substrate->team_begin) {
		table.team_begin = team_begin;
		table.team_end = team_end;
	}
	if (substrate->task_start) {
		table.task_start = task_start;
		table.task_complete = task_complete;
	}
	return &table;
}
