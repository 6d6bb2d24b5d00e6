#include "otf2/archive_reader.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "otf2/anchor_file.h"
#include "otf2/definition_reader.h"
#include "otf2/faults.h"
#include "otf2/memory.h"
#include "otf2/stream_merge.h"
#include "platform/compiler.h"

/* --- what the library says ----------------------------------------------------------------------- */

/* The first error text of the library since the last call of fathom_otf2_complaint. The first one is nearest to the
 * cause. The library passes its texts to the callback below instead of printing them; only that callback writes
 * here. */
static char complaint[512];

static OTF2_ErrorCode take_complaint(void *data, const char *file, uint64_t line, const char *function,
				     OTF2_ErrorCode code, const char *format, va_list arguments)
{
	size_t length;

	(void)data;
	(void)file;
	(void)line;
	(void)function;
	if (*complaint)
		return code;
	snprintf(complaint, sizeof(complaint), "%s", OTF2_Error_GetDescription(code));
	length = strlen(complaint);
	if (format && *format && length + 3 < sizeof(complaint)) {
		memcpy(complaint + length, ": ", 3);
		vsnprintf(complaint + length + 2, sizeof(complaint) - length - 2, format, arguments);
	}
	return code;
}

const char *fathom_otf2_complaint(void)
{
	static char text[sizeof(complaint)];

	memcpy(text, complaint, sizeof(text));
	complaint[0] = '\0';
	return text;
}

/* Sets the error text of the trace to the reason of a failure. Returns err. */
FATHOM_PRINTF(3, 4)
static int fail(struct fathom_otf2_archive *trace, int err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(trace->error, sizeof(trace->error), format, arguments);
	va_end(arguments);
	return err;
}

/* --- anchor ---------------------------------------------------------------------------------------- */

static void free_properties(struct fathom_otf2_archive *trace)
{
	uint32_t i;

	for (i = 0; i < trace->property_count; i++) {
		free(trace->properties[i].name);
		free(trace->properties[i].value);
	}
	free(trace->properties);
	trace->properties = NULL;
	trace->property_count = 0;
}

static void read_properties(struct fathom_otf2_archive *trace)
{
	uint32_t count = 0, i;
	char **names = NULL;

	if (OTF2_Reader_GetPropertyNames(trace->reader, &count, &names) != OTF2_SUCCESS || count == 0)
		return;
	trace->properties = fathom_otf2_memory_alloc(count, sizeof(*trace->properties));
	for (i = 0; i < count; i++) {
		char *value = NULL;

		if (OTF2_Reader_GetProperty(trace->reader, names[i], &value) != OTF2_SUCCESS || !value)
			continue;
		trace->properties[trace->property_count].name = strdup(names[i]);
		trace->properties[trace->property_count++].value = value;
	}
	free(names);		/* the names are in the same block of memory */
}

const char *fathom_otf2_property(const struct fathom_otf2_archive *trace, const char *name)
{
	uint32_t i;

	for (i = 0; i < trace->property_count; i++)
		if (strcmp(trace->properties[i].name, name) == 0)
			return trace->properties[i].value;
	return NULL;
}

/* Returns a text of the anchor, or "" if the anchor has none. */
static char *anchor_text(OTF2_Reader *reader, OTF2_ErrorCode (*get)(OTF2_Reader *reader, char **text))
{
	char *text = NULL;

	if (get(reader, &text) == OTF2_SUCCESS && text)
		return text;
	return strcpy(fathom_otf2_memory_alloc(1, 1), "");
}

static int name_folder(struct fathom_otf2_archive *trace, const char *anchor)
{
	size_t length = strlen(anchor);

	if (length <= 5 || strcmp(anchor + length - 5, ".otf2") != 0)
		return fail(trace, -EINVAL, "%s: no trace: an anchor file of OTF2 is called ... .otf2", anchor);
	if (length >= sizeof(trace->anchor))
		return fail(trace, -ENAMETOOLONG, "%s: the path is too long", anchor);
	memcpy(trace->anchor, anchor, length + 1);
	memcpy(trace->folder, anchor, length - 5);
	trace->folder[length - 5] = '\0';
	return 0;
}

/* Finds the other files of the trace. Users often copy only the anchor, so the error text names this case. */
static int find_files(struct fathom_otf2_archive *trace)
{
	struct stat status;
	char path[PATH_MAX + 8];

	snprintf(path, sizeof(path), "%s.def", trace->folder);
	if (stat(path, &status) < 0 || stat(trace->folder, &status) < 0)
		return fail(trace, -errno, "%s: no whole trace: %s.def and %s/ should be beside it", trace->anchor,
			    trace->folder, trace->folder);
	return 0;
}

