/*
 * The kinds of definitions are taken one after the other, in an order in which no definition refers to a later kind; of
 * each kind, the definitions of one input after the other. So when a definition is taken, the new ids of all that it
 * refers to are known, and two definitions are equal if all their fields are.
 */
#include "tools/trace/definition_union.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"
#include "tools/common/command.h"

struct content {		/* a definition of the union; found by hash, kind, and a number for equal hashes */
	struct fathom_table_entry entry;
	size_t record;		/* position in the list of the union */
	size_t user;		/* 1 + the last input whose definition is this one */
};

/* --- ids ---------------------------------------------------------------------------------------------- */

uint64_t fathom_definition_union_id(void *data, enum fathom_otf2_space space, uint64_t id)
{
	const struct fathom_union_input *input = data;
	int64_t index;

	if (space == FATHOM_OTF2_LOCATION || space == FATHOM_OTF2_PARADIGM)
		return id;
	index = fathom_otf2_index(&input->trace.defs, space, id);
	if (index < 0 || input->ids[space][index] == UINT64_MAX)
		return OTF2_UNDEFINED_UINT32;
	return input->ids[space][index];
}

static void set_id(struct fathom_union_input *input, enum fathom_otf2_space space, uint64_t id, uint64_t new_id)
{
	int64_t index = fathom_otf2_index(&input->trace.defs, space, id);

	if (index >= 0)
		input->ids[space][index] = new_id;
}

/* --- equal contents ----------------------------------------------------------------------------------- */

/* Returns whether a field is compared. Not compared are the definition's own id, names that a process may give late,
 * and the value of a property. */
static bool is_compared(const struct fathom_definition *record, uint32_t field)
{
	const char *fields = fathom_definition_shapes[record->kind].fields;

	switch (record->kind) {
	case FATHOM_DEFINITION_COMM:
	case FATHOM_DEFINITION_INTER_COMM:
	case FATHOM_DEFINITION_WINDOW: return field > 1;
	case FATHOM_DEFINITION_COORDINATE: return field < 2;
	case FATHOM_DEFINITION_HANDLE_STATE: return field == 0;
	case FATHOM_DEFINITION_IO_PARADIGM: return field > 0;
	default: break;
	}
	if (fields[0] == '=' && field == 0)
		return false;
	return !strchr(fields, 'V') || field + 2 < record->count;
}

