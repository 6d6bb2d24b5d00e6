#include "io/handles.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "platform/arena.h"
#include "platform/lock.h"

bool fathom_io_is_traced;

/* By file: 1 + its number; 0: it has none. Larger files than these have none. */
enum { MOST_FILES = 4096 };
static uint32_t files[MOST_FILES];

/* A stream. Entries are never freed, but used again. */
struct stream {
	struct stream *next;		/* in the bucket */
	FILE *file;			/* NULL: the entry is unused */
	uint32_t number;
};

enum { BUCKETS = 64 };

/* The lock is held for a walk along a list; no lock is taken inside. */
static struct {
	struct fathom_lock lock;
	struct fathom_arena arena;
	struct stream *buckets[BUCKETS];
} streams;

static uint64_t operations;

/* Defines the handle of a file that was opened. Keeps errno. FATHOM_NO_OBJECT: no memory. */
static uint32_t define(const char *path, enum fathom_io_paradigm paradigm, uint32_t flags)
{
	int saved = errno;
	uint32_t file = fathom_event_object_define(&(struct fathom_object){ .kind = FATHOM_OBJECT_FILE, .path = path });
	uint32_t number = fathom_event_object_define(
		&(struct fathom_object){ .kind = FATHOM_OBJECT_HANDLE, .io = paradigm, .file = file });

	if (number != FATHOM_NO_OBJECT)
		fathom_event_io_step(
			&(struct fathom_io_step){ .kind = FATHOM_IO_OPENED, .object = number, .flags = flags });
	errno = saved;
	return number;
}

void fathom_io_opened(int file, const char *path, int flags)
{
	static const uint32_t access[] = {
		[O_RDONLY] = FATHOM_IO_MAY_READ,
		[O_WRONLY] = FATHOM_IO_MAY_WRITE,
		[O_RDWR] = FATHOM_IO_MAY_READ | FATHOM_IO_MAY_WRITE,
		[O_ACCMODE] = 0,
	};
	uint32_t number;

	if (file < 0 || file >= MOST_FILES)
		return;
	number = define(path, FATHOM_IO_POSIX,
			access[flags & O_ACCMODE] | (flags & O_CREAT ? FATHOM_IO_CREATES : 0) |
				(flags & O_EXCL ? FATHOM_IO_EXCLUSIVE : 0) |
				(flags & O_APPEND ? FATHOM_IO_APPENDS : 0));
	fathom_poke(&files[file], number == FATHOM_NO_OBJECT ? 0 : number + 1);
}

uint32_t fathom_io_number(int file)
{
	uint32_t number = file >= 0 && file < MOST_FILES ? fathom_peek(&files[file]) : 0;

	return number ? number - 1 : FATHOM_IO_NO_HANDLE;
}

uint32_t fathom_io_take(int file)
{
	uint32_t number = file >= 0 && file < MOST_FILES ? __atomic_exchange_n(&files[file], 0, __ATOMIC_RELAXED) : 0;

	return number ? number - 1 : FATHOM_IO_NO_HANDLE;
}

/* --- streams --------------------------------------------------------------------------------------- */

static struct stream **bucket_of(const FILE *file)
{
	return &streams.buckets[((uintptr_t)file >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

/* Returns the entry of a stream in a bucket; file NULL: an unused entry. The caller holds the lock. NULL: none. */
static struct stream *find(struct stream **bucket, const FILE *file)
{
	struct stream *stream = *bucket;

	while (stream && stream->file != file)
		stream = stream->next;
	return stream;
}

void fathom_io_stream_opened(FILE *file, const char *path, const char *mode)
{
	bool updates = strchr(mode, '+'), reads = mode[0] == 'r';
	struct stream **bucket = bucket_of(file), *stream;
	int saved = errno;
	uint32_t number;

	if (!file)
		return;
	number = define(path, FATHOM_IO_ISOC,
			(reads || updates ? FATHOM_IO_MAY_READ : 0) | (!reads || updates ? FATHOM_IO_MAY_WRITE : 0) |
				(reads ? 0 : FATHOM_IO_CREATES) | (strchr(mode, 'x') ? FATHOM_IO_EXCLUSIVE : 0) |
				(mode[0] == 'a' ? FATHOM_IO_APPENDS : 0));
	if (number == FATHOM_NO_OBJECT)
		return;
	fathom_lock_take(&streams.lock);
	stream = find(bucket, file);
	if (!stream)
		stream = find(bucket, NULL);
	if (!stream) {
		stream = fathom_arena_alloc(&streams.arena, sizeof(*stream));
		if (stream) {
			stream->next = *bucket;
			*bucket = stream;
		}
	}
	if (stream) {
		stream->file = file;
		stream->number = number;
	}
	fathom_lock_give(&streams.lock);
	errno = saved;
}

static uint32_t stream_number(FILE *file, bool is_closed)
{
	uint32_t number = FATHOM_IO_NO_HANDLE;
	struct stream *stream;

	if (!file)
		return number;
	fathom_lock_take(&streams.lock);
	stream = find(bucket_of(file), file);
	if (stream) {
		number = stream->number;
		if (is_closed)
			stream->file = NULL;
	}
	fathom_lock_give(&streams.lock);
	return number;
}

uint32_t fathom_io_stream_number(FILE *stream)
{
	return stream_number(stream, false);
}

uint32_t fathom_io_stream_take(FILE *stream)
{
	return stream_number(stream, true);
}

/* --- records --------------------------------------------------------------------------------------- */

void fathom_io_closed(uint32_t number)
{
	if (number != FATHOM_IO_NO_HANDLE)
		fathom_event_io_step(&(struct fathom_io_step){ .kind = FATHOM_IO_CLOSED, .object = number });
}

void fathom_io_moved(uint32_t number, enum fathom_io_operation operation, uint64_t wanted, uint64_t bytes,
		     uint64_t offset)
{
	uint64_t id;

	if (number == FATHOM_IO_NO_HANDLE)
		return;
	/* Other numbers than those of MPI's operations. */
	id = ((uint64_t)1 << 40) + __atomic_fetch_add(&operations, 1, __ATOMIC_RELAXED);
	fathom_event_io_step(&(struct fathom_io_step){
		.kind = FATHOM_IO_BEGIN,
		.object = number,
		.operation = operation,
		.bytes = wanted,
		.offset = offset,
		.id = id,
	});
	fathom_event_io_step(
		&(struct fathom_io_step){ .kind = FATHOM_IO_DONE, .object = number, .bytes = bytes, .id = id });
}

void fathom_io_sought(uint32_t number, int64_t distance, int whence, int64_t where)
{
	if (number == FATHOM_IO_NO_HANDLE || where < 0)
		return;
	fathom_event_io_step(&(struct fathom_io_step){
		.kind = FATHOM_IO_SEEK,
		.object = number,
		.distance = distance,
		.whence = whence == SEEK_CUR ? FATHOM_IO_FROM_HERE :
			  whence == SEEK_END ? FATHOM_IO_FROM_END :
					       FATHOM_IO_FROM_START,
		.offset = (uint64_t)where,
	});
}
