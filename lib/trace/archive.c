#include "trace/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <otf2/OTF2_EventSizeEstimator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "platform/clock.h"
#include "platform/helper.h"
#include "platform/log.h"
#include "platform/write.h"
#include "trace/buffer.h"
#include "trace/chunk_copy.h"
#include "trace/event_directory.h"

static struct {
	OTF2_Archive *otf2;		/* for definitions; NULL until all event files are complete */
	char path[4096];		/* of the hidden directory; empty: there is none */
	const char *directory;		/* FATHOM_DIR, where the hidden directory is tried first */
	bool has_files;			/* the hidden directory was created, or could not be created */
	uint32_t count;
	struct fathom_trace *newest;
	struct fathom_trace *last;	/* the newest one when the trace was stopped */
	bool is_stopped;
	bool is_capped;			/* FATHOM_TRACE_MEMORY is set */
} local_archive;

/* --- definitions, by OTF2's own writer ----------------------------------------------------------- */

static OTF2_FlushType always_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_FLUSH;
}

static int errno_of(OTF2_ErrorCode code)
{
	switch (code) {
	case OTF2_ERROR_ENOSPC: return -ENOSPC;
	case OTF2_ERROR_EDQUOT: return -EDQUOT;
	case OTF2_ERROR_EFBIG: return -EFBIG;
	case OTF2_ERROR_EACCES: return -EACCES;
	case OTF2_ERROR_EPERM: return -EPERM;
	case OTF2_ERROR_EROFS: return -EROFS;
	case OTF2_ERROR_EEXIST: return -EEXIST;
	case OTF2_ERROR_ENOENT: return -ENOENT;
	case OTF2_ERROR_EMFILE: return -EMFILE;
	case OTF2_ERROR_ENFILE: return -ENFILE;
	case OTF2_ERROR_ENOMEM: case OTF2_ERROR_MEM_FAULT: case OTF2_ERROR_MEM_ALLOC_FAILED: return -ENOMEM;
	default: return -EIO;
	}
}

/* OTF2 would print errors. The output of the measured program must not change. */
static OTF2_ErrorCode discard(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
			       const char *format, va_list arguments)
{
	(void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	fathom_log(FATHOM_LOG_DEBUG, "OTF2: %s", OTF2_Error_GetDescription(code));
	fathom_trace_fail(errno_of(code));
	return code;
}

/* Opens an archive of one process, in a directory that OTF2 creates. */
static OTF2_Archive *open_archive(const char *directory, uint64_t definition_chunk)
{
	static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = always_flush };
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, FATHOM_TRACE_CHUNK_BYTES,
						  definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	if (!archive)
		return NULL;
	if (OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) ||
	    OTF2_Archive_SetCreator(archive, "fathom " PACKAGE_VERSION) ||
	    OTF2_Archive_SetSerialCollectiveCallbacks(archive)) {
		OTF2_Archive_Close(archive);
		return NULL;
	}
	return archive;
}

int fathom_trace_archive_open(const char *directory, uint64_t most_memory, uint64_t limit)
{
	OTF2_Error_RegisterCallback(discard, NULL);
	local_archive.directory = directory;
	local_archive.is_capped = most_memory;
	fathom_trace_buffer_limit(most_memory, limit);
	return 0;
}

bool fathom_trace_archive_is_capped(void)
{
	return local_archive.is_capped;
}

