#include "trace/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <otf2/OTF2_EventSizeEstimator.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "trace/hidden.h"
#include "trace/record.h"

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
	const char *directory;		/* FATHOM_DIR: the hidden one is made there, or where experiments go instead */
	bool has_files;			/* it is there */
	uint32_t count;
	struct fathom_trace *newest;
	struct fathom_trace *last;	/* the newest when the trace was stopped */
	bool is_stopped;
	int error;			/* what OTF2 complained of first: what it writes may be incomplete */
	uint32_t open_files;		/* locations that have written */
	uint32_t most_files;
	struct fathom_trace *added;	/* the one whose writer is being made */
	uint64_t most_bytes;		/* of chunks, all locations together; 0: no limit */
	uint64_t bytes;			/* of chunks, now */
	uint64_t limit;			/* of events, per location; 0: none */
} own;

/* --- memory -------------------------------------------------------------------------------------- */

/* A file stays open until the end. So that the program can still open its own, locations that come late keep all
 * they have in memory. */
static bool may_have_file(const struct fathom_trace *trace)
{
	return trace->flushes || fathom_peek(&own.open_files) < own.most_files;
}

static bool may_have_more(const struct fathom_trace *trace)
{
	if (trace->chunks < 1 || !may_have_file(trace))
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
		fathom_trace_add_state(trace, FATHOM_TRACE_LIMITED);
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

/* The thread is in the middle of the program's work, which must not notice: not by errno, nor by the signal of a
 * limit for files, nor by being cancelled while it writes. */
static void begin_flush(struct fathom_trace *trace)
{
	sigset_t limit;

	if (trace->flush.is_on)
		return;
	trace->flush.error = errno;
	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &trace->flush.signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &trace->flush.cancel_state);
	trace->flush.is_on = true;
}

void fathom_trace_archive_end_flush(struct fathom_trace *trace)
{
	const struct timespec at_once = { 0 };
	sigset_t limit;

	if (!trace->flush.is_on)
		return;
	trace->flush.is_on = false;
	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	if (!sigismember(&trace->flush.signals, SIGXFSZ))
		sigtimedwait(&limit, NULL, &at_once);
	pthread_setcancelstate(trace->flush.cancel_state, NULL);
	pthread_sigmask(SIG_SETMASK, &trace->flush.signals, NULL);
	errno = trace->flush.error;
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)caller;
	if (type == OTF2_FILETYPE_EVENTS && !final) {
		struct fathom_trace *trace = trace_of(location);

		if (trace)
			begin_flush(trace);
	}
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
	if (trace->flushes++ == 0)
		__atomic_fetch_add(&own.open_files, 1, __ATOMIC_RELAXED);
	fathom_trace_archive_end_flush(trace);
	if (fathom_peek(&own.error))	/* OTF2 says so, and goes on */
		fathom_trace_lose(trace);
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
	if (!fathom_peek(&own.error))
		fathom_poke(&own.error, (int)code);
	return code;
}

bool fathom_trace_archive_has_failed(void)
{
	return fathom_peek(&own.error);
}

