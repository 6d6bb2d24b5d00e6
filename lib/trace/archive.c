#include "trace/archive.h"

#include <errno.h>
#include <otf2/OTF2_EventSizeEstimator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"

#define CHUNK_BYTES ((size_t)256 << 10)

/* A location begins with this many chunks; each time they are written out it may have twice as many the next time. */
#define FIRST_CHUNKS 4
#define MOST_CHUNKS 64

struct fathom_trace_chunk {
	struct fathom_trace_chunk *next;
};

static struct {
	OTF2_Archive *archive;
	char path[4096];		/* the hidden directory */
	bool has_files;			/* it is there */
	uint32_t count;
	struct fathom_trace *newest;
	struct fathom_trace *added;	/* the one whose writer is being made */
	uint64_t most_bytes;		/* of chunks, all locations together; 0: no limit */
	uint64_t bytes;			/* of chunks, now */
	uint64_t limit;			/* of events, per location; 0: none */
} own;

/* --- memory -------------------------------------------------------------------------------------- */

static bool may_have_more(const struct fathom_trace *trace)
{
	if (trace->chunks < 1)
		return true;
	if (trace->chunks >= trace->most_chunks)
		return false;
	return !own.most_bytes || __atomic_load_n(&own.bytes, __ATOMIC_RELAXED) + CHUNK_BYTES <= own.most_bytes;
}

/* NULL tells OTF2 to write the chunks out. */
static void *event_chunk(struct fathom_trace *trace)
{
	struct fathom_trace_chunk *chunk = trace->spare;

	if (!may_have_more(trace))
		return NULL;
	if (chunk)
		trace->spare = chunk->next;
	else
		chunk = fathom_arena_alloc(&trace->location->arena, CHUNK_BYTES);
	if (!chunk)
		return NULL;
	trace->chunks++;
	trace->bytes += CHUNK_BYTES;
	if (own.limit && trace->bytes > own.limit)
		trace->state |= FATHOM_TRACE_LIMITED;
	__atomic_fetch_add(&own.bytes, CHUNK_BYTES, __ATOMIC_RELAXED);
	return chunk;
}

/* Chunks of event writers stay with the location; slot remembers which that is, and of the others their chunks. */
static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef location, void **slot, uint64_t bytes)
{
	struct fathom_trace_chunk *chunk;

	(void)user, (void)location;
	if (type == OTF2_FILETYPE_EVENTS) {
		if (!*slot)
			*slot = own.added;
		return *slot ? event_chunk(*slot) : NULL;
	}
	chunk = malloc(FATHOM_CACHE_LINE + bytes);
	if (!chunk)
		return NULL;
	chunk->next = *slot;
	*slot = chunk;
	return (char *)chunk + FATHOM_CACHE_LINE;
}

static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef location, void **slot, bool final)
{
	(void)user, (void)location;
	if (type == OTF2_FILETYPE_EVENTS) {
		struct fathom_trace *trace = *slot;

		if (!trace || final)
			return;
		__atomic_fetch_sub(&own.bytes, trace->chunks * CHUNK_BYTES, __ATOMIC_RELAXED);
		trace->chunks = 0;
		return;
	}
	while (*slot) {
		struct fathom_trace_chunk *chunk = *slot;

		*slot = chunk->next;
		free(chunk);
	}
}

/* --- writing out --------------------------------------------------------------------------------- */

static struct fathom_trace *trace_of(OTF2_LocationRef location)
{
	struct fathom_trace *trace = fathom_trace_archive_newest();

	while (trace && trace->id != location)
		trace = trace->next;
	return trace;
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

/* Makes OTF2 record how long the thread was kept from its work. */
static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
	struct fathom_trace *trace = trace_of(location);
	uint64_t now = fathom_clock_now();

	(void)user, (void)type;
	if (!trace)
		return now;
	trace->flushes++;
	if (trace->most_chunks < MOST_CHUNKS)
		trace->most_chunks *= 2;
	return now > trace->last_ticks ? now : trace->last_ticks;
}

