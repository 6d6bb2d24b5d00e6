#include "made_system.h"

#include "unit_test.h"

#include <stdlib.h>

uint32_t made_chance(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % below);
}

void made_level(struct made_process *process, const char *class, const char *name)
{
	char *at = process->room + process->place.bytes;

	process->place.text = process->room;
	at = stpcpy(at, class) + 1;
	at = stpcpy(at, name) + 1;
	process->place.bytes = (uint32_t)(at - process->room);
	process->place.levels++;
}

static void add_number(struct made_process *process, const char *class, uint32_t number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	made_level(process, class, text);
}

void made_threads(struct made_process *process, uint32_t count)
{
	process->count = count;
	for (uint32_t i = 0; i < count; i++) {
		snprintf(process->names[i], sizeof(process->names[i]), i ? "OMP thread %u" : "Master thread", i);
		process->locations[i].name = process->names[i];
	}
}

void made_by_chance(struct made_system *made, int size, uint64_t seed)
{
	uint32_t kind, nodes, per_rack, kinds;
	bool is_mixed, is_ragged;

	memset(made, 0, sizeof(*made));
	made->size = size;
	kind = made_chance(&seed, 3);			/* in blocks, cyclic, anywhere */
	nodes = 1 + made_chance(&seed, (uint32_t)size);
	per_rack = 1 + made_chance(&seed, 4);
	kinds = 1 + made_chance(&seed, 3);		/* of nodes, by their number of threads */
	is_mixed = made_chance(&seed, 3) == 0;		/* each process has its own */
	is_ragged = made_chance(&seed, 3) == 0;		/* some have sockets */
	for (int rank = 0; rank < size; rank++) {
		struct made_process *process = &made->processes[rank];
		uint32_t node = kind == 0 ? (uint32_t)rank * nodes / (uint32_t)size :
				kind == 1 ? (uint32_t)rank % nodes : made_chance(&seed, nodes);

		made_level(process, "machine", "M");
		if (per_rack > 1)
			add_number(process, "rack", node / per_rack);
		/* Names repeat in other racks. */
		add_number(process, "node", per_rack > 1 ? node % per_rack : node);
		if (is_ragged && made_chance(&seed, 2))
			add_number(process, "socket", made_chance(&seed, 2));
		made_threads(process, 1 + (is_mixed ? made_chance(&seed, MADE_THREADS) : node % kinds));
	}
}

void *made_resize(void *data, void *block, size_t old_bytes, size_t bytes)
{
	struct made_process *process = data;
	char *next;

	if (!bytes) {
		process->held -= old_bytes;
		free(block);
		return NULL;
	}
	if (++process->requests == process->failing)
		return NULL;
	next = malloc(bytes);		/* it always moves */
	memcpy(next, block ? block : "", old_bytes < bytes ? old_bytes : bytes);
	free(block);
	process->held += bytes - old_bytes;
	if (process->held > process->peak)
		process->peak = process->held;
	return next;
}

/* --- what the sequence says -------------------------------------------------------------------------- */

struct told_node {
	uint32_t parent, depth;
	char class[24];
};

struct told_process {
	uint32_t node, locations, first_location;
	char names[MADE_THREADS][24];
};

struct told {
	struct told_node nodes[MADE_RANKS * 4];
	struct told_process processes[MADE_RANKS];
};

static void listen(struct told *told, const struct fathom_sequence *sequence, struct fathom_span *total)
{
	uint32_t above[FATHOM_SEQUENCE_DEPTH] = { 0 };
	struct told_process *process = NULL;
	struct fathom_walk walk;

	fathom_walk_begin(&walk, sequence);
	while (fathom_walk_next(&walk)) {
		struct fathom_step steps[FATHOM_SEQUENCE_DEPTH];
		uint64_t number = walk.record->kind == FATHOM_ELEMENT_NODE ? walk.before.nodes :
				  walk.record->kind == FATHOM_ELEMENT_PROCESS ? walk.before.processes :
										walk.before.locations;
		struct fathom_span before;
		uint32_t depth;

		/* A way to it by its number, and back. */
		depth = fathom_sequence_locate(sequence, (enum fathom_element)walk.record->kind, number, steps);
		assert_int_equal(depth, walk.depth + 1);
		assert_memory_equal(steps, walk.steps, depth * sizeof(*steps));
		before = fathom_sequence_index(sequence, steps, depth);
		assert_memory_equal(&before, &walk.before, sizeof(before));
		if (walk.record->kind == FATHOM_ELEMENT_NODE) {
			assert_in_range(number, 0, MADE_RANKS * 4 - 1);
			above[walk.depth] = (uint32_t)number;
			told->nodes[number].depth = (uint32_t)walk.depth;
			told->nodes[number].parent = walk.depth ? above[walk.depth - 1] : 0;
			snprintf(told->nodes[number].class, 24, "%s", sequence->classes[walk.record->class]);
		} else if (walk.record->kind == FATHOM_ELEMENT_PROCESS) {
			assert_in_range(number, 0, MADE_RANKS - 1);
			process = &told->processes[number];
			process->node = above[walk.depth - 1];
			process->locations = 0;
			process->first_location = (uint32_t)walk.before.locations;
			/* Its node is the last one that was opened. */
			assert_int_equal(process->node, walk.before.nodes - 1);
		} else {
			assert_int_equal(walk.in_process, process->locations);
			fathom_walk_name(&walk, process->names[process->locations++], 24);
		}
	}
	*total = walk.before;
}

