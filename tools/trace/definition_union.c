/*
 * The kinds of definitions are taken one after the other, in an order in which no definition refers to a later kind; of
 * each kind, the definitions of one input after the other. So when a definition is taken, the new ids of all that it
 * refers to are known, and two definitions are equal if all their fields are.
 */
#include "tools/trace/definition_union.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"
#include "tools/trace/union_groups.h"
#include "tools/trace/union_system.h"

/* Takes the definitions of one kind, or of kinds that refer to each other, of all inputs. */
static void unite_kind(struct fathom_definition_union *all, enum fathom_definition_kind kind)
{
	bool is_comm = kind == FATHOM_DEFINITION_COMM;

	for (size_t i = 0; i < all->input_count; i++)
		for (size_t r = 0; r < all->inputs[i].definitions.count; r++) {
			const struct fathom_definition *record = &all->inputs[i].definitions.records[r];

			if (record->kind == kind || (is_comm && record->kind == FATHOM_DEFINITION_INTER_COMM))
				fathom_union_take(all, i, record);
		}
}

static void begin(struct fathom_definition_union *all, struct fathom_union_input *inputs, size_t count)
{
	all->inputs = inputs;
	all->input_count = count;
	fathom_otf2_defs_init(&all->merged.defs);
	fathom_table_init(&all->contents, sizeof(struct fathom_union_content));
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
		case FATHOM_DEFINITION_PROCESS: err = fathom_union_take_system(all); break;
		case FATHOM_DEFINITION_LOCATION:	/* together with processes */
		case FATHOM_DEFINITION_INTER_COMM: break;	/* together with communicators */
		case FATHOM_DEFINITION_GROUP: fathom_union_take_groups(all); break;
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