int fathom_otf2_open(struct fathom_otf2_archive *trace, const char *anchor)
{
	struct stat status;
	int err;

	memset(trace, 0, sizeof(*trace));
	fathom_otf2_defs_init(&trace->defs);
	err = name_folder(trace, anchor);
	if (err)
		return err;
	if (stat(anchor, &status) < 0)
		return fail(trace, -errno, "%s: %s", anchor, strerror(errno));
	err = find_files(trace);
	if (err)
		return err;
	err = fathom_otf2_anchor_check(anchor, trace->error, sizeof(trace->error));
	if (err)
		return err;
	OTF2_Error_RegisterCallback(take_complaint, NULL);
	trace->reader = OTF2_Reader_Open(anchor);
	if (!trace->reader)
		return fail(trace, -EINVAL, "%s: not an OTF2 anchor file, or damaged (%s)", anchor,
			    fathom_otf2_complaint());
	OTF2_Reader_SetSerialCollectiveCallbacks(trace->reader);
	OTF2_Reader_GetVersion(trace->reader, &trace->version[0], &trace->version[1], &trace->version[2]);
	OTF2_Reader_GetNumberOfLocations(trace->reader, &trace->location_count);
	OTF2_Reader_GetNumberOfGlobalDefinitions(trace->reader, &trace->definition_count);
	trace->creator = anchor_text(trace->reader, OTF2_Reader_GetCreator);
	trace->description = anchor_text(trace->reader, OTF2_Reader_GetDescription);
	read_properties(trace);
	fathom_otf2_complaint();
	return 0;
}

void fathom_otf2_close(struct fathom_otf2_archive *trace)
{
	if (trace->source)
		trace->source->close(trace);
	if (trace->reader)
		OTF2_Reader_Close(trace->reader);
	free_properties(trace);
	free(trace->creator);
	free(trace->description);
	for (size_t i = 0; trace->translations && i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++)
		fathom_otf2_translation_fini(&trace->translations[i]);
	free(trace->translations);
	fathom_otf2_defs_fini(&trace->defs);
	memset(trace, 0, sizeof(*trace));
}

/* --- files ------------------------------------------------------------------------------------------- */

static uint64_t size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Parses "17.evt" or "17.def": sets *id to 17 and *events to whether the file has events. False: any other file. */
static bool is_of_location(const char *name, uint64_t *id, bool *events)
{
	char *end;

	if (*name < '0' || *name > '9')
		return false;
	errno = 0;
	*id = strtoull(name, &end, 10);
	*events = strcmp(end, ".evt") == 0;
	return !errno && (*events || strcmp(end, ".def") == 0);
}

static void take_file(struct fathom_otf2_archive *trace, const char *name, struct fathom_faults *faults)
{
	char path[PATH_MAX + 256];
	struct fathom_otf2_location *location;
	uint64_t id;
	bool events;

	if (!is_of_location(name, &id, &events))
		return;
	snprintf(path, sizeof(path), "%s/%s", trace->folder, name);
	*(events ? &trace->event_bytes : &trace->definition_bytes) += size_of(path);
	location = fathom_otf2_find(&trace->defs, FATHOM_OTF2_LOCATION, id);
	if (!location) {
		fathom_fault_say(faults, FATHOM_FAULT_FILES, NULL, "%s is of no location that is defined", name);
	} else if (events) {
		location->has_events = true;
		location->event_bytes = size_of(path);
	} else {
		location->has_definitions = true;
	}
}

static void read_folder(struct fathom_otf2_archive *trace, struct fathom_faults *faults)
{
	struct dirent *entry;
	DIR *stream = opendir(trace->folder);
	char path[PATH_MAX + 8];
	size_t i;

	while (stream && (entry = readdir(stream)) != NULL)
		take_file(trace, entry->d_name, faults);
	if (stream)
		closedir(stream);
	snprintf(path, sizeof(path), "%s.def", trace->folder);
	trace->definition_bytes += size_of(path) + size_of(trace->anchor);
	for (i = 0; i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i);

		if (!location->has_events)
			fathom_fault_say(faults, FATHOM_FAULT_FILES, NULL, "there is no %" PRIu64 ".evt, though the "
					 "location is defined", location->id);
	}
}

/* Raises the limit of open files: the library opens one file for each location, in addition to those of fathom. False:
 * the limit cannot be raised so far. */
