#include "trace/records/metric_records.h"

#include "define/metric.h"
#include "event/teams/tasks.h"
#include "trace/records/record.h"

/* The numbers of the classes of this process: the counters of threads, by group, those of the process, visits that are
 * left out, repetitions, then each metric of the program; each only if it exists. They do not change after the
 * start. */
static struct {
	OTF2_Type types[FATHOM_METRIC_MOST_STRICT];
	uint32_t thread_count, strict_count;
	uint32_t group_count;
	uint32_t class_of_group[FATHOM_METRIC_MOST_GROUPS];	/* NO_CLASS: the group has no counters */
	uint32_t process_class, left_out_class, repeat_class, given_class;
} classes;

OTF2_Type fathom_trace_metric_type(enum fathom_metric_type type)
{
	switch (type) {
	case FATHOM_METRIC_INT64:
		return OTF2_TYPE_INT64;
	case FATHOM_METRIC_DOUBLE:
	case FATHOM_METRIC_LEAST:
	case FATHOM_METRIC_GREATEST:
		return OTF2_TYPE_DOUBLE;
	case FATHOM_METRIC_UINT64:
		break;
	}
	return OTF2_TYPE_UINT64;
}

enum { NO_CLASS = UINT32_MAX };

uint32_t fathom_trace_group_members(uint32_t group, uint32_t *ids)
{
	uint32_t count = 0;

	for (uint32_t m = 0; m < fathom_metric_thread_count(); m++)
		if (fathom_metric_group_count() == 1 || fathom_metric_by_id(m)->groups >> group & 1)
			ids[count++] = m;
	return count;
}

/* Numbers the classes of the groups, which groups with equal members share. Returns their number. */
static uint32_t number_groups(void)
{
	uint32_t members[FATHOM_METRIC_MOST_GROUPS] = { 0 }, ids[FATHOM_METRIC_MOST_STRICT], count = 0;

	classes.group_count = fathom_metric_group_count();
	for (uint32_t g = 0; g < classes.group_count; g++) {
		uint32_t other = 0, of_group = fathom_trace_group_members(g, ids);

		for (uint32_t i = 0; i < of_group; i++)
			members[g] |= 1u << ids[i];
		while (members[other] != members[g])
			other++;
		classes.class_of_group[g] = !of_group ? NO_CLASS : other < g ? classes.class_of_group[other] : count++;
	}
	return count;
}

bool fathom_trace_group_begins_class(uint32_t group)
{
	for (uint32_t g = 0; g < group; g++)
		if (classes.class_of_group[g] == classes.class_of_group[group])
			return false;
	return classes.class_of_group[group] != NO_CLASS;
}

void fathom_trace_metrics_init(bool has_left_out, bool has_repeats)
{
	classes.strict_count = fathom_metric_strict_count();
	classes.thread_count = fathom_metric_thread_count();
	classes.process_class = number_groups();
	classes.left_out_class = classes.process_class + (classes.strict_count > classes.thread_count);
	classes.repeat_class = classes.left_out_class + has_left_out;
	classes.given_class = classes.repeat_class + has_repeats;
	for (uint32_t m = 0; m < classes.strict_count; m++)
		classes.types[m] = fathom_trace_metric_type(fathom_metric_by_id(m)->type);
}

/* Room for a record without its values, and for each value with its type. */
enum { RECORD_BYTES = 64, VALUE_BYTES = 10 };

/* --- records ------------------------------------------------------------------------------------- */

static void write_class(struct fathom_trace *trace, uint64_t now, uint32_t number, const uint64_t *values,
			uint32_t first, uint32_t end)
{
	fathom_trace_put_metric(trace, now, number, end - first, &classes.types[first], &values[first]);
}

/* Writes the readings of a group's metrics, which are not all of a thread. */
static void write_group(struct fathom_trace *trace, uint64_t now, uint32_t group, const uint64_t *values)
{
	uint64_t of_group[FATHOM_METRIC_MOST_STRICT];
	OTF2_Type types[FATHOM_METRIC_MOST_STRICT];
	uint32_t ids[FATHOM_METRIC_MOST_STRICT], count;

	if (group >= classes.group_count || classes.class_of_group[group] == NO_CLASS)
		return;
	count = fathom_trace_group_members(group, ids);
	for (uint32_t i = 0; i < count; i++) {
		types[i] = classes.types[ids[i]];
		of_group[i] = values[ids[i]];
	}
	fathom_trace_put_metric(trace, now, classes.class_of_group[group], count, types, of_group);
}

