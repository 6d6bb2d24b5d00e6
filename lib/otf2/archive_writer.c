#include "otf2/archive_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/definition_calls.h"
#include "otf2/event_writer.h"
#include "otf2/memory.h"
#include "platform/compiler.h"

enum {
	LARGEST_MEMBER_BYTES = 9,	/* of a member of a group, and room for the record itself */
	LEAST_DEFINITION_CHUNK = 4 << 20,
	MOST_DEFINITION_CHUNK = 16 << 20,	/* limits of OTF2 */
};

FATHOM_PRINTF(3, 4)
static int fail(struct fathom_otf2_archive_writer *writer, int err, const char *format, ...)
{
	const char *reason = fathom_otf2_complaint();
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	vsnprintf(writer->error, sizeof(writer->error), format, arguments);
	va_end(arguments);
	length = strlen(writer->error);
	if (*reason)
		snprintf(writer->error + length, sizeof(writer->error) - length, " (%s)", reason);
	return err;
}

/* --- callbacks of the library ---------------------------------------------------------------------- */

static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data; (void)type; (void)location; (void)caller; (void)final;
	return OTF2_FLUSH;
}

/* Gives each buffer one chunk: if the library asks for a second one, it gets none and writes the first one. */
static void *allocate_chunk(void *data, OTF2_FileType type, OTF2_LocationRef location, void **chunk, uint64_t bytes)
{
	(void)data; (void)type; (void)location;
	if (*chunk)
		return NULL;
	*chunk = fathom_otf2_memory_alloc(1, bytes);
	return *chunk;
}

static void free_chunk(void *data, OTF2_FileType type, OTF2_LocationRef location, void **chunk, bool final)
{
	(void)data; (void)type; (void)location; (void)final;
	free(*chunk);
	*chunk = NULL;
}

/* --- the archive ------------------------------------------------------------------------------------- */

/* A definition must fit into one chunk; groups are the largest ones. */
static uint64_t definition_chunk(const struct fathom_otf2_defs *defs)
{
	uint64_t bytes = LEAST_DEFINITION_CHUNK;
	size_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_GROUP); i++) {
		const struct fathom_otf2_group *group = fathom_otf2_at(defs, FATHOM_OTF2_GROUP, i);

		if (bytes < (group->count + 100ull) * LARGEST_MEMBER_BYTES)
			bytes = (group->count + 100ull) * LARGEST_MEMBER_BYTES;
	}
	return bytes < MOST_DEFINITION_CHUNK ? bytes : MOST_DEFINITION_CHUNK;
}

int fathom_otf2_writer_open(struct fathom_otf2_archive_writer *writer, const char *directory,
			    const struct fathom_otf2_archive *source)
{
	static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = flush_always };
	static const OTF2_MemoryCallbacks memory = { .otf2_allocate = allocate_chunk, .otf2_free_all = free_chunk };

	*writer = (struct fathom_otf2_archive_writer){ .defs = &source->defs };
	fathom_otf2_complaint();
	writer->location_count = fathom_otf2_count(&source->defs, FATHOM_OTF2_LOCATION);
	writer->writers = fathom_otf2_memory_alloc(writer->location_count, sizeof(OTF2_EvtWriter *));
	writer->counts = fathom_otf2_memory_alloc(writer->location_count, sizeof(uint64_t));
	writer->archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, FATHOM_OTF2_CHUNK_BYTES,
					    definition_chunk(&source->defs), OTF2_SUBSTRATE_POSIX,
					    OTF2_COMPRESSION_NONE);
	if (!writer->archive)
		return fail(writer, -EIO, "%s: no trace can be begun in it", directory);
	OTF2_Archive_SetFlushCallbacks(writer->archive, &flush, NULL);
	OTF2_Archive_SetMemoryCallbacks(writer->archive, &memory, NULL);
	OTF2_Archive_SetCreator(writer->archive, source->creator);
	OTF2_Archive_SetDescription(writer->archive, source->description);
	if (OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive) != OTF2_SUCCESS ||
	    OTF2_Archive_OpenEvtFiles(writer->archive) != OTF2_SUCCESS)
		return fail(writer, -EIO, "%s: no trace can be begun in it", directory);
	return 0;
}

/* Returns the writer of a location, NULL after an error. */
static OTF2_EvtWriter *writer_of(struct fathom_otf2_archive_writer *writer, uint32_t location)
{
	const struct fathom_otf2_location *its = fathom_otf2_at(writer->defs, FATHOM_OTF2_LOCATION, location);

	if (!writer->writers[location]) {
		writer->writers[location] = OTF2_Archive_GetEvtWriter(writer->archive, its->id);
		if (!writer->writers[location])
			fail(writer, -EIO, "events of location %" PRIu64 " cannot be written", its->id);
	}
	return writer->writers[location];
}

int fathom_otf2_writer_put(struct fathom_otf2_archive_writer *writer, const struct fathom_otf2_event *event)
{
	OTF2_EvtWriter *events = writer_of(writer, event->location);
	const struct fathom_otf2_location *its;

	if (!events)
		return -EIO;
	if (fathom_otf2_write_event(events, event)) {
		writer->counts[event->location]++;
		return 0;
	}
	its = fathom_otf2_at(writer->defs, FATHOM_OTF2_LOCATION, event->location);
	return fail(writer, -EIO, "event %" PRIu64 " of location %" PRIu64 " (%s at %" PRIu64 ") cannot be written",
		    writer->counts[event->location] + 1, its->id, fathom_otf2_records[event->kind].name, event->time);
}

