#include "replay/replay_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A hash table from four numbers to a number: open addressing, at most half full. */
struct slot {
	uint32_t key[4];
	uint32_t number;	/* + 1; 0: free */
};

struct fathom_replay_index {
	struct slot *slots;
	size_t size, count;	/* size: a power of two */
};

/* Makes room for one more object in an array. False: no memory, which the program remembers. */
static bool reserve(struct fathom_replay_program *program, void *array_pointer, size_t count, size_t *room,
		    size_t bytes)
{
	void *array, *larger;
	size_t wanted = *room ? *room + *room / 2 : 16;

	if (program->is_out_of_memory)
		return false;
	if (count < *room)
		return true;
	memcpy(&array, array_pointer, sizeof(array));
	larger = wanted > SIZE_MAX / bytes ? NULL : realloc(array, wanted * bytes);
	if (!larger) {
		program->is_out_of_memory = true;
		return false;
	}
	memcpy(array_pointer, &larger, sizeof(larger));
	*room = wanted;
	return true;
}

/* --- index --- */

static size_t first_slot(const struct fathom_replay_index *index, const uint32_t key[4])
{
	uint64_t hash = 0;

	for (int i = 0; i < 4; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (size_t)hash & (index->size - 1);
}

static struct slot *find_slot(const struct fathom_replay_index *index, const uint32_t key[4])
{
	size_t i = first_slot(index, key);

	while (index->slots[i].number && memcmp(index->slots[i].key, key, sizeof(index->slots[i].key)) != 0)
		i = (i + 1) & (index->size - 1);
	return &index->slots[i];
}

static bool enlarge(struct fathom_replay_index *index)
{
	struct fathom_replay_index larger = { .size = index->size ? 2 * index->size : 64, .count = index->count };

	if (index->size && 2 * (index->count + 1) <= index->size)
		return true;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < index->size; i++)
		if (index->slots[i].number)
			*find_slot(&larger, index->slots[i].key) = index->slots[i];
	free(index->slots);
	*index = larger;
	return true;
}

/* Returns the slot of a key, with number 0 if the key is new. NULL: no memory, which the program remembers. */
static struct slot *slot_of(struct fathom_replay_program *program, struct fathom_replay_index *index, uint32_t a,
			    uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t key[4] = { a, b, c, d };
	struct slot *slot;

	if (!enlarge(index)) {
		program->is_out_of_memory = true;
		return NULL;
	}
	slot = find_slot(index, key);
	if (!slot->number) {
		memcpy(slot->key, key, sizeof(slot->key));
		index->count++;
	}
	return slot;
}

/* --- building --- */

int fathom_replay_program_init(struct fathom_replay_program *program, uint32_t tasks, double tick_seconds)
{
	*program = (struct fathom_replay_program){ .tick_seconds = tick_seconds, .task_count = tasks };
	program->tasks = calloc(tasks ? tasks : 1, sizeof(*program->tasks));
	program->channel_index = calloc(1, sizeof(*program->channel_index));
	if (!program->tasks || !program->channel_index) {
		fathom_replay_program_fini(program);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < tasks; i++)
		program->tasks[i].node = i;
	return 0;
}

void fathom_replay_program_fini(struct fathom_replay_program *program)
{
	for (uint32_t i = 0; program->tasks && i < program->task_count; i++)
		free(program->tasks[i].records);
	for (uint32_t i = 0; i < program->comm_count; i++)
		free(program->comms[i].tasks);
	if (program->channel_index)
		free(program->channel_index->slots);
	free(program->channel_index);
	free(program->tasks);
	free(program->channels);
	free(program->messages);
	free(program->receives);
	free(program->participations);
	free(program->comms);
	free(program->instances);
	*program = (struct fathom_replay_program){ 0 };
}

void fathom_replay_set_comm(struct fathom_replay_program *program, uint32_t comm, const uint32_t *tasks, uint32_t size)
{
	uint32_t *copy;

	while (program->comm_count <= comm) {
		if (!reserve(program, &program->comms, program->comm_count, &program->comm_room,
			     sizeof(*program->comms)))
			return;
		program->comms[program->comm_count++] = (struct fathom_replay_comm){ 0 };
	}
	copy = calloc(size ? size : 1, sizeof(*copy));
	if (!copy) {
		program->is_out_of_memory = true;
		return;
	}
	if (size)
		memcpy(copy, tasks, size * sizeof(*copy));
	free(program->comms[comm].tasks);
	program->comms[comm] = (struct fathom_replay_comm){ .tasks = copy, .size = size };
}

