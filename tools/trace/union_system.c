#include "tools/trace/union_system.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"
#include "tools/common/command.h"

struct merged_location {
	struct fathom_table_entry entry;	/* found by id */
	uint64_t process;	/* id in the union */
	size_t source;		/* the input that its record is from */
	uint64_t events;
};

struct merged_process {
	size_t source;
	uint32_t index;		/* in source */
	uint64_t events;
};

struct system {			/* all processes and locations */
	struct fathom_table locations;
	struct merged_process *processes;
	size_t process_count, process_room;
};

static struct fathom_otf2_location *location_at(const struct fathom_union_input *input, size_t index)
{
	return fathom_otf2_at(&input->trace.defs, FATHOM_OTF2_LOCATION, index);
}

static uint64_t events_of(const struct fathom_union_input *input, const struct fathom_otf2_location *location)
{
	return fathom_otf2_is_read(&input->trace, location) ? location->events : 0;
}

/* Gives each process of an input its id in the union: that of the process that has one of its locations already, or
 * else a new one. */
static void take_processes(struct system *system, struct fathom_union_input *input, size_t number)
{
	uint64_t *ids = input->ids[FATHOM_OTF2_PROCESS];
	size_t processes = fathom_otf2_count(&input->trace.defs, FATHOM_OTF2_PROCESS);

	for (size_t i = 0; i < fathom_otf2_count(&input->trace.defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = location_at(input, i);
		const struct merged_location *known = fathom_table_find(&system->locations, location->id, 0, 0);

		if (known && location->process != UINT32_MAX)
			ids[location->process] = known->process;
	}
	for (size_t i = 0; i < processes; i++)
		if (ids[i] == UINT64_MAX) {
			system->processes = fathom_otf2_memory_grow(system->processes, system->process_count,
								    &system->process_room, sizeof(*system->processes));
			system->processes[system->process_count] = (struct merged_process){ number, (uint32_t)i, 0 };
			ids[i] = system->process_count++;
		}
}

/* Adds the locations of an input. -EEXIST after a message: two inputs have events of a location. */
static int take_locations(struct system *system, struct fathom_definition_union *all, size_t number)
{
	struct fathom_union_input *input = &all->inputs[number];

	for (size_t i = 0; i < fathom_otf2_count(&input->trace.defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = location_at(input, i);
		struct merged_location *its = fathom_table_find(&system->locations, location->id, 0, 0);
		uint64_t events = events_of(input, location);
		struct merged_process *process;

		if (its && its->events && events) {
			fathom_tool_error("%s and %s both have events of location %" PRIu64
					  ": they are not parts of one run, or one of them is named twice",
					  all->inputs[its->source].trace.anchor, input->trace.anchor, location->id);
			return -EEXIST;
		}
		if (location->process == UINT32_MAX)
			continue;
		if (!its) {
			its = fathom_table_add(&system->locations, location->id, 0, 0);
			its->process = input->ids[FATHOM_OTF2_PROCESS][location->process];
			its->source = number;
		}
		if (!events)
			continue;
		its->source = number;
		its->events = events;
		process = &system->processes[its->process];
		if (events > process->events)
			*process = (struct merged_process){ number, location->process, events };
	}
	return 0;
}

static const struct fathom_definition *find_record(const struct fathom_union_input *input,
						   enum fathom_definition_kind kind, uint64_t id)
{
	for (size_t i = 0; i < input->definitions.count; i++)
		if (input->definitions.records[i].kind == kind && input->definitions.records[i].fields[0] == id)
			return &input->definitions.records[i];
	return NULL;
}

static void copy_record(struct fathom_definition_union *all, struct fathom_union_input *input,
			const struct fathom_definition *record, uint64_t id)
{
	struct fathom_definition copy, *its;

	fathom_union_rename_record(input, record, &copy);
	its = fathom_definition_add(&all->definitions, copy.kind, copy.count, NULL);
	memcpy(its->fields, copy.fields, copy.count * sizeof(uint64_t));
	its->fields[0] = id;
	free(copy.fields);
}

static void write_processes(struct fathom_definition_union *all, const struct system *system)
{
	for (size_t i = 0; i < system->process_count; i++) {
		struct fathom_union_input *input = &all->inputs[system->processes[i].source];
		const struct fathom_otf2_process *process = fathom_otf2_at(&input->trace.defs, FATHOM_OTF2_PROCESS,
									   system->processes[i].index);

		copy_record(all, input, find_record(input, FATHOM_DEFINITION_PROCESS, process->id), i);
		all->absent_processes += process->type == OTF2_LOCATION_GROUP_TYPE_PROCESS &&
					 !system->processes[i].events;
	}
}

static int by_process(const void *a, const void *b)
{
	const struct merged_location *x = *(const struct merged_location *const *)a;
	const struct merged_location *y = *(const struct merged_location *const *)b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->entry.key[0] < y->entry.key[0] ? -1 : x->entry.key[0] > y->entry.key[0];
}

static void write_locations(struct fathom_definition_union *all, const struct system *system)
{
	const struct merged_location **sorted = fathom_otf2_memory_alloc(system->locations.count, sizeof(*sorted));
	const struct merged_location *location = NULL;
	size_t count = 0;

	while ((location = fathom_table_next(&system->locations, location)) != NULL)
		sorted[count++] = location;
	qsort(sorted, count, sizeof(*sorted), by_process);
	all->sources = fathom_otf2_memory_alloc(count, sizeof(*all->sources));
	for (size_t i = 0; i < count; i++) {
		uint64_t id = sorted[i]->entry.key[0];
		struct fathom_union_input *input = &all->inputs[sorted[i]->source];
		const struct fathom_otf2_location *its = fathom_otf2_find(&input->trace.defs, FATHOM_OTF2_LOCATION, id);
		struct fathom_otf2_location *merged = fathom_otf2_defs_add(&all->merged.defs, FATHOM_OTF2_LOCATION, id);

		copy_record(all, input, find_record(input, FATHOM_DEFINITION_LOCATION, id), id);
		merged->offset_count = its->offset_count;
		merged->process = (uint32_t)sorted[i]->process;
		all->sources[i] = (uint32_t)sorted[i]->source;
	}
	free(sorted);
}

int fathom_union_take_system(struct fathom_definition_union *all)
{
	struct system system = { 0 };
	int err = 0;

	fathom_table_init(&system.locations, sizeof(struct merged_location));
	for (size_t i = 0; !err && i < all->input_count; i++) {
		take_processes(&system, &all->inputs[i], i);
		err = take_locations(&system, all, i);
	}
	if (!err) {
		write_processes(all, &system);
		write_locations(all, &system);
	}
	fathom_table_fini(&system.locations);
	free(system.processes);
	return err;
}