/* Writes the file of definitions of a location. The times of the copy are corrected already, so its clock offsets are
 * zero; a location without offsets in the source has none. Some readers expect the file even if it is empty. */
static bool write_local_definitions(struct fathom_otf2_archive_writer *writer,
				    const struct fathom_otf2_location *location, const uint64_t times[2])
{
	OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(writer->archive, location->id);
	bool is_written = definitions != NULL;
	unsigned i;

	for (i = 0; is_written && i < 2 && location->offset_count > 1; i++)
		is_written = OTF2_DefWriter_WriteClockOffset(definitions, times[i], 0, 0) == OTF2_SUCCESS;
	return is_written && OTF2_Archive_CloseDefWriter(writer->archive, definitions) == OTF2_SUCCESS;
}

int fathom_otf2_writer_end_events(struct fathom_otf2_archive_writer *writer,
				  const struct fathom_otf2_selection *selection, uint64_t first, uint64_t last)
{
	const uint64_t times[2] = { first, last > first ? last : first + 1 };
	const struct fathom_otf2_location *its;
	uint32_t i;

	for (i = 0; i < writer->location_count; i++) {
		its = fathom_otf2_at(writer->defs, FATHOM_OTF2_LOCATION, i);
		if (selection && !fathom_otf2_selection_has(selection, i))
			continue;
		if (!writer_of(writer, i))
			return -EIO;
		if (OTF2_Archive_CloseEvtWriter(writer->archive, writer->writers[i]) != OTF2_SUCCESS)
			return fail(writer, -EIO, "events of location %" PRIu64 " cannot be written", its->id);
		writer->writers[i] = NULL;
	}
	OTF2_Archive_CloseEvtFiles(writer->archive);
	OTF2_Archive_OpenDefFiles(writer->archive);
	for (i = 0; i < writer->location_count; i++) {
		its = fathom_otf2_at(writer->defs, FATHOM_OTF2_LOCATION, i);
		if ((!selection || fathom_otf2_selection_has(selection, i)) &&
		    !write_local_definitions(writer, its, times))
			return fail(writer, -EIO, "definitions of location %" PRIu64 " cannot be written", its->id);
	}
	OTF2_Archive_CloseDefFiles(writer->archive);
	return 0;
}

void fathom_otf2_writer_set_property(struct fathom_otf2_archive_writer *writer, const char *name, const char *value)
{
	OTF2_Archive_SetProperty(writer->archive, name, value, true);
}

/* Completes the definitions, which are written if err is 0, and the archive. */
static int end_archive(struct fathom_otf2_archive_writer *writer, OTF2_GlobalDefWriter *definitions, int err)
{
	OTF2_ErrorCode code;

	if (err || OTF2_Archive_CloseGlobalDefWriter(writer->archive, definitions) != OTF2_SUCCESS)
		return fail(writer, -EIO, "the definitions cannot be written");
	code = OTF2_Archive_Close(writer->archive);
	writer->archive = NULL;
	return code == OTF2_SUCCESS ? 0 : fail(writer, -EIO, "the anchor file cannot be written");
}

/* Copies the definitions of an archive, which another reader of the library reads once more. 0 or -EIO. */
static int copy_archive_definitions(const char *anchor, OTF2_GlobalDefWriter *definitions,
				    const struct fathom_otf2_definition_changes *changes)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	int err = -EIO;

	if (reader)
		OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	if (reader)
		err = fathom_otf2_copy_definitions(reader, definitions, changes);
	if (reader)
		OTF2_Reader_Close(reader);
	return err;
}

int fathom_otf2_writer_finish(struct fathom_otf2_archive_writer *writer, const struct fathom_otf2_archive *source,
			      struct fathom_otf2_definition_changes *changes)
{
	OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
	int err = -EIO;

	changes->events = writer->counts;
	if (definitions && source->source)
		err = fathom_otf2_copy_definition_list(source->source->definitions(source), definitions, changes);
	else if (definitions)
		err = copy_archive_definitions(source->anchor, definitions, changes);
	if (!err && changes->add)
		err = changes->add(changes->adder, definitions);
	return end_archive(writer, definitions, err);
}

int fathom_otf2_writer_finish_list(struct fathom_otf2_archive_writer *writer,
				   const struct fathom_definition_list *list)
{
	OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
	bool is_written = definitions != NULL;
	int64_t location;

	for (size_t i = 0; is_written && i < list->count; i++) {
		struct fathom_definition *record = &list->records[i];

		if (record->kind == FATHOM_DEFINITION_LOCATION) {
			location = fathom_otf2_index(writer->defs, FATHOM_OTF2_LOCATION, record->fields[0]);
			record->fields[FATHOM_LOCATION_EVENTS] = location < 0 ? 0 : writer->counts[location];
		}
		is_written = fathom_definition_write(definitions, record);
	}
	return end_archive(writer, definitions, is_written ? 0 : -EIO);
}

void fathom_otf2_writer_close(struct fathom_otf2_archive_writer *writer)
{
	/* The library writes an anchor file when it closes an archive; an unfinished archive is therefore left open
	 * until the program ends. */
	free(writer->writers);
	free(writer->counts);
	memset(writer, 0, sizeof(*writer));
}
