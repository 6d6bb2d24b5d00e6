#include "otf2/translation.h"

#include <math.h>
#include <stdlib.h>

#include "otf2/memory.h"

/* A larger local id than this is not put into a table: a damaged file must not take all memory. */
enum { MOST_IDS = 1 << 24 };

void fathom_otf2_translation_fini(struct fathom_otf2_translation *translation)
{
	free(translation->regions.ids);
	free(translation->comms.ids);
	free(translation->contexts.ids);
	for (int space = 0; space < FATHOM_OTF2_SPACES; space++)
		free(translation->rest[space].ids);
	free(translation->offsets);
}

struct fathom_otf2_id_table *fathom_otf2_translation_table(struct fathom_otf2_translation *translation,
							   enum fathom_otf2_space space)
{
	switch (space) {
	case FATHOM_OTF2_REGION: return &translation->regions;
	case FATHOM_OTF2_COMM: return &translation->comms;
	case FATHOM_OTF2_CONTEXT: return &translation->contexts;
	default: return &translation->rest[space];
	}
}

void fathom_otf2_id_table_add(struct fathom_otf2_id_table *table, uint64_t local_id, uint64_t global_id)
{
	if (local_id >= MOST_IDS)
		return;
	while (table->count <= local_id) {
		table->ids = fathom_otf2_memory_grow(table->ids, table->count, &table->room, sizeof(*table->ids));
		table->ids[table->count] = (uint32_t)table->count;
		table->count++;
	}
	table->ids[local_id] = (uint32_t)global_id;
}

void fathom_otf2_translation_add_offset(struct fathom_otf2_translation *translation, uint64_t ticks, int64_t offset)
{
	translation->offsets = fathom_otf2_memory_grow(translation->offsets, translation->offset_count,
						       &translation->offset_room, sizeof(*translation->offsets));
	translation->offsets[translation->offset_count++] = (struct fathom_otf2_clock_offset){ ticks, offset };
}

/* Returns the nearest integer, of two equally near ones the even one, as rint does; without a call of the C library for
 * all times that occur. Adding 1.5 * 2^52 to a number below 2^51 leaves no bits for its fraction. */
static double nearest_integer(double number)
{
	const double large = 0x1.8p52;

	return fabs(number) < 0x1p51 ? (number + large) - large : rint(number);
}

/* Chooses the interval between two clock offsets that the moment is in. */
static void choose_interval(struct fathom_otf2_translation *translation, uint64_t ticks)
{
	const struct fathom_otf2_clock_offset *offsets = translation->offsets;
	size_t at = translation->interval;

	while (at + 2 < translation->offset_count && ticks > offsets[at + 1].ticks)
		at++;
	while (at > 0 && ticks <= offsets[at].ticks)
		at--;
	if (at == translation->interval && translation->has_slope)
		return;
	translation->interval = at;
	translation->has_slope = true;
	translation->slope = offsets[at + 1].ticks == offsets[at].ticks ? 0 :
			     (double)(offsets[at + 1].offset - offsets[at].offset) /
			     (double)(offsets[at + 1].ticks - offsets[at].ticks);
}

uint64_t fathom_otf2_global_time(struct fathom_otf2_translation *translation, uint64_t ticks)
{
	const struct fathom_otf2_clock_offset *offset;

	if (translation->offset_count < 2)
		return ticks;
	choose_interval(translation, ticks);
	offset = &translation->offsets[translation->interval];
	return ticks + (uint64_t)offset->offset +
	       (uint64_t)(int64_t)nearest_integer(translation->slope * (double)(int64_t)(ticks - offset->ticks));
}