static bool allow_files(uint64_t locations)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= locations + 64)
		return true;
	limit.rlim_cur = limit.rlim_max < locations + 64 ? limit.rlim_max : (rlim_t)(locations + 64);
	return setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == locations + 64;
}

/* --- definitions of locations ---------------------------------------------------------------------- */

struct local {			/* the contents of the definitions file of a location */
	const struct fathom_otf2_defs *defs;
	struct fathom_faults *faults;
	uint64_t id;
	uint32_t tables;	/* a bit for each kind of table */
	uint64_t undefined;	/* number of undefined ids in the table that is being checked */
	uint64_t first_undefined;	/* the first of them */
	enum fathom_otf2_space space;
	struct fathom_otf2_location *location;
	struct fathom_otf2_translation *translation;	/* NULL: it is not kept */
	uint64_t offsets, last_time;
	bool descends;
};

/* Returns the definitions that a kind of mapping table refers to; -1: fathom does not know the kind. */
static int mapped_space(OTF2_MappingType type)
{
	static const int8_t spaces[] = {
		[OTF2_MAPPING_STRING] = FATHOM_OTF2_STRING,
		[OTF2_MAPPING_ATTRIBUTE] = FATHOM_OTF2_ATTRIBUTE,
		[OTF2_MAPPING_LOCATION] = FATHOM_OTF2_LOCATION,
		[OTF2_MAPPING_REGION] = FATHOM_OTF2_REGION,
		[OTF2_MAPPING_GROUP] = FATHOM_OTF2_GROUP,
		[OTF2_MAPPING_METRIC] = FATHOM_OTF2_METRIC,
		[OTF2_MAPPING_COMM] = FATHOM_OTF2_COMM,
		[OTF2_MAPPING_PARAMETER] = FATHOM_OTF2_PARAMETER,
		[OTF2_MAPPING_RMA_WIN] = FATHOM_OTF2_WINDOW,
		[OTF2_MAPPING_SOURCE_CODE_LOCATION] = FATHOM_OTF2_SOURCE,
		[OTF2_MAPPING_CALLING_CONTEXT] = FATHOM_OTF2_CONTEXT,
		[OTF2_MAPPING_INTERRUPT_GENERATOR] = FATHOM_OTF2_GENERATOR,
		[OTF2_MAPPING_IO_FILE] = FATHOM_OTF2_FILE,
		[OTF2_MAPPING_IO_HANDLE] = FATHOM_OTF2_HANDLE,
		[OTF2_MAPPING_LOCATION_GROUP] = FATHOM_OTF2_PROCESS,
	};

	return type < sizeof(spaces) / sizeof(spaces[0]) ? spaces[type] : -1;
}

static void take_pair(uint64_t local_id, uint64_t global_id, void *data)
{
	struct local *local = data;

	if (local->translation)
		fathom_otf2_id_table_add(fathom_otf2_translation_table(local->translation, local->space), local_id,
					 global_id);
	if (global_id == OTF2_UNDEFINED_UINT32 || global_id == OTF2_UNDEFINED_UINT64)
		return;
	if (!fathom_otf2_find(local->defs, local->space, global_id) && local->undefined++ == 0)
		local->first_undefined = global_id;
}