static uint32_t ancestor(const struct told *told, uint32_t node, uint32_t depth)
{
	while (told->nodes[node].depth > depth)
		node = told->nodes[node].parent;
	return node;
}

/* Levels of two processes are the same node if and only if the way to it has the same names. */
static void compare_pair(const struct told *told, const struct made_process *a, const struct made_process *b)
{
	uint32_t levels = a->place.levels < b->place.levels ? a->place.levels : b->place.levels;

	for (uint32_t level = 0; level < levels; level++) {
		uint32_t bytes = fathom_system_path_bytes(&a->place, level);
		bool are_same = bytes == fathom_system_path_bytes(&b->place, level) &&
				!memcmp(a->place.text, b->place.text, bytes);
		uint32_t node_a = ancestor(told, (uint32_t)a->system.before.nodes - 1, level);
		uint32_t node_b = ancestor(told, (uint32_t)b->system.before.nodes - 1, level);

		assert_int_equal(node_a == node_b, are_same);
	}
}

static void compare_process(const struct told *told, const struct made_process *process)
{
	uint64_t number = process->system.before.processes;
	const struct told_process *there = &told->processes[number];
	uint32_t node = (uint32_t)process->system.before.nodes - 1;

	assert_int_equal(there->node, node);
	assert_int_equal(there->first_location, process->system.before.locations);
	assert_int_equal(there->locations, process->count);
	for (uint32_t i = 0; i < process->count; i++)
		assert_string_equal(there->names[i], process->names[i]);
	assert_int_equal(told->nodes[node].depth + 1, process->place.levels);
	for (uint32_t level = 0; level < process->place.levels; level++)
		assert_string_equal(told->nodes[ancestor(told, node, level)].class,
				    fathom_system_path_class(&process->place, level));
}

/* The bytes read back are the sequence, and it keeps the rules. */
static void compare_packed(const struct fathom_sequence *sequence)
{
	struct fathom_sequence copy;
	struct fathom_byte_stack store;
	const char *classes[64];
	size_t at;

	fathom_byte_stack_init(&store, NULL, NULL);
	at = fathom_sequence_pack(sequence, &store);
	assert_int_equal(at, 0);
	assert_int_equal(fathom_sequence_packed_classes(store.base, store.used), sequence->class_count);
	assert_in_range(sequence->class_count, 1, 64);
	assert_int_equal(fathom_sequence_unpack(&copy, classes, store.base, store.used), 0);
	assert_int_equal(copy.count, sequence->count);
	assert_memory_equal(copy.records, sequence->records, copy.count * sizeof(*copy.records));
	for (uint32_t i = 0; i < copy.class_count; i++)
		assert_string_equal(classes[i], sequence->classes[i]);
	fathom_byte_stack_fini(&store);
}

void made_compare(const struct made_system *made)
{
	const struct fathom_system *root = &made->processes[0].system;
	struct told *told = calloc(1, sizeof(*told));
	static uint8_t spoken[MADE_RANKS * 4], taken[MADE_RANKS];
	uint64_t locations = 0;
	struct fathom_span total;

	memset(spoken, 0, sizeof(spoken));
	memset(taken, 0, sizeof(taken));
	compare_packed(&root->sequence);
	listen(told, &root->sequence, &total);
	assert_int_equal(total.processes, made->size);
	for (int rank = 0; rank < made->size; rank++) {
		const struct made_process *process = &made->processes[rank];

		locations += process->count;
		assert_int_equal(process->result, 0);
		assert_memory_equal(&process->system.total, &total, sizeof(total));
		assert_in_range(process->system.before.processes, 0, made->size - 1);
		assert_false(taken[process->system.before.processes]++);
		for (uint32_t level = 0; level < process->place.levels; level++)
			if (process->system.speaks_for[level] != UINT64_MAX)
				assert_int_equal(spoken[process->system.speaks_for[level]]++, 0);
		compare_process(told, process);
		for (int other = 0; other < rank; other++)
			compare_pair(told, process, &made->processes[other]);
	}
	assert_int_equal(total.locations, locations);
	for (uint64_t node = 0; node < total.nodes; node++)
		assert_int_equal(spoken[node], 1);
	free(told);
}

void made_fini(struct made_system *made)
{
	for (int rank = 0; rank < made->size; rank++) {
		fathom_system_fini(&made->processes[rank].system);
		assert_int_equal(made->processes[rank].held, 0);
	}
}