void fathom_replay_add_time(struct fathom_replay_program *program, uint32_t task, struct fathom_replay_record record)
{
	struct fathom_replay_task *of = &program->tasks[task];

	if (!reserve(program, &of->records, of->count, &of->room, sizeof(*of->records)))
		return;
	if (record.call_path >= program->path_count)
		program->path_count = record.call_path + 1;
	of->records[of->count++] = record;
}

static void add(struct fathom_replay_program *program, uint32_t task, enum fathom_replay_kind kind, uint32_t call_path,
		uint64_t time, uint32_t number)
{
	fathom_replay_add_time(program, task, (struct fathom_replay_record){
		.time = time, .value = number, .call_path = call_path, .kind = (uint8_t)kind });
}

/* Returns the number of a channel; NONE: no memory. */
static uint32_t channel_of(struct fathom_replay_program *program, struct fathom_replay_channel channel)
{
	struct slot *slot = slot_of(program, program->channel_index, channel.source, channel.destination, channel.tag,
				    channel.comm);

	if (!slot)
		return FATHOM_REPLAY_NONE;
	if (!slot->number) {
		if (!reserve(program, &program->channels, program->channel_count, &program->channel_room,
			     sizeof(*program->channels)))
			return FATHOM_REPLAY_NONE;
		program->channels[program->channel_count++] = channel;
		slot->number = program->channel_count;
	}
	return slot->number - 1;
}

uint32_t fathom_replay_add_send(struct fathom_replay_program *program, uint32_t call_path, uint64_t time,
				struct fathom_replay_channel channel, uint64_t bytes, enum fathom_replay_mode mode)
{
	uint32_t number = channel_of(program, channel);

	if (number == FATHOM_REPLAY_NONE || !reserve(program, &program->messages, program->message_count,
						     &program->message_room, sizeof(*program->messages)))
		return 0;
	program->messages[program->message_count] = (struct fathom_replay_message){
		.bytes = bytes, .channel = number, .receive = FATHOM_REPLAY_NONE, .mode = (uint8_t)mode };
	add(program, channel.source, FATHOM_REPLAY_SEND, call_path, time, program->message_count);
	return program->message_count++;
}

uint32_t fathom_replay_add_receive(struct fathom_replay_program *program, uint32_t task, uint32_t call_path,
				   uint64_t time)
{
	if (!reserve(program, &program->receives, program->receive_count, &program->receive_room,
		     sizeof(*program->receives)))
		return 0;
	program->receives[program->receive_count] = (struct fathom_replay_receive){ FATHOM_REPLAY_NONE,
										   FATHOM_REPLAY_NONE };
	add(program, task, FATHOM_REPLAY_RECEIVE, call_path, time, program->receive_count);
	return program->receive_count++;
}

void fathom_replay_complete_receive(struct fathom_replay_program *program, uint32_t receive,
				    struct fathom_replay_channel channel)
{
	if (!program->is_out_of_memory)
		program->receives[receive].channel = channel_of(program, channel);
}

uint32_t fathom_replay_add_collective(struct fathom_replay_program *program, uint32_t task, uint32_t call_path,
				      uint64_t time)
{
	if (!reserve(program, &program->participations, program->participation_count, &program->participation_room,
		     sizeof(*program->participations)))
		return 0;
	program->participations[program->participation_count] = (struct fathom_replay_participation){
		.task = task, .comm = FATHOM_REPLAY_NONE, .root = FATHOM_REPLAY_NONE, .instance = FATHOM_REPLAY_NONE };
	add(program, task, FATHOM_REPLAY_COLLECTIVE, call_path, time, program->participation_count);
	return program->participation_count++;
}

void fathom_replay_complete_collective(struct fathom_replay_program *program, uint32_t participation,
				       struct fathom_replay_participation is)
{
	struct fathom_replay_participation *of;

	if (program->is_out_of_memory)
		return;
	of = &program->participations[participation];
	is.task = of->task;
	is.instance = FATHOM_REPLAY_NONE;
	*of = is;
}

void fathom_replay_add_wait(struct fathom_replay_program *program, uint32_t task, enum fathom_replay_kind kind,
			    uint32_t call_path, uint64_t time, uint32_t number)
{
	add(program, task, kind, call_path, time, number);
}

/* --- finishing --- */