/* Makes the hidden directory, for the first location. */
static int make_files(void)
{
	char inside[sizeof(local_archive.path) + 16], whole[PATH_MAX];
	const char *elsewhere[] = { local_archive.directory, getenv("TMPDIR"), "/tmp" };
	size_t i;

	if (local_archive.has_files)
		return fathom_trace_has_failed() ? -EIO : 0;
	local_archive.has_files = true;
	/* The program may change its working directory. */
	if (realpath(local_archive.directory, whole))
		elsewhere[0] = whole;
	for (i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (elsewhere[i] && fathom_trace_event_directory_make(local_archive.path, sizeof(local_archive.path),
								      elsewhere[i]))
			break;
	if (i < sizeof(elsewhere) / sizeof(*elsewhere)) {
		fathom_format(inside, sizeof(inside), "%s/events", local_archive.path);
		if (!mkdir(inside, 0777))
			return 0;
	}
	fathom_log(FATHOM_LOG_ERROR, "no trace: the directory %s cannot be created", local_archive.path);
	fathom_trace_fail(-EIO);
	return -EIO;
}

/* A file of the local archive. Events are in a directory of their own: OTF2, which writes the definitions, must
 * create the directory "traces" itself. */
static void hidden_path(char *path, size_t bytes, uint32_t id, const char *ending)
{
	fathom_format(path, bytes, "%s/%s/%u.%s", local_archive.path, *ending == 'e' ? "events" : "traces", id, ending);
}

/* Locations that are created after fathom_trace_archive_stop are not in the list. */
struct fathom_trace *fathom_trace_archive_newest(void)
{
	if (__atomic_load_n(&local_archive.is_stopped, __ATOMIC_ACQUIRE))
		return local_archive.last;
	return __atomic_load_n(&local_archive.newest, __ATOMIC_ACQUIRE);
}

void fathom_trace_archive_stop(void)
{
	local_archive.last = __atomic_load_n(&local_archive.newest, __ATOMIC_ACQUIRE);
	__atomic_store_n(&local_archive.is_stopped, true, __ATOMIC_RELEASE);
}

struct fathom_trace *fathom_trace_archive_add(struct fathom_location *self)
{
	struct fathom_trace *trace = fathom_arena_alloc(&self->arena, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->location = self;
	if (__atomic_load_n(&local_archive.is_stopped, __ATOMIC_ACQUIRE)) {
		trace->state = FATHOM_TRACE_CLOSED;
		return trace;
	}
	trace->id = local_archive.count++;
	trace->directory = local_archive.path;
	if (make_files() || fathom_trace_buffer_init(trace))
		trace->state = FATHOM_TRACE_LOST;
	trace->next = local_archive.newest;
	__atomic_store_n(&local_archive.newest, trace, __ATOMIC_RELEASE);
	return trace;
}

struct fathom_trace *fathom_trace_archive_scratch(struct fathom_location *self)
{
	struct fathom_trace *trace = fathom_arena_alloc(&self->arena, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->location = self;
	return fathom_trace_buffer_init_scratch(trace) ? NULL : trace;
}

/* --- run snapshots ------------------------------------------------------------------------------- */

void fathom_trace_archive_note_snapshot(const char *path)
{
	char note[sizeof(local_archive.path) + 16];
	int fd;

	if (!*local_archive.path)
		return;
	fathom_format(note, sizeof(note), "%s/" FATHOM_TRACE_SNAPSHOT_NOTE, local_archive.path);
	fd = open(note, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	if (fathom_write_all(fd, path, strlen(path)))
		fathom_log(FATHOM_LOG_DEBUG, "%s: cannot be written", note);
	close(fd);
}

/* The largest number of chunks of events in a run snapshot, of all threads together; but one of each thread at least.
 * Copying 4 MiB takes about 3 ms, which is below the share of a second that copying may take. */
enum { MOST_CHUNKS_COPIED = 16 };

/* Returns the newest trace whose location is in the copy. A trace that is newer belongs to a location that was not in
 * the list of locations yet when the copy was begun. */
FATHOM_IN_HELPER static const struct fathom_trace *newest_copied(const struct fathom_memory_copy *copy)
{
	const struct fathom_trace *trace = __atomic_load_n(&local_archive.newest, __ATOMIC_ACQUIRE);

	for (; trace; trace = trace->next)
		for (const struct fathom_location *location = copy->newest_location; location;
		     location = location->next)
			if (location == trace->location)
				return trace;
	return NULL;
}

FATHOM_IN_HELPER void fathom_trace_archive_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots)
{
	/* Only the thread that takes run snapshots uses this variable. */
	static uint8_t chunk[FATHOM_TRACE_CHUNK_BYTES] __attribute__((aligned(FATHOM_CACHE_LINE)));
	const struct fathom_trace *newest = newest_copied(copy), *trace;
	uint32_t count = 0, share;

	roots->newest = (uintptr_t)newest;
	for (size_t i = 0; i < sizeof(roots->directory); i++)
		roots->directory[i] = fathom_peek(&local_archive.path[i]);
	for (trace = newest; trace; trace = trace->next)
		count++;
	share = count < MOST_CHUNKS_COPIED ? MOST_CHUNKS_COPIED / (count ? count : 1) : 1;
	for (trace = newest; trace; trace = trace->next)
		for (uint32_t i = 0; i < share && fathom_trace_buffer_copy(&trace->buffer, i, chunk); i++)
			copy->put(copy->to, trace->buffer.chunks[i], chunk, sizeof(chunk));
}

/* --- the end ------------------------------------------------------------------------------------- */

int fathom_trace_archive_close_events(struct fathom_trace *trace)
{
	int err = fathom_trace_buffer_close(trace);

	if (err)
		fathom_trace_add_state(trace, FATHOM_TRACE_LOST);
	return trace->state & FATHOM_TRACE_LOST || fathom_trace_has_failed() ? fathom_trace_error() : 0;
}

int fathom_trace_archive_begin_local(void)
{
	if (!local_archive.has_files || fathom_trace_has_failed())
		return fathom_trace_error();
	local_archive.otf2 = open_archive(local_archive.path, FATHOM_TRACE_CHUNK_BYTES);
	return local_archive.otf2 && !OTF2_Archive_OpenDefFiles(local_archive.otf2) ? 0 : fathom_trace_error();
}

static int write_table(OTF2_DefWriter *writer, OTF2_MappingType type, const uint32_t *table, uint32_t count)
{
	OTF2_IdMap *map;
	int err;

	if (!table || !count)
		return 0;
	map = OTF2_IdMap_CreateFromUint32Array(count, table, true);
	if (!map)		/* all numbers are the same in both */
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

/* The true offset is anywhere within the error with equal probability. A uniform distribution of that width has the
 * standard deviation error / sqrt(3). */
static int write_clock(OTF2_DefWriter *writer, const struct fathom_clock_sync_point *points)
{
	int err = 0;

	for (int i = 0; points && i < 2; i++)
		err |= OTF2_DefWriter_WriteClockOffset(writer, points[i].ticks, points[i].offset,
						       (double)points[i].error / 1.7320508);
	return err;
}

int fathom_trace_archive_write_local(struct fathom_trace *trace, const struct fathom_trace_tables *tables)
{
	OTF2_DefWriter *writer = local_archive.otf2 ? OTF2_Archive_GetDefWriter(local_archive.otf2, trace->id) : NULL;
	int err;

	if (!writer)
		return fathom_trace_error();
	err = write_table(writer, OTF2_MAPPING_STRING, tables->strings, tables->string_count);
	err |= write_table(writer, OTF2_MAPPING_REGION, tables->regions, tables->region_count);
	err |= write_table(writer, OTF2_MAPPING_COMM, tables->comms, tables->comm_count);
	err |= write_table(writer, OTF2_MAPPING_PARAMETER, tables->parameters, tables->parameter_count);
	err |= write_table(writer, OTF2_MAPPING_METRIC, tables->metrics, tables->metric_count);
	for (int kind = 0; kind < FATHOM_OBJECT_KINDS; kind++)
		err |= write_table(writer, object_mappings[kind], tables->objects.numbers[kind],
				   tables->objects.counts[kind]);
	err |= write_clock(writer, tables->clock);
	err |= OTF2_Archive_CloseDefWriter(local_archive.otf2, writer);
	return err || fathom_trace_has_failed() ? fathom_trace_error() : 0;
}

/* Copies the bytes of one file descriptor to another. */
static int copy_bytes(int from, int to)
{
	static char data[64 << 10];
	ssize_t length;

	while ((length = read(from, data, sizeof(data))) > 0) {
		int err = fathom_write_all(to, data, (size_t)length);

		if (err)
			return err;
	}
	return length < 0 ? -errno : 0;
}

/* Copies a file to another file system: the experiment directory may be elsewhere than was known at the start. */
static int copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, err;

	if (in < 0)
		return -errno;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	err = out < 0 ? -errno : copy_bytes(in, out);
	close(in);
	if (out >= 0 && close(out) && !err)
		err = -errno;
	return err;
}

static void moved_path(char *path, size_t bytes, const char *directory, uint32_t id, uint32_t rank, const char *ending)
{
	fathom_format(path, bytes, "%s/traces/%llu.%s", directory,
		      (unsigned long long)fathom_trace_location_id(rank, id), ending);
}

void fathom_trace_archive_moved_path(const struct fathom_trace *trace, const char *directory, uint32_t rank, char *path,
				     size_t bytes)
{
	moved_path(path, bytes, directory, trace->id, rank, "evt");
}

static int move_file(const char *directory, const struct fathom_trace *trace, uint32_t rank, const char *ending)
{
	char from[sizeof(local_archive.path) + 64], to[sizeof(local_archive.path) + 64];

	hidden_path(from, sizeof(from), trace->id, ending);
	moved_path(to, sizeof(to), directory, trace->id, rank, ending);
	if (!rename(from, to))
		return 0;
	return errno == EXDEV ? copy_file(from, to) : -errno;
}

static void withdraw_files(const char *directory, uint32_t id, uint32_t rank)
{
	char path[sizeof(local_archive.path) + 64];

	moved_path(path, sizeof(path), directory, id, rank, "evt");
	unlink(path);
	moved_path(path, sizeof(path), directory, id, rank, "def");
	unlink(path);
}

void fathom_trace_archive_withdraw(const char *directory, uint32_t rank, uint32_t absent)
{
	for (struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		withdraw_files(directory, trace->id, rank);
	for (uint32_t other = 0; absent && other <= absent; other++)
		if (other != rank)
			withdraw_files(directory, 0, other);
}

bool fathom_trace_archive_is_complete(const char *directory)
{
	char anchor[sizeof(local_archive.path) + 64];

	if (!*local_archive.path || !access(local_archive.path, F_OK) || errno != ENOENT)
		return false;
	fathom_format(anchor, sizeof(anchor), "%s/traces.otf2", directory);
	return !access(anchor, F_OK) || !fathom_trace_archive_show(directory);
}

static void remove_in(const char *directory, const char *name)
{
	char path[sizeof(local_archive.path) + 64];

	fathom_format(path, sizeof(path), "%s/%s", directory, name);
	if (remove(path))
		fathom_log(FATHOM_LOG_DEBUG, "%s: %s", path, strerrordesc_np(errno));
}

void fathom_trace_archive_undo(const char *directory, uint32_t rank, uint32_t absent)
{
	char moved[sizeof(local_archive.path) + 64], hidden[sizeof(local_archive.path) + 64];

	for (struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next) {
		moved_path(moved, sizeof(moved), directory, trace->id, rank, "evt");
		hidden_path(hidden, sizeof(hidden), trace->id, "evt");
		/* A file that was copied is in both places. */
		if (access(hidden, F_OK) && !rename(moved, hidden))
			fathom_log(FATHOM_LOG_DEBUG, "%s: moved back", moved);
	}
	/* One more than there are: that of absent ranks. */
	for (uint32_t id = 0; id <= local_archive.count; id++) {
		hidden_path(hidden, sizeof(hidden), id, "def");
		unlink(hidden);
	}
	fathom_trace_archive_withdraw(directory, rank, absent);
	remove_in(local_archive.path, "traces");
	remove_in(local_archive.path, "traces.otf2");
	remove_in(local_archive.path, "traces.def");
	remove_in(directory, "traces");
	remove_in(directory, "traces.otf2");
	remove_in(directory, FATHOM_TRACE_ANCHOR_PART);
	remove_in(directory, "traces.def");
}

/* --- processes that are absent -------------------------------------------------------------------- */

/* One pair of files serves all absent ranks: files without events do not contain the number of their location. */
static struct fathom_trace absent_location;

int fathom_trace_archive_add_absent(void)
{
	struct fathom_trace *newest = fathom_trace_archive_newest();

	if (!local_archive.has_files || !newest)
		return -EIO;
	absent_location = (struct fathom_trace){
		.id = local_archive.count++,
		.location = newest->location,
		.directory = local_archive.path,
	};
	if (fathom_trace_buffer_init(&absent_location))
		return -ENOMEM;
	return fathom_trace_archive_close_events(&absent_location);
}

int fathom_trace_archive_write_absent(const struct fathom_clock_sync_point *clock)
{
	const struct fathom_trace_tables tables = { .clock = clock };

	return fathom_trace_archive_write_local(&absent_location, &tables);
}

static int copy_absent(const char *directory, uint32_t rank, const char *ending)
{
	char from[sizeof(local_archive.path) + 64], to[sizeof(local_archive.path) + 64];

	hidden_path(from, sizeof(from), absent_location.id, ending);
	moved_path(to, sizeof(to), directory, 0, rank, ending);
	return copy_file(from, to);
}

/* --- moving the files to the trace ----------------------------------------------------------------- */

int fathom_trace_archive_move(const char *directory, uint32_t rank, uint32_t absent, bool has_events)
{
	int err = 0;

	if (!local_archive.otf2)
		return -EIO;
	if (OTF2_Archive_CloseDefFiles(local_archive.otf2) || fathom_trace_has_failed())
		err = fathom_trace_error();
	for (struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next) {
		int next = has_events ? 0 : move_file(directory, trace, rank, "evt");

		if (!err)
			err = next;
		next = move_file(directory, trace, rank, "def");
		if (!err)
			err = next;
	}
	for (uint32_t other = 0; absent && !err && other <= absent; other++) {
		if (other == rank)
			continue;
		err = copy_absent(directory, other, "evt");
		if (!err)
			err = copy_absent(directory, other, "def");
	}
	fathom_trace_archive_remove();
	return err;
}

void fathom_trace_archive_discard(void)
{
	char path[sizeof(local_archive.path) + 64];

	if (!*local_archive.path)
		return;
	for (uint32_t id = 0; id < local_archive.count; id++) {
		hidden_path(path, sizeof(path), id, "evt");
		unlink(path);
		hidden_path(path, sizeof(path), id, "def");
		unlink(path);
	}
	fathom_format(path, sizeof(path), "%s/events", local_archive.path);
	rmdir(path);
	fathom_format(path, sizeof(path), "%s/traces", local_archive.path);
	rmdir(path);
	fathom_format(path, sizeof(path), "%s/traces.otf2", local_archive.path);
	unlink(path);
	fathom_format(path, sizeof(path), "%s/traces.def", local_archive.path);
	unlink(path);
	fathom_format(path, sizeof(path), "%s/" FATHOM_TRACE_SNAPSHOT_NOTE, local_archive.path);
	unlink(path);
	rmdir(local_archive.path);
	*local_archive.path = '\0';
}

static int rename_anchor(const char *directory, const char *from, const char *to)
{
	char from_path[sizeof(local_archive.path) + 64], to_path[sizeof(local_archive.path) + 64];

	fathom_format(from_path, sizeof(from_path), "%s/%s", directory, from);
	fathom_format(to_path, sizeof(to_path), "%s/%s", directory, to);
	return rename(from_path, to_path) ? -errno : 0;
}

int fathom_trace_archive_hide(const char *directory)
{
	return rename_anchor(directory, "traces.otf2", FATHOM_TRACE_ANCHOR_PART);
}

int fathom_trace_archive_show(const char *directory)
{
	return rename_anchor(directory, FATHOM_TRACE_ANCHOR_PART, "traces.otf2");
}

/* Closing the archive writes an anchor file, which is removed with the directory. */
void fathom_trace_archive_remove(void)
{
	if (local_archive.otf2)
		OTF2_Archive_Close(local_archive.otf2);
	local_archive.otf2 = NULL;
	fathom_trace_archive_discard();
}

void fathom_trace_archive_clear(void)
{
	fathom_trace_event_directory_clear(local_archive.directory);
}

/* A record must fit into a chunk. The largest one is the list of all locations. */
OTF2_Archive *fathom_trace_archive_create(const char *directory, uint64_t locations)
{
	OTF2_EventSizeEstimator *estimator = OTF2_EventSizeEstimator_New();
	uint64_t chunk = FATHOM_TRACE_CHUNK_BYTES;

	if (estimator) {
		OTF2_EventSizeEstimator_SetNumberOfLocationDefinitions(estimator, (uint32_t)locations);
		chunk = OTF2_EventSizeEstimator_GetDefChunkSize(estimator);
		OTF2_EventSizeEstimator_Delete(estimator);
	}
	return open_archive(directory, chunk > FATHOM_TRACE_CHUNK_BYTES ? chunk : FATHOM_TRACE_CHUNK_BYTES);
}