int fathom_trace_archive_error(void)
{
	switch (fathom_peek(&own.error)) {
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

/* Half of what the program may open is left to it. */
static uint32_t files_allowed(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > 1 << 20)
		return 1 << 20;
	return (uint32_t)limit.rlim_cur / 2;
}

int fathom_trace_archive_open(const char *directory, uint64_t most_memory, uint64_t limit)
{
	OTF2_Error_RegisterCallback(be_quiet, NULL);
	own.directory = directory;
	own.most_bytes = most_memory;
	own.limit = limit;
	own.most_files = files_allowed();
	return 0;
}

bool fathom_trace_archive_is_capped(void)
{
	return own.most_bytes;
}

/* The first location needs it. */
static int make_files(void)
{
	const char *elsewhere[] = { own.directory, getenv("TMPDIR"), "/tmp" };
	size_t i;

	if (own.has_files)
		return own.archive ? 0 : -EIO;
	own.has_files = true;
	for (i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (elsewhere[i] && fathom_trace_hidden_make(own.path, sizeof(own.path), elsewhere[i]))
			break;
	if (i < sizeof(elsewhere) / sizeof(*elsewhere))
		own.archive = open_archive(own.path, CHUNK_BYTES);
	if (!own.archive || OTF2_Archive_OpenEvtFiles(own.archive)) {
		fathom_log(FATHOM_LOG_ERROR, "no trace: %s cannot be made", own.path);
		own.archive = NULL;
		return -EIO;
	}
	return 0;
}

/* Once it is stopped, whoever is born later is not in the list. */
struct fathom_trace *fathom_trace_archive_newest(void)
{
	if (__atomic_load_n(&own.is_stopped, __ATOMIC_ACQUIRE))
		return own.last;
	return __atomic_load_n(&own.newest, __ATOMIC_ACQUIRE);
}

void fathom_trace_archive_stop(void)
{
	own.last = __atomic_load_n(&own.newest, __ATOMIC_ACQUIRE);
	__atomic_store_n(&own.is_stopped, true, __ATOMIC_RELEASE);
}

struct fathom_trace *fathom_trace_archive_add(struct fathom_location *self)
{
	struct fathom_trace *trace = fathom_arena_alloc(&self->arena, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->location = self;
	if (__atomic_load_n(&own.is_stopped, __ATOMIC_ACQUIRE)) {
		trace->state = FATHOM_TRACE_CLOSED;
		return trace;
	}
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

int fathom_trace_archive_close_events(struct fathom_trace *trace)
{
	if (!trace->writer)
		return fathom_trace_archive_error();
	OTF2_EvtWriter_GetNumberOfEvents(trace->writer, &trace->events);
	if (OTF2_Archive_CloseEvtWriter(own.archive, trace->writer))
		fathom_trace_add_state(trace, FATHOM_TRACE_LOST);
	trace->writer = NULL;
	return trace->state & FATHOM_TRACE_LOST || own.error ? fathom_trace_archive_error() : 0;
}

int fathom_trace_archive_begin_local(void)
{
	if (!own.archive)
		return -EIO;
	if (OTF2_Archive_CloseEvtFiles(own.archive) || OTF2_Archive_OpenDefFiles(own.archive))
		return fathom_trace_archive_error();
	return 0;
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

/* Anywhere within its error the truth is as likely: that is the deviation. */
static int write_clock(OTF2_DefWriter *writer, const struct fathom_sync_point *points)
{
	int err = 0;

	for (int i = 0; points && i < 2; i++)
		err |= OTF2_DefWriter_WriteClockOffset(writer, points[i].ticks, points[i].offset,
						       (double)points[i].error / 1.7320508);
	return err;
}

int fathom_trace_archive_write_local(struct fathom_trace *trace, const struct fathom_trace_tables *tables)
{
	OTF2_DefWriter *writer = own.archive ? OTF2_Archive_GetDefWriter(own.archive, trace->id) : NULL;
	int err;

	if (!writer)
		return fathom_trace_archive_error();
	err = write_table(writer, OTF2_MAPPING_STRING, tables->strings, tables->string_count);
	err |= write_table(writer, OTF2_MAPPING_REGION, tables->regions, tables->region_count);
	err |= write_table(writer, OTF2_MAPPING_COMM, tables->comms, tables->comm_count);
	for (int kind = 0; kind < FATHOM_OBJECT_KINDS; kind++)
		err |= write_table(writer, object_mappings[kind], tables->objects.numbers[kind],
				   tables->objects.counts[kind]);
	err |= write_clock(writer, tables->clock);
	err |= OTF2_Archive_CloseDefWriter(own.archive, writer);
	return err || own.error ? fathom_trace_archive_error() : 0;
}

/* Bytes of from go to the end of to. */
static int copy_bytes(int from, int to)
{
	static char data[64 << 10];
	ssize_t length;

	while ((length = read(from, data, sizeof(data))) > 0)
		for (ssize_t at = 0; at < length;) {
			ssize_t written = write(to, data + at, (size_t)(length - at));

			if (written < 0 && errno != EINTR)
				return -errno;
			at += written > 0 ? written : 0;
		}
	return length < 0 ? -errno : 0;
}

/* Between file systems, when experiments go elsewhere than the program could know at its start. */
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

static void hidden_path(char *path, size_t bytes, uint32_t id, const char *ending)
{
	fathom_format(path, bytes, "%s/traces/%u.%s", own.path, id, ending);
}

static int move_file(const char *directory, const struct fathom_trace *trace, uint32_t rank, const char *ending)
{
	char from[sizeof(own.path) + 64], to[sizeof(own.path) + 64];

	hidden_path(from, sizeof(from), trace->id, ending);
	moved_path(to, sizeof(to), directory, trace->id, rank, ending);
	if (!rename(from, to))
		return 0;
	return errno == EXDEV ? copy_file(from, to) : -errno;
}

static void withdraw_files(const char *directory, uint32_t id, uint32_t rank)
{
	char path[sizeof(own.path) + 64];

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

/* --- processes that are absent -------------------------------------------------------------------- */

/* Files without events, or without definitions, do not say whose they are. */
static struct fathom_trace absent_location;

int fathom_trace_archive_add_absent(void)
{
	struct fathom_trace *newest = fathom_trace_archive_newest();

	if (!own.archive || !newest)
		return -EIO;
	absent_location = (struct fathom_trace){ .id = own.count++, .location = newest->location };
	own.added = &absent_location;
	absent_location.writer = OTF2_Archive_GetEvtWriter(own.archive, absent_location.id);
	own.added = NULL;
	return fathom_trace_archive_close_events(&absent_location);
}

int fathom_trace_archive_write_absent(const struct fathom_sync_point *clock)
{
	const struct fathom_trace_tables tables = { .clock = clock };

	return fathom_trace_archive_write_local(&absent_location, &tables);
}

static int copy_absent(const char *directory, uint32_t rank, const char *ending)
{
	char from[sizeof(own.path) + 64], to[sizeof(own.path) + 64];

	hidden_path(from, sizeof(from), absent_location.id, ending);
	moved_path(to, sizeof(to), directory, 0, rank, ending);
	return copy_file(from, to);
}

/* --- to where it belongs -------------------------------------------------------------------------- */

int fathom_trace_archive_move(const char *directory, uint32_t rank, uint32_t absent)
{
	int err = 0;

	if (!own.archive)
		return -EIO;
	if (OTF2_Archive_CloseDefFiles(own.archive) || own.error)
		err = fathom_trace_archive_error();
	for (struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next) {
		int next = move_file(directory, trace, rank, "evt");

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
	char path[sizeof(own.path) + 64];

	if (!*own.path)
		return;
	for (uint32_t id = 0; id < own.count; id++) {
		hidden_path(path, sizeof(path), id, "evt");
		unlink(path);
		hidden_path(path, sizeof(path), id, "def");
		unlink(path);
	}
	fathom_format(path, sizeof(path), "%s/traces", own.path);
	rmdir(path);
	fathom_format(path, sizeof(path), "%s/traces.otf2", own.path);
	unlink(path);
	fathom_format(path, sizeof(path), "%s/traces.def", own.path);
	unlink(path);
	rmdir(own.path);
	*own.path = '\0';
}

static int rename_anchor(const char *directory, const char *from, const char *to)
{
	char from_path[sizeof(own.path) + 64], to_path[sizeof(own.path) + 64];

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

/* Closing the archive writes a file about it that nobody needs. */
void fathom_trace_archive_remove(void)
{
	if (own.archive)
		OTF2_Archive_Close(own.archive);
	own.archive = NULL;
	fathom_trace_archive_discard();
}

void fathom_trace_archive_clear(void)
{
	fathom_trace_hidden_clear(own.directory);
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
