#include "tools/trace/union_groups.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

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
	struct fathom_table parts;	/* struct fathom_union_content: by id, the groups of ranks of parts */
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
		fathom_union_rename_record(&all->inputs[input], record, &copy);
		merged = fathom_definition_add(&all->definitions, FATHOM_DEFINITION_GROUP,
					       (uint32_t)(FATHOM_GROUP_MEMBERS + list->count), NULL);
		memcpy(merged->fields, copy.fields, FATHOM_GROUP_MEMBERS * sizeof(uint64_t));
		if (list->count)
			memcpy(merged->fields + FATHOM_GROUP_MEMBERS, list->members, list->count * sizeof(uint64_t));
		merged->fields[0] = list->id;
		free(copy.fields);
	}
	fathom_union_set_id(&all->inputs[input], FATHOM_OTF2_GROUP, record->fields[0], list->id);
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

	fathom_union_rename_record(&all->inputs[input], record, copy);
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
	struct fathom_union_content *content = fathom_table_find(parts, record->fields[0], 0, 0);
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
	fathom_union_set_id(&all->inputs[input], FATHOM_OTF2_GROUP, record->fields[0],
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
		position = fathom_union_add_record(all, input, &copy);
		fathom_union_set_id(&all->inputs[input], FATHOM_OTF2_GROUP, record->fields[0],
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

void fathom_union_take_groups(struct fathom_definition_union *all)
{
	struct grouping grouping = { .lists = { { NULL, 0, 0, 0 } } };

	fathom_table_init(&grouping.positions, sizeof(struct located));
	fathom_table_init(&grouping.parts, sizeof(struct fathom_union_content));
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
				fathom_union_take(all, i, record);
		}
	for (size_t i = 0; i < all->input_count; i++)
		if (all->inputs[i].is_part)
			find_ranks(all, &grouping.positions, &all->inputs[i]);
	for (size_t p = 0; p < PARADIGMS; p++)
		free(grouping.lists[p].members);
	fathom_table_fini(&grouping.positions);
	fathom_table_fini(&grouping.parts);
}
