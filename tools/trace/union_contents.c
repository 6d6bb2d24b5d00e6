#include "tools/trace/union_contents.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

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

void fathom_union_set_id(struct fathom_union_input *input, enum fathom_otf2_space space, uint64_t id, uint64_t new_id)
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

size_t fathom_union_add_record(struct fathom_definition_union *all, size_t input,
			       const struct fathom_definition *record)
{
	const struct fathom_definition_shape *shape = &fathom_definition_shapes[record->kind];
	uint64_t hash = hash_of(record), number;
	struct fathom_definition *its;
	struct fathom_union_content *content;

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

void fathom_union_rename_record(struct fathom_union_input *input, const struct fathom_definition *record,
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

void fathom_union_take(struct fathom_definition_union *all, size_t number, const struct fathom_definition *record)
{
	struct fathom_union_input *input = &all->inputs[number];
	enum fathom_otf2_space defines = fathom_definition_shapes[record->kind].defines;
	struct fathom_definition copy;
	size_t position;

	fathom_union_rename_record(input, record, &copy);
	if (record->kind == FATHOM_DEFINITION_COORDINATE)
		copy.fields[1] = placed_rank(input, record->fields[0], record->fields[1]);
	position = fathom_union_add_record(all, number, &copy);
	if (defines != FATHOM_OTF2_NOTHING)
		fathom_union_set_id(input, defines, record->fields[0], all->definitions.records[position].fields[0]);
	free(copy.fields);
}