static OTF2_CallbackCode take_table(void *data, OTF2_MappingType type, const OTF2_IdMap *map)
{
	struct local *local = data;
	int space = mapped_space(type);

	if (space < 0) {
		fathom_fault_say(local->faults, FATHOM_FAULT_MAPPING, NULL, "location %" PRIu64 ": of unknown kind %u",
				 local->id, type);
		return OTF2_CALLBACK_SUCCESS;
	}
	if (local->tables & 1u << type)
		fathom_fault_say(local->faults, FATHOM_FAULT_MAPPING, NULL,
				 "location %" PRIu64 ": a second table of %ss",
				 local->id, fathom_otf2_space_name((enum fathom_otf2_space)space));
	local->tables |= 1u << type;
	local->space = (enum fathom_otf2_space)space;
	local->undefined = 0;
	OTF2_IdMap_Traverse(map, take_pair, local);
	if (local->undefined)
		fathom_fault_say(local->faults, FATHOM_FAULT_MAPPING, NULL, "location %" PRIu64 ": %" PRIu64 " of the "
				 "table of %ss lead to what is not defined, the first to %" PRIu64, local->id,
				 local->undefined, fathom_otf2_space_name(local->space), local->first_undefined);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_offset(void *data, OTF2_TimeStamp time, int64_t offset, double deviation)
{
	struct local *local = data;

	(void)deviation;
	if (local->offsets++ > 0 && time <= local->last_time)
		local->descends = true;
	local->last_time = time;
	if (local->translation)
		fathom_otf2_translation_add_offset(local->translation, time, offset);
	if (local->location->offset_count++ == 0)
		local->location->first_offset = offset;
	local->location->last_offset = offset;
	return OTF2_CALLBACK_SUCCESS;
}

static void say_offsets(const struct local *local)
{
	if (local->descends)
		fathom_fault_say(local->faults, FATHOM_FAULT_OFFSET, NULL,
				 "location %" PRIu64 ": their times do not ascend",
				 local->id);
	if (local->offsets == 1)
		fathom_fault_say(local->faults, FATHOM_FAULT_OFFSET, NULL,
				 "location %" PRIu64 ": one alone has no effect (none, or two at least)", local->id);
}

/* Reads the definitions of a location. The library thereby learns the tables and offsets that it applies to events. */
static void read_local(struct fathom_otf2_archive *trace, OTF2_DefReaderCallbacks *callbacks,
		       struct fathom_otf2_location *location, struct fathom_faults *faults)
{
	uint64_t id = location->id;
	struct local local = { .defs = &trace->defs, .faults = faults, .id = id, .location = location };
	OTF2_DefReader *reader = OTF2_Reader_GetDefReader(trace->reader, id);
	OTF2_ErrorCode code = OTF2_ERROR_INVALID;
	uint64_t count = 0;

	if (trace->translations)
		local.translation = &trace->translations[fathom_otf2_index(&trace->defs, FATHOM_OTF2_LOCATION, id)];
	if (reader) {
		OTF2_Reader_RegisterDefCallbacks(trace->reader, reader, callbacks, &local);
		code = OTF2_Reader_ReadAllLocalDefinitions(trace->reader, reader, &count);
		OTF2_Reader_CloseDefReader(trace->reader, reader);
	}
	say_offsets(&local);
	if (code != OTF2_SUCCESS)
		fathom_fault_say(faults, FATHOM_FAULT_LIBRARY, NULL, "definitions of location %" PRIu64 ": %s", id,
				 fathom_otf2_complaint());
	fathom_otf2_complaint();
}

bool fathom_otf2_is_read(const struct fathom_otf2_archive *trace, const struct fathom_otf2_location *location)
{
	return location->has_events && (!trace->part_count || location->process % trace->part_count == trace->part);
}

uint64_t fathom_otf2_event_count(const struct fathom_otf2_archive *trace)
{
	uint64_t count = 0;

	for (size_t i = 0; i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i);

		if (fathom_otf2_is_read(trace, location))
			count += location->events;
	}
	return count;
}

static void read_locals(struct fathom_otf2_archive *trace, struct fathom_faults *faults)
{
	OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
	size_t i;

	if (!callbacks)
		return;
	if (trace->keeps_translations)
		trace->translations = fathom_otf2_memory_alloc(fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION)
							       + 1, sizeof(*trace->translations));
	OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, take_table);
	OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, take_offset);
	OTF2_Reader_OpenDefFiles(trace->reader);
	for (i = 0; i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++) {
		struct fathom_otf2_location *location = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i);

		if (location->has_definitions && fathom_otf2_is_read(trace, location))
			read_local(trace, callbacks, location, faults);
	}
	OTF2_Reader_CloseDefFiles(trace->reader);
	OTF2_DefReaderCallbacks_Delete(callbacks);
	fathom_otf2_complaint();
}

/* --- all of it --------------------------------------------------------------------------------------- */

static int read_archive_definitions(struct fathom_otf2_archive *trace, struct fathom_faults *faults)
{
	int err = fathom_otf2_defs_read(&trace->defs, trace->reader, faults);
	size_t i, locations = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);

	/* Without any readable definition there is nothing that a report could judge. */
	if (err && locations == 0 && (!faults || faults->count == 0))
		return fail(trace, err, "%s.def: the definitions cannot be read (%s)", trace->folder,
			    fathom_otf2_complaint());
	if (err)
		fathom_fault_say(faults, FATHOM_FAULT_LIBRARY, NULL, "global definitions: %s",
				 fathom_otf2_complaint());
	if (trace->defs.count != trace->definition_count)
		fathom_fault_say(faults, FATHOM_FAULT_ANCHOR, NULL,
				 "it says %" PRIu64 " global definitions, there are %" PRIu64,
				 trace->definition_count, trace->defs.count);
	if (locations != trace->location_count)
		fathom_fault_say(faults, FATHOM_FAULT_ANCHOR, NULL, "it says %" PRIu64 " locations, there are %zu",
				 trace->location_count, locations);
	read_folder(trace, faults);
	trace->has_few_files = !allow_files(locations);
	trace->keeps_translations |= trace->has_few_files;
	for (i = 0; i < locations; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i);

		if (fathom_otf2_is_read(trace, location))
			OTF2_Reader_SelectLocation(trace->reader, location->id);
	}
	fathom_otf2_complaint();
	read_locals(trace, faults);
	return 0;
}

