#include "replay/measured_times.h"

#include <errno.h>
#include <stdlib.h>

static void count_bytes(struct fathom_measured_instance *instance, const struct fathom_replay_participation *part)
{
	double sent = (double)part->sent, received = (double)part->received;
	double larger = sent > received ? sent : received;

	if (instance->counted++ == 0 || larger < instance->bytes.least)
		instance->bytes.least = larger;
	if (larger > instance->bytes.most)
		instance->bytes.most = larger;
	instance->bytes.sum += larger;
	if (sent + received > instance->bytes.sent_and_received)
		instance->bytes.sent_and_received = sent + received;
}

/* Takes the beginnings of the operations of a task. */
static void take_beginnings(struct fathom_measured_times *times, const struct fathom_replay_program *program,
			    const struct fathom_replay_task *task)
{
	for (size_t i = 0; i < task->count; i++) {
		const struct fathom_replay_record *record = &task->records[i];

		if (record->kind == FATHOM_REPLAY_SEND) {
			times->messages[record->value].sent = record->time;
		} else if (record->kind == FATHOM_REPLAY_RECEIVE) {
			uint32_t message = program->receives[record->value].message;

			if (message != FATHOM_REPLAY_NONE)
				times->messages[message].posted = record->time;
		} else if (record->kind == FATHOM_REPLAY_COLLECTIVE) {
			const struct fathom_replay_participation *part = &program->participations[record->value];
			struct fathom_measured_instance *instance;

			if (part->instance == FATHOM_REPLAY_NONE)
				continue;
			instance = &times->instances[part->instance];
			count_bytes(instance, part);
			if (record->time > instance->last_arrival)
				instance->last_arrival = record->time;
			if (part->root == part->task)
				instance->root_arrival = record->time;
		}
	}
}

static void end_collective(struct fathom_measured_times *times, const struct fathom_replay_program *program,
			   const struct fathom_replay_record *record, uint64_t call_begin)
{
	const struct fathom_replay_participation *part = &program->participations[record->value];
	struct fathom_measured_instance *instance;

	if (part->instance == FATHOM_REPLAY_NONE)
		return;
	instance = &times->instances[part->instance];
	if (instance->first_end == 0 || record->time < instance->first_end)
		instance->first_end = record->time;
	if (part->root == part->task)
		instance->root_end = record->time;
	if (call_begin <= instance->last_arrival) {
		instance->end_sum += (double)record->time;
		instance->end_count++;
	}
	if (call_begin <= instance->root_arrival && part->root != part->task) {
		instance->waiting_sum += (double)record->time;
		instance->waiting_count++;
	}
}

/* Takes the durations of calls that sent a message and did nothing else. */
static void take_send_calls(struct fathom_measured_times *times, const struct fathom_replay_task *task)
{
	const struct fathom_replay_record end = { .kind = FATHOM_REPLAY_BURST, .time = task->end };
	uint64_t call_begin = task->begin, send = UINT64_MAX;
	bool is_alone = true;

	for (size_t i = 0; i <= task->count; i++) {
		const struct fathom_replay_record *record = i < task->count ? &task->records[i] : &end;

		if (record->kind == FATHOM_REPLAY_BURST || record->kind == FATHOM_REPLAY_LOCAL) {
			if (send != UINT64_MAX && is_alone && record->time >= call_begin)
				times->messages[send].send_ticks = record->time - call_begin;
			call_begin = record->time + record->value;
			send = UINT64_MAX;
			is_alone = true;
		} else if (record->kind == FATHOM_REPLAY_SEND && send == UINT64_MAX) {
			send = record->value;
		} else if (record->kind != FATHOM_REPLAY_WAIT_SEND || record->value != send) {
			is_alone = false;
		}
	}
}

/* Returns whether the receiver of a message waited already when it was sent. */
static bool was_waited_for(const struct fathom_measured_message *message, uint64_t call_begin)
{
	return message->sent > call_begin && message->sent >= message->posted;
}

/* Takes the ends of the operations of a task. Between two bursts lies one call: of the messages that it receives, only
 * the one that was sent last says how long a transfer takes. */
static void take_ends(struct fathom_measured_times *times, const struct fathom_replay_program *program,
		      const struct fathom_replay_task *task)
{
	struct fathom_measured_message *last = NULL;
	uint64_t call_begin = task->begin;

	for (size_t i = 0; i < task->count; i++) {
		const struct fathom_replay_record *record = &task->records[i];
		uint32_t message;

		switch (record->kind) {
		case FATHOM_REPLAY_BURST:
		case FATHOM_REPLAY_LOCAL:
			if (last)
				last->is_informative = was_waited_for(last, call_begin);
			last = NULL;
			call_begin = record->time + record->value;
			break;
		case FATHOM_REPLAY_WAIT_SEND:
			times->messages[record->value].sender_waited = call_begin;
			times->messages[record->value].sender_ended = record->time;
			break;
		case FATHOM_REPLAY_WAIT_RECEIVE:
			message = program->receives[record->value].message;
			if (message == FATHOM_REPLAY_NONE)
				break;
			times->messages[message].received = record->time;
			if (!last || times->messages[message].sent > last->sent)
				last = &times->messages[message];
			break;
		case FATHOM_REPLAY_WAIT_COLLECTIVE:
			end_collective(times, program, record, call_begin);
			break;
		default:
			break;
		}
	}
	if (last)
		last->is_informative = was_waited_for(last, call_begin);
}

int fathom_measured_times_init(struct fathom_measured_times *times, const struct fathom_replay_program *program)
{
	uint32_t i;

	times->messages = calloc((size_t)program->message_count + 1, sizeof(*times->messages));
	times->instances = calloc((size_t)program->instance_count + 1, sizeof(*times->instances));
	if (!times->messages || !times->instances) {
		fathom_measured_times_fini(times);
		return -ENOMEM;
	}
	for (i = 0; i < program->task_count; i++)
		take_beginnings(times, program, &program->tasks[i]);
	for (i = 0; i < program->task_count; i++)
		take_ends(times, program, &program->tasks[i]);
	for (i = 0; i < program->task_count; i++)
		take_send_calls(times, &program->tasks[i]);
	for (i = 0; i < program->instance_count; i++) {
		struct fathom_measured_instance *instance = &times->instances[i];

		if (instance->end_count)
			instance->middle_end = (uint64_t)(instance->end_sum / instance->end_count);
		if (instance->waiting_count)
			instance->waiting_end = (uint64_t)(instance->waiting_sum / instance->waiting_count);
	}
	return 0;
}

void fathom_measured_times_fini(struct fathom_measured_times *times)
{
	free(times->messages);
	free(times->instances);
	*times = (struct fathom_measured_times){ 0 };
}
