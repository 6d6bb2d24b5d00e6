#include "profile/recording/burst_log.h"

#include <errno.h>

#include "event/location.h"
#include "platform/lock.h"
#include "platform/nameless_file.h"

enum { CHUNK_BYTES = 128 * 1024, CHUNK_WORDS = CHUNK_BYTES / sizeof(uint64_t) };

/* The file may take this many times the memory, as the file of the operation logs (waits/recording.c). With 32 MB that
 * is 12 million bursts of each process. */
enum { FILE_SHARE = 15 };

/* A log keeps at least this many chunks in memory. */
enum { LEAST_IN_MEMORY = 2 };

static struct {
	uint64_t most_bytes;		/* of memory */
	uint64_t memory_bytes;		/* of all chunks in memory; atomic */
	struct fathom_nameless_file file;
	struct fathom_lock lock;	/* held while a log is created, gets a chunk, or a part of it is read; the lock
					 * of the file nests in it */
	struct fathom_burst_log *newest;	/* stored (release) when complete */
} logs;

void fathom_burst_log_init(uint64_t memory_bytes, const char *directory)
{
	logs.most_bytes = memory_bytes;
	logs.file.directory = directory;
	logs.file.name = "fathom-bursts";
	logs.file.most_bytes = FILE_SHARE * memory_bytes;
}

struct fathom_burst_log *fathom_burst_log_create(struct fathom_location *location)
{
	uint32_t counters = location->meter ? location->meter->count : 0;
	struct fathom_burst_log *log = fathom_arena_alloc(&location->arena, sizeof(*log) +
							  counters * sizeof(*log->readings));

	if (!log)
		return NULL;
	log->counter_count = counters;
	log->location = location;
	log->state = location->kind == FATHOM_KIND_SCRATCH ? FATHOM_BURST_NEVER : FATHOM_BURST_NONE;
	if (log->state == FATHOM_BURST_NEVER)
		return log;
	fathom_lock_take(&logs.lock);
	log->older = logs.newest;
	/* Pairs with the acquire in fathom_burst_log_newest. */
	__atomic_store_n(&logs.newest, log, __ATOMIC_RELEASE);
	fathom_lock_give(&logs.lock);
	return log;
}

struct fathom_burst_log *fathom_burst_log_newest(void)
{
	return __atomic_load_n(&logs.newest, __ATOMIC_ACQUIRE);
}

/* --- chunks ---------------------------------------------------------------------------------------- */

/* Moves the oldest chunk in memory to the file, and returns its memory. NULL: this is not possible. */
static uint64_t *spill(struct fathom_burst_log *log)
{
	struct fathom_burst_chunk *oldest = &log->chunks[log->in_file];
	uint64_t *memory = oldest->memory;
	int64_t place = fathom_nameless_file_append(&logs.file, memory, CHUNK_BYTES);

	if (place < 0)
		return NULL;
	oldest->memory = NULL;
	oldest->place = (uint64_t)place;
	log->in_file++;
	return memory;
}

/* Returns memory for one more chunk of the log. NULL: there is none. */
static uint64_t *chunk_memory(struct fathom_burst_log *log)
{
	uint64_t before = __atomic_fetch_add(&logs.memory_bytes, CHUNK_BYTES, __ATOMIC_RELAXED);
	uint32_t in_memory = log->chunk_count - log->in_file;
	uint64_t *memory = NULL;

	if (before + CHUNK_BYTES <= logs.most_bytes || in_memory < LEAST_IN_MEMORY)
		memory = fathom_arena_map(CHUNK_BYTES);
	if (memory)
		return memory;
	__atomic_fetch_sub(&logs.memory_bytes, CHUNK_BYTES, __ATOMIC_RELAXED);
	return in_memory >= LEAST_IN_MEMORY ? spill(log) : NULL;
}

/* Makes a new chunk the one that is written to. False: there is no room. The caller holds the lock. */
static bool begin_chunk(struct fathom_burst_log *log)
{
	uint32_t width = fathom_burst_log_width(log);
	struct fathom_arena *arena = (struct fathom_arena *)&log->location->arena;
	uint64_t *memory;

	if (!fathom_arena_grow(arena, &log->chunks, &log->chunk_room, log->chunk_count + 1, sizeof(*log->chunks)))
		return false;
	memory = chunk_memory(log);
	if (!memory)
		return false;
	log->chunks[log->chunk_count] = (struct fathom_burst_chunk){ .memory = memory };
	fathom_poke(&log->chunk_count, log->chunk_count + 1);
	log->end = memory + CHUNK_WORDS / width * width;
	fathom_poke(&log->next, memory);
	return true;
}

/* The lock also blocks the signals whose handlers could find the change half made. */
FATHOM_COLD bool fathom_burst_log_make_room(struct fathom_burst_log *log)
{
	int saved = errno;
	bool is_made;

	/* All bursts after the first dropped one are dropped: the log has no gaps, but ends early. */
	if (log->dropped) {
		log->dropped++;
		return false;
	}
	fathom_lock_take(&logs.lock);
	is_made = begin_chunk(log);
	fathom_lock_give(&logs.lock);
	errno = saved;
	if (!is_made)
		log->dropped++;
	return is_made;
}

/* --- reading --------------------------------------------------------------------------------------- */

/* A chunk that was in the file is read in parts of this many bytes at most. */
enum { PART_BYTES = 16 * 1024 };

/* Passes a chunk of the file to visit, in parts. */
static int read_chunk_of_file(const struct fathom_burst_log *log, const struct fathom_burst_chunk *chunk,
			      int (*visit)(void *context, const uint64_t *records, uint32_t count), void *context)
{
	static uint64_t part[PART_BYTES / sizeof(uint64_t)];	/* static, because signal handlers have small stacks */
	uint32_t width = fathom_burst_log_width(log), left = CHUNK_WORDS / width;
	uint32_t most = (uint32_t)(PART_BYTES / sizeof(uint64_t)) / width;
	uint64_t place = chunk->place;
	int err = 0;

	while (left && !err) {
		uint32_t count = left < most ? left : most;
		size_t bytes = count * width * sizeof(uint64_t);

		err = fathom_nameless_file_read(&logs.file, part, bytes, place);
		if (!err)
			err = visit(context, part, count);
		place += bytes;
		left -= count;
	}
	return err;
}

/* While the lock is held, no chunk moves to the file, and the memory of none becomes that of another. The thread of the
 * log may still add records to its last chunk, behind the place that next had. */
static int read_chunk(const struct fathom_burst_log *log, uint32_t number,
		      int (*visit)(void *context, const uint64_t *records, uint32_t count), void *context)
{
	const struct fathom_burst_chunk *chunk = &log->chunks[number];
	uint32_t width = fathom_burst_log_width(log), count = CHUNK_WORDS / width;
	const uint64_t *next = __atomic_load_n(&log->next, __ATOMIC_ACQUIRE);	/* pairs with burst_stage.c */

	if (!chunk->memory)
		return read_chunk_of_file(log, chunk, visit, context);
	if (number == log->chunk_count - 1)
		count = (uint32_t)(next - chunk->memory) / width;
	return count ? visit(context, chunk->memory, count) : 0;
}

int fathom_burst_log_read(struct fathom_burst_log *log, bool may_lock,
			  int (*visit)(void *context, const uint64_t *records, uint32_t count), void *context)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < fathom_peek(&log->chunk_count); i++) {
		if (may_lock)
			fathom_lock_take(&logs.lock);
		err = read_chunk(log, i, visit, context);
		if (may_lock)
			fathom_lock_give(&logs.lock);
	}
	return err;
}