int fathom_otf2_read_definitions(struct fathom_otf2_archive *trace, struct fathom_faults *faults)
{
	return trace->source ? trace->source->read_definitions(trace, faults) : read_archive_definitions(trace, faults);
}

/* Reports that the events cannot be read. Returns 0 if faults has taken the reason, otherwise -EIO with a line in
 * trace->error. */
static int fail_events(struct fathom_otf2_archive *trace, struct fathom_faults *faults, const char *what)
{
	const char *text = fathom_otf2_complaint();

	if (!*text)
		text = "the library gave up";
	if (!faults)
		return fail(trace, -EIO, "%s: %s: %s", trace->anchor, what, text);
	fathom_fault_say(faults, FATHOM_FAULT_LIBRARY, NULL, "%s: %s", what, text);
	return 0;
}

static int read_by_library(struct fathom_otf2_archive *trace, struct fathom_faults *faults, fathom_otf2_take *take,
			   void *taker)
{
	struct fathom_otf2_reading reading = { &trace->defs, take, taker, OTF2_UNDEFINED_LOCATION, 0 };
	OTF2_GlobalEvtReaderCallbacks *callbacks = fathom_otf2_event_callbacks();
	OTF2_GlobalEvtReader *events = NULL;
	uint64_t count = 0;
	size_t i;
	int err = 0;

	if (OTF2_Reader_OpenEvtFiles(trace->reader) != OTF2_SUCCESS)
		err = fail_events(trace, faults, "events");
	for (i = 0; !err && i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i);

		if (fathom_otf2_is_read(trace, location) && !OTF2_Reader_GetEvtReader(trace->reader, location->id))
			err = fail_events(trace, faults, "events of a location");
	}
	if (!err)
		events = OTF2_Reader_GetGlobalEvtReader(trace->reader);
	/* The library has no reader of events if no location has an event. */
	if (events && callbacks) {
		OTF2_Reader_RegisterGlobalEvtCallbacks(trace->reader, events, callbacks, &reading);
		if (OTF2_Reader_ReadAllGlobalEvents(trace->reader, events, &count) != OTF2_SUCCESS)
			err = fail_events(trace, faults, "events");
		OTF2_Reader_CloseGlobalEvtReader(trace->reader, events);
	}
	OTF2_Reader_CloseEvtFiles(trace->reader);
	if (callbacks)
		OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
	fathom_otf2_complaint();
	return err;
}

/* Reads the events without OTF2's reader, which needs more open files than the process may have. */
static int read_streams(struct fathom_otf2_archive *trace, struct fathom_faults *faults, fathom_otf2_take *take,
			void *taker)
{
	size_t locations = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	bool *is_read = fathom_otf2_memory_alloc(locations + 1, sizeof(*is_read));
	struct fathom_stream_merge merge = {
		.defs = &trace->defs, .folder = trace->folder, .translations = trace->translations, .is_read = is_read,
		.error = trace->error, .error_bytes = sizeof(trace->error),
	};
	uint64_t definition_bytes;
	int err;

	OTF2_Reader_GetChunkSize(trace->reader, &merge.chunk_bytes, &definition_bytes);
	for (size_t i = 0; i < locations; i++)
		is_read[i] = fathom_otf2_is_read(trace, fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i));
	err = fathom_stream_merge_read(&merge, take, taker);
	free(is_read);
	if (!err)
		return 0;
	if (err == -EINTR)
		return fail_events(trace, faults, "events");
	if (!faults)
		return -EIO;
	fathom_fault_say(faults, FATHOM_FAULT_LIBRARY, NULL, "events: %s", trace->error);
	return 0;
}

int fathom_otf2_read_events(struct fathom_otf2_archive *trace, struct fathom_faults *faults, fathom_otf2_take *take,
			    void *taker)
{
	int err;

	if (!trace->source && trace->has_few_files)
		return read_streams(trace, faults, take, taker);
	if (!trace->source)
		return read_by_library(trace, faults, take, taker);
	err = trace->source->read_events(trace, take, taker);
	if (!err || !faults)
		return err;
	fathom_fault_say(faults, FATHOM_FAULT_LIBRARY, NULL, "%s", trace->error);
	return 0;
}