static OTF2_CallbackCode lock_create(void *user, OTF2_Lock *lock)
{
	(void)user;
	*lock = calloc(1, sizeof(struct fathom_lock));
	return *lock ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode lock_destroy(void *user, OTF2_Lock lock)
{
	(void)user;
	free(lock);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode lock_lock(void *user, OTF2_Lock lock)
{
	(void)user;
	fathom_lock_take((struct fathom_lock *)lock);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode lock_unlock(void *user, OTF2_Lock lock)
{
	(void)user;
	fathom_lock_give((struct fathom_lock *)lock);
	return OTF2_CALLBACK_SUCCESS;
}

/* OTF2 prints what goes wrong; a measured program's output stays its own. */
static OTF2_ErrorCode be_quiet(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
			       const char *format, va_list arguments)
{
	(void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	fathom_log(FATHOM_LOG_DEBUG, "OTF2: %s", OTF2_Error_GetDescription(code));
	return code;
}

/* An archive of one process, with our callbacks. Makes its directory. */
static OTF2_Archive *open_archive(const char *directory, uint64_t definition_chunk)
{
	static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = pre_flush, .otf2_post_flush = post_flush };
	static const OTF2_MemoryCallbacks memory = { .otf2_allocate = allocate, .otf2_free_all = free_all };
	static const OTF2_LockingCallbacks locking = {
		.otf2_create = lock_create,
		.otf2_destroy = lock_destroy,
		.otf2_lock = lock_lock,
		.otf2_unlock = lock_unlock,
	};
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES,
						  definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	if (!archive)
		return NULL;
	if (OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) ||
	    OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL) ||
	    OTF2_Archive_SetLockingCallbacks(archive, &locking, NULL) ||
	    OTF2_Archive_SetCreator(archive, "fathom " PACKAGE_VERSION) ||
	    OTF2_Archive_SetSerialCollectiveCallbacks(archive)) {
		OTF2_Archive_Close(archive);
		return NULL;
	}
	return archive;
}

int fathom_trace_archive_open(const char *directory, uint64_t most_memory, uint64_t limit)
{
	char host[64] = "";

	OTF2_Error_RegisterCallback(be_quiet, NULL);
	gethostname(host, sizeof(host) - 1);
	snprintf(own.path, sizeof(own.path), "%s/.fathom-trace-%s-%d-%llx", directory, host, (int)getpid(),
		 (unsigned long long)fathom_clock_now());
	own.most_bytes = most_memory;
	own.limit = limit;
	return 0;
}

/* The first location needs it. */
static int make_files(void)
{
	if (own.has_files)
		return own.archive ? 0 : -EIO;
	own.has_files = true;
	own.archive = open_archive(own.path, CHUNK_BYTES);
	if (!own.archive || OTF2_Archive_OpenEvtFiles(own.archive)) {
		fathom_log(FATHOM_LOG_ERROR, "no trace: %s cannot be made", own.path);
		own.archive = NULL;
		return -EIO;
	}
	return 0;
}

struct fathom_trace *fathom_trace_archive_newest(void)
{
	return __atomic_load_n(&own.newest, __ATOMIC_ACQUIRE);
}

struct fathom_trace *fathom_trace_archive_add(struct fathom_location *self)
{
	struct fathom_trace *trace = fathom_arena_alloc(&self->arena, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->location = self;
	trace->id = own.count++;
	trace->most_chunks = FIRST_CHUNKS;
	if (make_files()) {
		trace->state = FATHOM_TRACE_LOST;
	} else {
		own.added = trace;
		trace->writer = OTF2_Archive_GetEvtWriter(own.archive, trace->id);
		own.added = NULL;
		if (!trace->writer)
			trace->state = FATHOM_TRACE_LOST;
	}
	trace->next = own.newest;
	__atomic_store_n(&own.newest, trace, __ATOMIC_RELEASE);
	return trace;
}

/* --- the end ------------------------------------------------------------------------------------- */

void fathom_trace_archive_close_events(struct fathom_trace *trace)
{
	if (!trace->writer)
		return;
	OTF2_EvtWriter_GetNumberOfEvents(trace->writer, &trace->events);
	if (OTF2_Archive_CloseEvtWriter(own.archive, trace->writer))
		trace->state |= FATHOM_TRACE_LOST;
	trace->writer = NULL;
}

int fathom_trace_archive_begin_local(void)
{
	if (!own.archive)
		return -EIO;
	return OTF2_Archive_CloseEvtFiles(own.archive) || OTF2_Archive_OpenDefFiles(own.archive) ? -EIO : 0;
}

static int write_table(OTF2_DefWriter *writer, OTF2_MappingType type, const uint32_t *table, uint32_t count)
{
	OTF2_IdMap *map;
	int err;

	if (!table || !count)
		return 0;
	map = OTF2_IdMap_CreateFromUint32Array(count, table, true);
	if (!map)		/* every number is the same in both */
		return 0;
	err = OTF2_DefWriter_WriteMappingTable(writer, type, map);
	OTF2_IdMap_Free(map);
	return err;
}

static const OTF2_MappingType object_mappings[] = {
	[FATHOM_OBJECT_WINDOW] = OTF2_MAPPING_RMA_WIN,
	[FATHOM_OBJECT_RANKS] = OTF2_MAPPING_GROUP,
	[FATHOM_OBJECT_FILE] = OTF2_MAPPING_IO_FILE,
	[FATHOM_OBJECT_HANDLE] = OTF2_MAPPING_IO_HANDLE,
};

int fathom_trace_archive_write_local(struct fathom_trace *trace, const struct fathom_trace_tables *tables)
{
	OTF2_DefWriter *writer = own.archive ? OTF2_Archive_GetDefWriter(own.archive, trace->id) : NULL;
	int err;

	if (!writer)
		return -EIO;
	err = write_table(writer, OTF2_MAPPING_STRING, tables->strings, tables->string_count);
	err |= write_table(writer, OTF2_MAPPING_REGION, tables->regions, tables->region_count);
	err |= write_table(writer, OTF2_MAPPING_COMM, tables->comms, tables->comm_count);
	for (int kind = 0; kind < FATHOM_OBJECT_KINDS; kind++)
		err |= write_table(writer, object_mappings[kind], tables->objects.numbers[kind],
				   tables->objects.counts[kind]);
	err |= OTF2_Archive_CloseDefWriter(own.archive, writer);
	return err ? -EIO : 0;
}

static int move_file(const char *directory, const struct fathom_trace *trace, uint32_t rank, const char *ending)
{
	char from[sizeof(own.path) + 64], to[sizeof(own.path) + 64];

	snprintf(from, sizeof(from), "%s/traces/%u.%s", own.path, trace->id, ending);
	snprintf(to, sizeof(to), "%s/traces/%llu.%s", directory,
		 (unsigned long long)fathom_trace_location_id(rank, trace->id), ending);
	return rename(from, to) ? -errno : 0;
}

int fathom_trace_archive_move(const char *directory, uint32_t rank)
{
	int err = 0;

	if (!own.archive)
		return -EIO;
	if (OTF2_Archive_CloseDefFiles(own.archive))
		err = -EIO;
	for (struct fathom_trace *trace = own.newest; trace; trace = trace->next) {
		int next = move_file(directory, trace, rank, "evt");

		if (!err)
			err = next;
		next = move_file(directory, trace, rank, "def");
		if (!err)
			err = next;
	}
	fathom_trace_archive_remove();
	return err;
}

/* Closing the archive writes a file about it that nobody needs. */
void fathom_trace_archive_remove(void)
{
	char path[sizeof(own.path) + 64];

	if (own.archive)
		OTF2_Archive_Close(own.archive);
	own.archive = NULL;
	for (struct fathom_trace *trace = own.newest; trace; trace = trace->next) {
		snprintf(path, sizeof(path), "%s/traces/%u.evt", own.path, trace->id);
		unlink(path);
		snprintf(path, sizeof(path), "%s/traces/%u.def", own.path, trace->id);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/traces", own.path);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/traces.otf2", own.path);
	unlink(path);
	snprintf(path, sizeof(path), "%s/traces.def", own.path);
	unlink(path);
	rmdir(own.path);
}

/* A record must fit into a chunk: the largest lists all locations. */
OTF2_Archive *fathom_trace_archive_create(const char *directory, uint64_t locations)
{
	OTF2_EventSizeEstimator *estimator = OTF2_EventSizeEstimator_New();
	uint64_t chunk = CHUNK_BYTES;

	if (estimator) {
		OTF2_EventSizeEstimator_SetNumberOfLocationDefinitions(estimator, (uint32_t)locations);
		chunk = OTF2_EventSizeEstimator_GetDefChunkSize(estimator);
		OTF2_EventSizeEstimator_Delete(estimator);
	}
	return open_archive(directory, chunk > CHUNK_BYTES ? chunk : CHUNK_BYTES);
}
