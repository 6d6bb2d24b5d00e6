/*
 * translation: what makes ids and times in the event file of a location global: its tables of ids and clock offsets.
 *
 * OTF2's reader of events applies them by itself; a program that reads the file with record_stream does it with these
 * functions. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_TRANSLATION_H
#define FATHOM_OTF2_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2/records.h"

/* Ids by local id. Without a table, and for ids that are not in it, the local id is the global one. */
struct fathom_otf2_id_table {
	uint32_t *ids;
	size_t count, room;
};

/* The difference between the global clock and the one of the location, at a moment of the latter. */
struct fathom_otf2_clock_offset {
	uint64_t ticks;
	int64_t offset;
};

struct fathom_otf2_translation {
	struct fathom_otf2_id_table regions, comms, contexts;
	struct fathom_otf2_id_table rest[FATHOM_OTF2_SPACES];	/* of the other kinds of definitions */
	struct fathom_otf2_clock_offset *offsets;	/* in the order of the file */
	size_t offset_count, offset_room;
	size_t interval;	/* of the last translated time: between this offset and the next */
	double slope;		/* change of the offset in a tick of this interval */
	bool has_slope;		/* slope is set */
};

/* Free a translation; add a pair of ids; add a clock offset. */
void fathom_otf2_translation_fini(struct fathom_otf2_translation *translation);
void fathom_otf2_id_table_add(struct fathom_otf2_id_table *table, uint64_t local_id, uint64_t global_id);
void fathom_otf2_translation_add_offset(struct fathom_otf2_translation *translation, uint64_t ticks, int64_t offset);

/* Returns the table of that kind of definitions. */
struct fathom_otf2_id_table *fathom_otf2_translation_table(struct fathom_otf2_translation *translation,
							   enum fathom_otf2_space space);

/* Returns the global id. */
static inline uint32_t fathom_otf2_global_id(const struct fathom_otf2_id_table *table, uint64_t local_id)
{
	return local_id < table->count ? table->ids[local_id] : (uint32_t)local_id;
}

/* Returns the global time: between two clock offsets, the offset is interpolated; before the first and behind the last,
 * the line of the nearest two is continued. A single offset has no effect, as in OTF2's reader. */
uint64_t fathom_otf2_global_time(struct fathom_otf2_translation *translation, uint64_t ticks);

#endif
