#include "frames/frame_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

void fathom_frame_index_path(const struct fathom_otf2_archive *trace, char *path)
{
	snprintf(path, PATH_MAX + 8, "%s.frames", trace->source ? trace->anchor : trace->folder);
}

void fathom_frame_index_range(const struct fathom_frame_index *index, uint64_t *from, uint64_t *to)
{
	const struct fathom_otf2_defs *defs = &index->trace->defs;
	bool has_events = false;

	*from = defs->offset;
	*to = defs->offset + (defs->length ? defs->length : 1);
	for (uint32_t i = 0; i < index->location_count; i++) {
		const struct fathom_frame_location *location = &index->locations[i];

		if (!location->level)
			continue;
		*from = !has_events || location->begin < *from ? location->begin : *from;
		*to = !has_events || location->end + 1 > *to ? location->end + 1 : *to;
		has_events = true;
	}
}

static bool read_paths(struct fathom_path_table *paths, struct fathom_byte_cursor *cursor)
{
	uint64_t count = fathom_byte_cursor_number(cursor);

	if (!cursor->at || count > FATHOM_PATHS_MOST)
		return false;
	while (paths->count < count) {
		uint64_t region = fathom_byte_cursor_number(cursor), parent = fathom_byte_cursor_number(cursor);

		/* Each path is written once, so it gets the next number. */
		if (!cursor->at || parent >= paths->count || region > UINT32_MAX ||
		    fathom_path_child(paths, (uint32_t)parent, (uint32_t)region) != paths->count - 1)
			return false;
	}
	paths->is_complete = true;
	return true;
}

static bool read_checkpoints(struct fathom_frame_location *location, struct fathom_byte_cursor *cursor)
{
	uint64_t count = fathom_byte_cursor_number(cursor);
	struct fathom_frame_checkpoint checkpoint = { 0 };

	/* Each one has three bytes at least. */
	if (!cursor->at || count > (uint64_t)(cursor->end - cursor->at) / 3 || count > UINT32_MAX)
		return false;
	location->checkpoints = fathom_otf2_memory_alloc(count, sizeof(*location->checkpoints));
	for (; location->checkpoint_count < count && cursor->at; location->checkpoint_count++) {
		checkpoint.event += fathom_byte_cursor_number(cursor);
		checkpoint.time += fathom_byte_cursor_number(cursor);
		checkpoint.at += fathom_byte_cursor_number(cursor);
		location->checkpoints[location->checkpoint_count] = checkpoint;
	}
	return cursor->at;
}

static bool read_location(struct fathom_frame_index *index, struct fathom_frame_location *location,
			  struct fathom_byte_cursor *cursor)
{
	struct fathom_preview preview;

	location->level = (uint32_t)fathom_byte_cursor_number(cursor);
	if (!cursor->at || location->level >= FATHOM_FRAME_LEVELS)
		return false;
	if (!location->level)
		return true;
	location->block_at = fathom_byte_cursor_number(cursor);
	location->begin = preview.begin = fathom_byte_cursor_number(cursor);
	location->preview = *cursor;
	if (!cursor->at || !fathom_preview_read(&preview, cursor, index->paths.count))
		return false;
	location->end = preview.end;
	return read_checkpoints(location, cursor);
}

static int read_tables(struct fathom_frame_index *index)
{
	struct fathom_byte_cursor cursor = fathom_frame_file_record(&index->file, index->file.head.tables_at);

	if (!cursor.at || !read_paths(&index->paths, &cursor))
		return -EILSEQ;
	index->location_count = index->file.head.location_count;
	index->locations = fathom_otf2_memory_alloc(index->location_count, sizeof(*index->locations));
	for (uint32_t i = 0; i < index->location_count; i++)
		if (!read_location(index, &index->locations[i], &cursor))
			return -EILSEQ;
	return 0;
}

int fathom_frame_index_open(struct fathom_frame_index *index, struct fathom_otf2_archive *trace, const char *path)
{
	int err;

	memset(index, 0, sizeof(*index));
	index->trace = trace;
	fathom_path_table_init(&index->paths);
	err = fathom_frame_file_open(&index->file, path);
	if (!err && index->file.head.fingerprint != fathom_frame_fingerprint(trace))
		err = -ESTALE;
	if (!err && index->file.head.location_count != fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION))
		err = -ESTALE;
	if (!err)
		err = read_tables(index);
	if (err)
		fathom_frame_index_close(index);
	return err;
}

void fathom_frame_index_close(struct fathom_frame_index *index)
{
	fathom_frame_file_close(&index->file);
	fathom_path_table_fini(&index->paths);
	for (uint32_t i = 0; index->locations && i < index->location_count; i++)
		free(index->locations[i].checkpoints);
	free(index->locations);
	memset(index, 0, sizeof(*index));
}
