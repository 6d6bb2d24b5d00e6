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
	free(translation->offsets);
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

uint64_t fathom_otf2_global_time(struct fathom_otf2_translation *translation, uint64_t ticks)
{
	const struct fathom_otf2_clock_offset *offsets = translation->offsets;
	size_t at = translation->interval;
	double slope;

	if (translation->offset_count < 2)
		return ticks;
	while (at + 2 < translation->offset_count && ticks > offsets[at + 1].ticks)
		at++;
	while (at > 0 && ticks <= offsets[at].ticks)
		at--;
	translation->interval = at;
	if (offsets[at + 1].ticks == offsets[at].ticks)
		return ticks + (uint64_t)offsets[at].offset;
	slope = (double)(offsets[at + 1].offset - offsets[at].offset) /
		(double)(offsets[at + 1].ticks - offsets[at].ticks);
	return ticks + (uint64_t)offsets[at].offset +
	       (uint64_t)(int64_t)rint(slope * (double)(int64_t)(ticks - offsets[at].ticks));
}