void fathom_trace_readings(const struct fathom_location *self, struct fathom_trace *trace, uint64_t now,
			   const uint64_t *values)
{
	const struct fathom_meter *meter = self->meter;
	size_t bytes = 2 * RECORD_BYTES + meter->count * VALUE_BYTES + FATHOM_TRACE_REGION_BYTES;

	/* If the chunk is full it is written to the file first, and not between records of the same time. */
	if (unlikely((size_t)(trace->buffer.end - trace->buffer.at) < bytes) &&
	    !fathom_trace_buffer_room(trace, fathom_trace_time(trace, now), bytes))
		return;
	now = fathom_trace_time(trace, now);
	if (unlikely(classes.group_count > 1))
		write_group(trace, now, meter->group, values);
	else if (classes.thread_count)
		write_class(trace, now, 0, values, 0, classes.thread_count);
	if (meter->count > classes.thread_count)
		write_class(trace, now, classes.process_class, values, classes.thread_count, meter->count);
}

void fathom_trace_metrics(const struct fathom_location *self, struct fathom_trace *trace, uint64_t now)
{
	fathom_trace_readings(self, trace, now, self->meter->values);
}

/* --- the stage ----------------------------------------------------------------------------------- */

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

/* Returns true if the region of frame is recorded, as fathom_trace_enter_rare decides it. */
static bool will_be_entered(const struct fathom_trace *trace, const struct fathom_frame *frame)
{
	uint32_t state = fathom_peek(&trace->state);

	return !fathom_trace_is_untraced(frame) &&
	       (!state || (state <= FATHOM_TRACE_LIMITED && frame->region->paradigm != FATHOM_PARADIGM_COMPILER));
}

static bool will_be_left(const struct fathom_trace *trace, const struct fathom_frame *frame)
{
	return fathom_peek(&trace->state) <= FATHOM_TRACE_LIMITED && !fathom_trace_is_untraced(frame);
}

static void enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (will_be_entered(self->trace_data, frame))
		fathom_trace_metrics(self, self->trace_data, now);
	next.enter_at(self, frame, now);
}

/* The records of the readings and of the enter have the same time, so the stages behind get it. */
static void enter(struct fathom_location *self, struct fathom_frame *frame)
{
	enter_at(self, frame, fathom_trace_now());
}

static void leave(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (will_be_left(self->trace_data, frame))
		fathom_trace_metrics(self, self->trace_data, now);
	next.exit(self, frame, now);
}

static void write_if_recording(const struct fathom_location *self, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (trace)
		fathom_trace_metrics(self, trace, now);
}

/* Only for the leader, the records of a team's begin and end have an enter or leave of the region. */
static void team_begin(struct fathom_location *self, struct fathom_team *team, uint32_t number, uint64_t now)
{
	if (self == team->leader && !team->is_placeholder)
		write_if_recording(self, now);
	next.team_begin(self, team, number, now);
}

static void team_end(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	if (self == team->leader && !team->is_placeholder)
		write_if_recording(self, now);
	next.team_end(self, team, now);
}

static void task_start(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	if (!task->is_placeholder)
		write_if_recording(self, now);
	next.task_start(self, task, now);
}

static void task_complete(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	if (!task->is_placeholder)
		write_if_recording(self, now);
	next.task_complete(self, task, now);
}

struct fathom_stage fathom_trace_metric_records_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.enter = enter;
	stage.enter_at = enter_at;
	stage.exit = leave;
	stage.team_begin = team_begin;
	stage.team_end = team_end;
	stage.task_start = task_start;
	stage.task_complete = task_complete;
	return stage;
}

/* --- values that the program gives --------------------------------------------------------------- */

void fathom_trace_give(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	const OTF2_Type type = fathom_trace_metric_type(metric->type);

	if (trace)
		fathom_trace_put_metric(trace, fathom_trace_time(trace, fathom_trace_now()),
					classes.given_class + metric->number, 1, &type, &bits);
}

/* --- the number of classes ----------------------------------------------------------------------- */

uint32_t fathom_trace_left_out_class(void)
{
	return classes.left_out_class;
}

bool fathom_trace_has_left_out_class(void)
{
	return classes.repeat_class > classes.left_out_class;
}

uint32_t fathom_trace_repeat_class(void)
{
	return classes.repeat_class;
}

bool fathom_trace_has_repeat_class(void)
{
	return classes.given_class > classes.repeat_class;
}

uint32_t fathom_trace_strict_class_count(void)
{
	return classes.left_out_class;
}

uint32_t fathom_trace_metric_count(void)
{
	uint32_t count = classes.given_class;

	for (uint32_t m = classes.strict_count; m < fathom_metric_count(); m++)
		count += fathom_trace_has_class(fathom_metric_by_id(m));
	return count;
}