/* Gives each receive the message of its channel that was sent first among those that are left. */
static void match_messages(struct fathom_replay_program *program)
{
	uint32_t *first = malloc(((size_t)program->channel_count + 1) * sizeof(*first));
	uint32_t *last = malloc(((size_t)program->channel_count + 1) * sizeof(*last));
	uint32_t *next = malloc(((size_t)program->message_count + 1) * sizeof(*next));
	uint32_t i;

	if (!first || !last || !next) {
		program->is_out_of_memory = true;
		goto free_lists;
	}
	for (i = 0; i < program->channel_count; i++)
		first[i] = FATHOM_REPLAY_NONE;
	for (i = 0; i < program->message_count; i++) {
		uint32_t channel = program->messages[i].channel;

		next[i] = FATHOM_REPLAY_NONE;
		if (first[channel] == FATHOM_REPLAY_NONE)
			first[channel] = i;
		else
			next[last[channel]] = i;
		last[channel] = i;
	}
	program->lost_sends = program->message_count;
	for (i = 0; i < program->receive_count; i++) {
		struct fathom_replay_receive *receive = &program->receives[i];

		receive->message = FATHOM_REPLAY_NONE;
		if (receive->channel != FATHOM_REPLAY_NONE)
			receive->message = first[receive->channel];
		if (receive->message == FATHOM_REPLAY_NONE) {
			program->lost_receives += receive->channel != FATHOM_REPLAY_NONE;
			continue;
		}
		first[receive->channel] = next[receive->message];
		program->messages[receive->message].receive = i;
		program->lost_sends--;
	}
free_lists:
	free(first);
	free(last);
	free(next);
}

static bool has_members(const struct fathom_replay_program *program, uint32_t comm)
{
	return comm < program->comm_count && program->comms[comm].size;
}

/* Gives each participation its instance: the operations of a communicator have the same order in all members. */
static void match_collectives(struct fathom_replay_program *program)
{
	struct fathom_replay_index ordinals = { 0 }, instances = { 0 };
	uint32_t i;

	for (i = 0; i < program->participation_count; i++) {
		struct fathom_replay_participation *part = &program->participations[i];
		struct slot *ordinal, *instance;

		if (!has_members(program, part->comm)) {
			program->lost_collectives += part->comm != FATHOM_REPLAY_NONE;
			continue;
		}
		ordinal = slot_of(program, &ordinals, part->comm, part->task, 0, 0);
		instance = ordinal ? slot_of(program, &instances, part->comm, ++ordinal->number, 0, 0) : NULL;
		if (!instance)
			break;
		if (!instance->number) {
			if (!reserve(program, &program->instances, program->instance_count, &program->instance_room,
				     sizeof(*program->instances)))
				break;
			program->instances[program->instance_count++] = (struct fathom_replay_instance){
				.comm = part->comm, .operation = part->operation };
			instance->number = program->instance_count;
		}
		part->instance = instance->number - 1;
		program->instances[part->instance].members++;
	}
	for (i = 0; !program->is_out_of_memory && i < program->participation_count; i++) {
		struct fathom_replay_participation *part = &program->participations[i];

		if (part->instance == FATHOM_REPLAY_NONE ||
		    program->instances[part->instance].members == program->comms[part->comm].size)
			continue;
		part->instance = FATHOM_REPLAY_NONE;
		program->lost_collectives++;
	}
	free(ordinals.slots);
	free(instances.slots);
}

int fathom_replay_program_count_nodes(struct fathom_replay_program *program)
{
	uint32_t *members, i, c;

	program->node_count = 0;
	for (i = 0; i < program->task_count; i++)
		if (program->tasks[i].node >= program->node_count)
			program->node_count = program->tasks[i].node + 1;
	members = calloc((size_t)program->node_count + 1, sizeof(*members));
	if (!members)
		return -ENOMEM;
	for (c = 0; c < program->comm_count; c++) {
		struct fathom_replay_comm *comm = &program->comms[c];

		comm->nodes = comm->largest_node = 0;
		for (i = 0; i < comm->size; i++) {
			uint32_t count = ++members[program->tasks[comm->tasks[i]].node];

			comm->nodes += count == 1;
			if (count > comm->largest_node)
				comm->largest_node = count;
		}
		for (i = 0; i < comm->size; i++)
			members[program->tasks[comm->tasks[i]].node] = 0;
	}
	free(members);
	return 0;
}

int fathom_replay_program_finish(struct fathom_replay_program *program)
{
	if (!program->is_out_of_memory)
		match_messages(program);
	if (!program->is_out_of_memory)
		match_collectives(program);
	return program->is_out_of_memory ? -ENOMEM : fathom_replay_program_count_nodes(program);
}