static uint64_t hash_of(const struct fathom_definition *record)
{
	uint64_t hash = record->count;

	for (uint32_t i = 0; i < record->count; i++)
		if (is_compared(record, i))
			hash = (hash ^ record->fields[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
	for (const char *at = record->text; at && *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
	return hash;
}

static bool is_equal(const struct fathom_definition *a, const struct fathom_definition *b)
{
	if (a->kind != b->kind || a->count != b->count || (a->text && strcmp(a->text, b->text) != 0))
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (is_compared(a, i) && a->fields[i] != b->fields[i])
			return false;
	return true;
}

static bool is_nameless(const struct fathom_definition_union *all, uint64_t name)
{
	/* The strings are the first records behind that of the clock. */
	return name == OTF2_UNDEFINED_STRING || !*all->definitions.records[1 + name].text;
}

/* Adds a record, whose ids are those of the union, or finds the equal record that no other definition of this input is.
 * Returns the position in the list of the union. */
static size_t add_record(struct fathom_definition_union *all, size_t input, const struct fathom_definition *record)
{
	const struct fathom_definition_shape *shape = &fathom_definition_shapes[record->kind];
	uint64_t hash = hash_of(record), number;
	struct fathom_definition *its;
	struct content *content;

	for (number = 0; (content = fathom_table_find(&all->contents, hash, record->kind, number)) != NULL; number++) {
		its = &all->definitions.records[content->record];
		if (!is_equal(its, record) || (shape->defines != FATHOM_OTF2_NOTHING && content->user == input + 1))
			continue;
		content->user = input + 1;
		if (!is_compared(record, 1) && shape->fields[1] == 's' && is_nameless(all, its->fields[1]))
			its->fields[1] = record->fields[1];
		return content->record;
	}
	content = fathom_table_add(&all->contents, hash, record->kind, number);
	content->record = all->definitions.count;
	content->user = input + 1;
	its = fathom_definition_add(&all->definitions, record->kind, record->count, record->text);
	memcpy(its->fields, record->fields, record->count * sizeof(uint64_t));
	if (shape->defines != FATHOM_OTF2_NOTHING)
		its->fields[0] = all->next_id[shape->defines]++;
	return content->record;
}

/* Makes copy a copy of a record of an input, with the ids of the union, in memory for room fields. */
static void rename_record(struct fathom_union_input *input, const struct fathom_definition *record,
			  struct fathom_definition *copy)
{
	bool has_own_id = fathom_definition_shapes[record->kind].defines != FATHOM_OTF2_NOTHING;

	*copy = *record;
	copy->fields = fathom_otf2_memory_alloc(record->count, sizeof(uint64_t));
	memcpy(copy->fields, record->fields, record->count * sizeof(uint64_t));
	for (uint32_t i = has_own_id; i < record->count; i++) {
		enum fathom_otf2_space space = fathom_definition_field_space(record, i);

		if (space != FATHOM_OTF2_NOTHING && !fathom_definition_is_undefined(space, record->fields[i]))
			copy->fields[i] = fathom_definition_union_id(input, space, record->fields[i]);
	}
}

/* Returns the rank in the union of a rank with coordinates in a topology. */
static uint64_t placed_rank(struct fathom_union_input *input, uint64_t topology, uint64_t rank)
{
	const struct fathom_otf2_topology *its = fathom_otf2_find(&input->trace.defs, FATHOM_OTF2_TOPOLOGY, topology);
	const struct fathom_otf2_comm *comm = !its || its->comm < 0 ? NULL :
		fathom_otf2_at(&input->trace.defs, FATHOM_OTF2_COMM, (uint64_t)its->comm);

	if (!input->is_part || !comm || comm->group < 0 || !input->ranks.ranks[comm->group] ||
	    rank >= fathom_otf2_roster(&input->trace.defs, comm->group)->count)
		return rank;
	return input->ranks.ranks[comm->group][rank];
}

static void take_plain(struct fathom_definition_union *all, size_t number, const struct fathom_definition *record)
{
	struct fathom_union_input *input = &all->inputs[number];
	enum fathom_otf2_space defines = fathom_definition_shapes[record->kind].defines;
	struct fathom_definition copy;
	size_t position;

	rename_record(input, record, &copy);
	if (record->kind == FATHOM_DEFINITION_COORDINATE)
		copy.fields[1] = placed_rank(input, record->fields[0], record->fields[1]);
	position = add_record(all, number, &copy);
	if (defines != FATHOM_OTF2_NOTHING)
		set_id(input, defines, record->fields[0], all->definitions.records[position].fields[0]);
	free(copy.fields);
}

/* --- processes and locations --------------------------------------------------------------------------- */

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

	rename_record(input, record, &copy);
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

/* Makes the processes and locations of the union, whose records refer to the strings and the system tree. */
static int unite_system(struct fathom_definition_union *all)
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

/* --- groups ------------------------------------------------------------------------------------------- */

static bool is_list(const struct fathom_definition *record)
{
	return record->kind == FATHOM_DEFINITION_GROUP &&
	       record->fields[FATHOM_GROUP_TYPE] == OTF2_GROUP_TYPE_COMM_LOCATIONS;
}

struct located {		/* a location in the list of a paradigm, or a member of a group */
	struct fathom_table_entry entry;	/* found by paradigm or group, and location id or position */
	uint32_t position;
};

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Appends to members those of a record, if there are not in there yet, and returns whether the order may have
 * changed. */
static bool append_members(struct fathom_table *table, uint64_t of, uint64_t **members, size_t *count, size_t *room,
			   const struct fathom_definition *record)
{
	bool is_first = *count == 0, has_new = false;

	for (uint32_t i = FATHOM_GROUP_MEMBERS; i < record->count; i++) {
		if (fathom_table_find(table, of, record->fields[i], 0))
			continue;
		fathom_table_add(table, of, record->fields[i], 0);
		*members = fathom_otf2_memory_grow(*members, *count, room, sizeof(uint64_t));
		(*members)[(*count)++] = record->fields[i];
		has_new = true;
	}
	return has_new && !is_first;
}

enum { PARADIGMS = 256 };

struct location_list {		/* of a paradigm: the locations in the lists of all inputs */
	uint64_t *members, id;	/* id: UINT64_MAX as long as the union does not have the group */
	size_t count, room;
};

struct grouping {
	struct location_list lists[PARADIGMS];
	struct fathom_table positions;	/* struct located: in these lists */
	struct fathom_table parts;	/* struct content: by id, the groups of ranks of parts */
};

/* Makes the list of locations of each paradigm. If the lists of the inputs differ, the locations are in the order of
 * their ids, which is that of ranks. */
static void unite_lists(struct fathom_definition_union *all, struct grouping *grouping)
{
	bool differ[PARADIGMS] = { false };

	for (size_t i = 0; i < all->input_count; i++)
		for (size_t r = 0; r < all->inputs[i].definitions.count; r++) {
			const struct fathom_definition *record = &all->inputs[i].definitions.records[r];
			uint64_t paradigm = is_list(record) ? record->fields[FATHOM_GROUP_PARADIGM] : PARADIGMS;

			if (paradigm < PARADIGMS &&
			    append_members(&grouping->positions, paradigm, &grouping->lists[paradigm].members,
					   &grouping->lists[paradigm].count, &grouping->lists[paradigm].room, record))
				differ[paradigm] = true;
		}
	for (uint64_t paradigm = 0; paradigm < PARADIGMS; paradigm++) {
		struct location_list *list = &grouping->lists[paradigm];

		list->id = UINT64_MAX;
		if (differ[paradigm])
			qsort(list->members, list->count, sizeof(*list->members), by_number);
		for (size_t m = 0; m < list->count; m++) {
			struct located *at = fathom_table_find(&grouping->positions, paradigm, list->members[m], 0);

			at->position = (uint32_t)m;
		}
	}
}

/* Takes the list of locations of a paradigm from an input; the first input that has it adds it to the union. */
static void take_list(struct fathom_definition_union *all, struct grouping *grouping, size_t input,
		      const struct fathom_definition *record)
{
	struct location_list *list = &grouping->lists[record->fields[FATHOM_GROUP_PARADIGM] % PARADIGMS];
	struct fathom_definition copy, *merged;

	if (list->id == UINT64_MAX) {
		list->id = all->next_id[FATHOM_OTF2_GROUP]++;
		rename_record(&all->inputs[input], record, &copy);
		merged = fathom_definition_add(&all->definitions, FATHOM_DEFINITION_GROUP,
					       (uint32_t)(FATHOM_GROUP_MEMBERS + list->count), NULL);
		memcpy(merged->fields, copy.fields, FATHOM_GROUP_MEMBERS * sizeof(uint64_t));
		if (list->count)
			memcpy(merged->fields + FATHOM_GROUP_MEMBERS, list->members, list->count * sizeof(uint64_t));
		merged->fields[0] = list->id;
		free(copy.fields);
	}
	set_id(&all->inputs[input], FATHOM_OTF2_GROUP, record->fields[0], list->id);
}

/* Makes copy a copy of a group. The members of a group of ranks are then positions in the list of the union. */
static void rename_ranks(struct fathom_definition_union *all, struct fathom_table *positions, size_t input,
			 const struct fathom_definition *record, struct fathom_definition *copy)
{
	struct fathom_otf2_defs *defs = &all->inputs[input].trace.defs;
	uint64_t paradigm = record->fields[FATHOM_GROUP_PARADIGM];
	int32_t list = paradigm < 256 ? defs->comm_locations[paradigm] : -1;
	const struct fathom_otf2_group *locations = list < 0 ? NULL : fathom_otf2_at(defs, FATHOM_OTF2_GROUP,
										     (uint64_t)list);

	rename_record(&all->inputs[input], record, copy);
	if (record->fields[FATHOM_GROUP_TYPE] != OTF2_GROUP_TYPE_COMM_GROUP)
		return;
	for (uint32_t i = FATHOM_GROUP_MEMBERS; locations && i < record->count; i++) {
		const struct located *at;

		if (record->fields[i] >= locations->count)
			continue;
		at = fathom_table_find(positions, paradigm, locations->members[record->fields[i]], 0);
		copy->fields[i] = at->position;
	}
}

/* Takes a group of ranks or locations of a part of a trace: the groups of the same id of all parts are one group. */
static void take_part(struct fathom_definition_union *all, struct fathom_table *parts, size_t input,
		      const struct fathom_definition *record, const struct fathom_definition *copy)
{
	struct content *content = fathom_table_find(parts, record->fields[0], 0, 0);
	struct fathom_definition *old, *its;
	uint32_t count, i, m;

	if (!content) {
		content = fathom_table_add(parts, record->fields[0], 0, 0);
		content->record = all->definitions.count;
		its = fathom_definition_add(&all->definitions, copy->kind, copy->count, NULL);
		memcpy(its->fields, copy->fields, copy->count * sizeof(uint64_t));
		its->fields[0] = all->next_id[FATHOM_OTF2_GROUP]++;
	} else {
		old = &all->definitions.records[content->record];
		count = old->count;
		old->fields = memcpy(fathom_otf2_memory_from(&all->definitions.arena,
							     (old->count + copy->count) * sizeof(uint64_t)),
				     old->fields, old->count * sizeof(uint64_t));
		for (i = FATHOM_GROUP_MEMBERS; i < copy->count; i++) {
			for (m = FATHOM_GROUP_MEMBERS; m < count && old->fields[m] != copy->fields[i]; m++)
				;
			if (m == count)
				old->fields[old->count++] = copy->fields[i];
		}
		if (old->fields[FATHOM_GROUP_PARADIGM] == OTF2_PARADIGM_MPI)
			qsort(old->fields + FATHOM_GROUP_MEMBERS, old->count - FATHOM_GROUP_MEMBERS, sizeof(uint64_t),
			      by_number);
	}
	set_id(&all->inputs[input], FATHOM_OTF2_GROUP, record->fields[0],
	       all->definitions.records[content->record].fields[0]);
}

/* Takes a group of ranks, or a group of locations of a part. */
static void take_ranks(struct fathom_definition_union *all, struct grouping *grouping, size_t input,
		       const struct fathom_definition *record)
{
	struct fathom_definition copy;
	size_t position;

	rename_ranks(all, &grouping->positions, input, record, &copy);
	if (all->inputs[input].is_part) {
		take_part(all, &grouping->parts, input, record, &copy);
	} else {
		position = add_record(all, input, &copy);
		set_id(&all->inputs[input], FATHOM_OTF2_GROUP, record->fields[0],
		       all->definitions.records[position].fields[0]);
	}
	free(copy.fields);
}

/* Finds the new ranks of the members of the groups of a part. */
static void find_ranks(struct fathom_definition_union *all, const struct fathom_table *positions,
		       struct fathom_union_input *input)
{
	struct fathom_otf2_defs *defs = &input->trace.defs;

	fathom_otf2_selection_init(&input->ranks, defs, NULL);
	input->ranks.is_all = false;
	for (size_t g = 0; g < fathom_otf2_count(defs, FATHOM_OTF2_GROUP); g++) {
		const struct fathom_otf2_group *group = fathom_otf2_at(defs, FATHOM_OTF2_GROUP, g);
		uint64_t id = input->ids[FATHOM_OTF2_GROUP][g];
		const struct fathom_definition *merged = NULL;
		uint32_t *ranks;

		if (group->type != OTF2_GROUP_TYPE_COMM_GROUP || defs->comm_locations[group->paradigm] < 0)
			continue;
		for (size_t r = 0; r < all->definitions.count && !merged; r++)
			if (all->definitions.records[r].kind == FATHOM_DEFINITION_GROUP &&
			    all->definitions.records[r].fields[0] == id)
				merged = &all->definitions.records[r];
		ranks = fathom_otf2_memory_alloc(group->count, sizeof(*ranks));
		for (uint32_t i = 0; i < group->count; i++) {
			const struct fathom_otf2_group *list = fathom_otf2_at(
				defs, FATHOM_OTF2_GROUP, (uint64_t)defs->comm_locations[group->paradigm]);
			const struct located *at = group->members[i] >= list->count ? NULL :
				fathom_table_find(positions, group->paradigm, list->members[group->members[i]], 0);

			ranks[i] = i;
			for (uint32_t m = FATHOM_GROUP_MEMBERS; merged && at && m < merged->count; m++)
				if (merged->fields[m] == at->position)
					ranks[i] = m - FATHOM_GROUP_MEMBERS;
		}
		input->ranks.ranks[g] = ranks;
	}
}

static void unite_groups(struct fathom_definition_union *all)
{
	struct grouping grouping = { .lists = { { NULL, 0, 0, 0 } } };

	fathom_table_init(&grouping.positions, sizeof(struct located));
	fathom_table_init(&grouping.parts, sizeof(struct content));
	unite_lists(all, &grouping);
	for (size_t i = 0; i < all->input_count; i++)
		for (size_t r = 0; r < all->inputs[i].definitions.count; r++) {
			const struct fathom_definition *record = &all->inputs[i].definitions.records[r];

			if (record->kind != FATHOM_DEFINITION_GROUP)
				continue;
			if (is_list(record))
				take_list(all, &grouping, i, record);
			else if (record->fields[FATHOM_GROUP_TYPE] == OTF2_GROUP_TYPE_COMM_GROUP ||
				 (all->inputs[i].is_part &&
				  record->fields[FATHOM_GROUP_TYPE] == OTF2_GROUP_TYPE_LOCATIONS))
				take_ranks(all, &grouping, i, record);
			else
				take_plain(all, i, record);
		}
	for (size_t i = 0; i < all->input_count; i++)
		if (all->inputs[i].is_part)
			find_ranks(all, &grouping.positions, &all->inputs[i]);
	for (size_t p = 0; p < PARADIGMS; p++)
		free(grouping.lists[p].members);
	fathom_table_fini(&grouping.positions);
	fathom_table_fini(&grouping.parts);
}

/* --- all kinds ---------------------------------------------------------------------------------------- */

/* Takes the definitions of one kind, or of kinds that refer to each other, of all inputs. */
static void unite_kind(struct fathom_definition_union *all, enum fathom_definition_kind kind)
{
	bool is_comm = kind == FATHOM_DEFINITION_COMM;

	for (size_t i = 0; i < all->input_count; i++)
		for (size_t r = 0; r < all->inputs[i].definitions.count; r++) {
			const struct fathom_definition *record = &all->inputs[i].definitions.records[r];

			if (record->kind == kind || (is_comm && record->kind == FATHOM_DEFINITION_INTER_COMM))
				take_plain(all, i, record);
		}
}

static void begin(struct fathom_definition_union *all, struct fathom_union_input *inputs, size_t count)
{
	all->inputs = inputs;
	all->input_count = count;
	fathom_otf2_defs_init(&all->merged.defs);
	fathom_table_init(&all->contents, sizeof(struct content));
	for (size_t i = 0; i < count; i++)
		for (size_t s = 0; s < FATHOM_OTF2_SPACES; s++) {
			size_t definitions = fathom_otf2_count(&inputs[i].trace.defs, (enum fathom_otf2_space)s);

			inputs[i].ids[s] = fathom_otf2_memory_alloc(definitions, sizeof(uint64_t));
			memset(inputs[i].ids[s], 0xff, definitions * sizeof(uint64_t));
		}
}

/* Tells the writer of the archive how large the groups are. */
static void note_groups(struct fathom_definition_union *all)
{
	for (size_t i = 0; i < all->definitions.count; i++) {
		const struct fathom_definition *record = &all->definitions.records[i];
		struct fathom_otf2_group *group;

		if (record->kind != FATHOM_DEFINITION_GROUP)
			continue;
		group = fathom_otf2_defs_add(&all->merged.defs, FATHOM_OTF2_GROUP, record->fields[0]);
		group->count = record->count - FATHOM_GROUP_MEMBERS;
	}
}

int fathom_definition_union_make(struct fathom_definition_union *all, struct fathom_union_input *inputs, size_t count)
{
	const struct fathom_otf2_defs *first = &inputs[0].trace.defs;
	uint64_t *clock;
	int err = 0;

	begin(all, inputs, count);
	clock = fathom_definition_add(&all->definitions, FATHOM_DEFINITION_CLOCK, 4, NULL)->fields;
	clock[FATHOM_CLOCK_RESOLUTION] = first->resolution;
	clock[FATHOM_CLOCK_OFFSET] = first->offset;
	clock[FATHOM_CLOCK_LENGTH] = first->length;
	clock[FATHOM_CLOCK_REALTIME] = first->realtime;
	for (int kind = FATHOM_DEFINITION_CLOCK + 1; !err && kind < FATHOM_DEFINITION_KINDS; kind++)
		switch (kind) {
		case FATHOM_DEFINITION_PROCESS: err = unite_system(all); break;
		case FATHOM_DEFINITION_LOCATION:	/* together with processes */
		case FATHOM_DEFINITION_INTER_COMM: break;	/* together with communicators */
		case FATHOM_DEFINITION_GROUP: unite_groups(all); break;
		default: unite_kind(all, (enum fathom_definition_kind)kind);
		}
	note_groups(all);
	return err;
}

void fathom_definition_union_free(struct fathom_definition_union *all)
{
	for (size_t i = 0; i < all->input_count; i++) {
		for (size_t s = 0; s < FATHOM_OTF2_SPACES; s++)
			free(all->inputs[i].ids[s]);
		if (all->inputs[i].ranks.defs)
			fathom_otf2_selection_fini(&all->inputs[i].ranks);
	}
	fathom_definitions_free(&all->definitions);
	fathom_otf2_defs_fini(&all->merged.defs);
	fathom_table_fini(&all->contents);
	free(all->sources);
}
