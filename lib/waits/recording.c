#include "waits/recording.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/nameless_file.h"
#include "platform/number_table.h"

enum { CHUNK_BYTES = FATHOM_WAITS_CHUNK_RECORDS * sizeof(struct fathom_waits_record) };

_Static_assert(CHUNK_BYTES % 4096 == 0, "a chunk is a whole number of pages");

/* The file may take this many times the memory. With the default of 32 MB that is half a gigabyte for each process, or
 * 13 million operations. */
enum { FILE_SHARE = 15 };

/* A log keeps at least this many chunks in memory, so that the record of an operation in progress does not go to the
 * file before the operation ends. */
enum { LEAST_IN_MEMORY = 2 };

struct chunk {
	struct fathom_waits_record *memory;	/* NULL: the chunk is in the file */
	uint64_t place;				/* in the file, in bytes */
};

struct fathom_waits_chunks {
	struct fathom_arena arena;	/* of the list */
	struct chunk *list;
	uint32_t count, room;
	uint32_t in_file;		/* number of chunks in the file; these are the oldest ones */
};

bool fathom_waits_recording;

static struct {
	uint64_t most_bytes;		/* of memory */
	uint64_t memory_bytes;		/* of all chunks in memory; atomic */
	struct fathom_nameless_file file;	/* of the chunks that memory has no room for */
	struct fathom_lock lock;	/* held while a log is created; nests in nothing */
	struct fathom_arena arena;	/* of the logs */
	struct fathom_waits_log *newest;
	bool is_full;			/* nothing more is recorded */
} recording;

void fathom_waits_recording_init(uint64_t memory_bytes, const char *directory)
{
	recording.most_bytes = memory_bytes;
	recording.file.most_bytes = FILE_SHARE * memory_bytes;
	recording.file.directory = directory;
	recording.file.name = "fathom-waits";
}

const char *fathom_waits_recording_directory(void)
{
	return recording.file.directory;
}

uint64_t fathom_waits_recording_bytes(void)
{
	return recording.most_bytes;
}

void fathom_waits_recording_begin(void)
{
	if (recording.most_bytes)
		fathom_poke(&fathom_waits_recording, true);
}

void fathom_waits_recording_end(void)
{
	fathom_poke(&fathom_waits_recording, false);
}

/* --- chunks ---------------------------------------------------------------------------------------- */

/* Moves the oldest chunk in memory to the file and returns its memory. NULL: this is not possible. */
static struct fathom_waits_record *spill(struct fathom_waits_log *log, uint64_t **end)
{
	struct fathom_waits_chunks *chunks = log->chunks;
	struct chunk *oldest = &chunks->list[chunks->in_file];
	struct fathom_waits_record *memory = oldest->memory;
	bool has_operation = log->operation >= memory && log->operation < memory + FATHOM_WAITS_CHUNK_RECORDS;
	int64_t place;

	if (has_operation && !log->operation->end_and_kind) {
		/* The operation in progress has more parts than fit into a chunk: its end will not be known. */
		log->operation->end_and_kind = fathom_waits_end_of(log->operation->operation.begin);
		*end = NULL;
	}
	place = fathom_nameless_file_append(&recording.file, memory, CHUNK_BYTES);
	if (place < 0)
		return NULL;
	oldest->memory = NULL;
	oldest->place = (uint64_t)place;
	chunks->in_file++;
	return memory;
}

/* Makes the kernel provide the pages of a chunk now, all at once, which takes less time than a page fault for each of
 * them. An error does not matter. */
static void populate(struct fathom_waits_record *chunk)
{
	enum { POPULATE_WRITE = 23 };	/* MADV_POPULATE_WRITE, since Linux 5.14 */

	/* Not by madvise(), which UCX intercepts. */
	syscall(SYS_madvise, chunk, CHUNK_BYTES, POPULATE_WRITE);
}

/* Returns memory for one more chunk of the log. NULL: there is none. */
static struct fathom_waits_record *chunk_memory(struct fathom_waits_log *log, uint64_t **end)
{
	struct fathom_waits_chunks *chunks = log->chunks;
	uint64_t before = __atomic_fetch_add(&recording.memory_bytes, CHUNK_BYTES, __ATOMIC_RELAXED);
	struct fathom_waits_record *memory = NULL;

	if (before + CHUNK_BYTES <= recording.most_bytes || chunks->count - chunks->in_file < LEAST_IN_MEMORY)
		memory = fathom_arena_map(CHUNK_BYTES);
	/* The first chunk of a location may stay almost empty. */
	if (memory && chunks->count)
		populate(memory);
	if (memory)
		return memory;
	__atomic_fetch_sub(&recording.memory_bytes, CHUNK_BYTES, __ATOMIC_RELAXED);
	return chunks->count - chunks->in_file >= LEAST_IN_MEMORY ? spill(log, end) : NULL;
}

/* Makes a new chunk the one that is written to. False: there is no room. */
static bool begin_chunk(struct fathom_waits_log *log, uint64_t **end)
{
	struct fathom_waits_chunks *chunks = log->chunks;
	struct fathom_waits_record *memory;
	uint32_t operation = fathom_waits_log_operation(log), first = chunks->count * FATHOM_WAITS_CHUNK_RECORDS;

	if (fathom_peek(&recording.is_full))
		return false;
	if (first >= FATHOM_WAITS_NO_RECORD - FATHOM_WAITS_CHUNK_RECORDS ||
	    !fathom_arena_grow(&chunks->arena, &chunks->list, &chunks->room, chunks->count + 1,
			       sizeof(*chunks->list)))
		return false;
	memory = chunk_memory(log, end);
	if (!memory) {
		/* If one process records less than its partners, the search can still use what all of them have. */
		fathom_poke(&recording.is_full, true);
		return false;
	}
	chunks->list[chunks->count].memory = memory;
	chunks->count++;
	log->older_operation = operation;
	log->first = first;
	log->chunk = memory;
	log->end = memory + FATHOM_WAITS_CHUNK_RECORDS;
	fathom_poke(&log->next, memory);
	return true;
}

/* Begins a new chunk, while no signal handler can interrupt the change. */
static FATHOM_COLD bool make_room(struct fathom_waits_log *log, uint64_t **end)
{
	int saved = errno;
	sigset_t before;
	bool is_made;

	fathom_signals_block(&before);
	is_made = begin_chunk(log, end);
	fathom_signals_restore(&before);
	errno = saved;
	if (!is_made)
		log->lost++;
	return is_made;
}

static bool has_room(struct fathom_waits_log *log, uint64_t **end)
{
	return likely(log->next < log->end) || make_room(log, end);
}

/* --- records -------------------------------------------------------------------------------------- */

/* Adds a part to the operation in progress. */
static void add_part(struct fathom_waits_log *log, uint64_t **end, struct fathom_waits_part part)
{
	struct fathom_waits_record *last = log->next - 1;
	uint64_t back;

	if (log->next > log->chunk && last != log->operation &&
	    fathom_waits_record_kind(last) == FATHOM_WAITS_OPERATION_MORE && fathom_waits_record_fill(last) == 1) {
		back = fathom_waits_record_back(last);
		last->more[1] = part;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		fathom_poke(&last->end_and_kind, fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 2, back));
		return;
	}
	if (!has_room(log, end))
		return;
	back = fathom_waits_log_next(log) - fathom_waits_log_operation(log);
	log->next->more[0] = part;
	log->next->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 1, back);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fathom_poke(&log->next, log->next + 1);
}

void fathom_waits_log_add_rarely(struct fathom_waits_log *log, uint64_t **end, uint64_t call_path, uint64_t begin,
				 struct fathom_waits_part part, bool is_new)
{
	if (!is_new)
		add_part(log, end, part);
	else if (has_room(log, end))
		fathom_waits_log_put(log, end, call_path, begin, part);
}

void fathom_waits_log_map(struct fathom_waits_log *log, const struct fathom_waits_map_entry *entries, uint32_t count)
{
	uint64_t *no_operation = NULL;

	for (uint32_t i = 0; i < count; i += 2) {
		struct fathom_waits_record *record;
		uint32_t fill = count - i < 2 ? 1 : 2;

		if (!has_room(log, &no_operation))
			return;
		record = log->next;
		record->entries[0] = entries[i];
		if (fill == 2)
			record->entries[1] = entries[i + 1];
		record->end_and_kind = fathom_waits_fill_of(i ? FATHOM_WAITS_MAP_MORE : FATHOM_WAITS_MAP, fill, i / 2);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		fathom_poke(&log->next, record + 1);
	}
}

/* --- logs ---------------------------------------------------------------------------------------- */

struct fathom_waits_log *fathom_waits_log_create(uint32_t id)
{
	static struct fathom_waits_record no_operation = { .end_and_kind = 1 << 2 };
	struct fathom_waits_log *log;
	struct fathom_waits_chunks *chunks;

	fathom_lock_take(&recording.lock);
	log = fathom_arena_alloc(&recording.arena, sizeof(*log));
	chunks = fathom_arena_alloc(&recording.arena, sizeof(*chunks));
	if (log && chunks) {
		log->id = id;
		log->operation = &no_operation;
		log->chunks = chunks;
		log->older = recording.newest;
		recording.newest = log;
	}
	fathom_lock_give(&recording.lock);
	return log && chunks ? log : NULL;
}

struct fathom_waits_log *fathom_waits_log_newest(void)
{
	return recording.newest;
}

/* --- requests ------------------------------------------------------------------------------------- */

struct fathom_waits_posted *fathom_waits_posted_pages[FATHOM_WAITS_POSTED_PAGES];

struct fathom_waits_posted *fathom_waits_posted_make(uint64_t request)
{
	struct fathom_waits_posted *entry = fathom_waits_posted_find(request);

	if (likely(entry) || request >= (uint64_t)FATHOM_WAITS_POSTED_PAGE * FATHOM_WAITS_POSTED_PAGES)
		return entry;
	fathom_lock_take(&recording.lock);
	if (!fathom_waits_posted_pages[request / FATHOM_WAITS_POSTED_PAGE]) {
		/* Pairs with the acquire in fathom_waits_posted_find. */
		__atomic_store_n(&fathom_waits_posted_pages[request / FATHOM_WAITS_POSTED_PAGE],
				 fathom_arena_map(FATHOM_WAITS_POSTED_PAGE * sizeof(*entry)), __ATOMIC_RELEASE);
	}
	fathom_lock_give(&recording.lock);
	return fathom_waits_posted_find(request);
}

/* --- communicators ---------------------------------------------------------------------------------- */

struct fathom_waits_recorded_comm *fathom_waits_comm_pages[FATHOM_WAITS_COMM_PAGES];
struct fathom_waits_recorded_comm *fathom_waits_window_pages[FATHOM_WAITS_COMM_PAGES];

/* A list of members that some communicators have. */
struct members {
	uint64_t hash;			/* of the members and the key */
	uint32_t serial;		/* number of communicators with these members and key so far */
	struct fathom_waits_group group, remote;
};

static struct {
	struct fathom_lock lock;	/* held while a communicator is noted; nests in nothing */
	struct fathom_arena arena;
	struct fathom_number_table table;
	struct members *lists;		/* each once; arrays that became too small stay in the arena */
	uint32_t list_count, list_room;
	uint32_t count;			/* one more than the largest number of a communicator */
	uint32_t window_count;
} comms;

/* The finalizer of MurmurHash3, which mixes all bits. */
static uint64_t mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 33;
}

static uint32_t rank_of(const uint32_t *ranks, uint32_t member)
{
	return ranks ? ranks[member] : member;
}

static uint64_t hash_ranks(uint64_t hash, const uint32_t *ranks, uint32_t count)
{
	hash = mix(hash, count);
	for (uint32_t i = 0; i < count; i++)
		hash = mix(hash, rank_of(ranks, i));
	return hash;
}

/* Returns a hash of the members and the key, which is the same at the members of both groups. */
static uint64_t hash_members(const struct fathom_waits_comm_spec *spec)
{
	bool swap = spec->remote_count && rank_of(spec->remote, 0) < rank_of(spec->ranks, 0);
	uint64_t hash = mix(1, spec->key);

	hash = hash_ranks(hash, swap ? spec->remote : spec->ranks, swap ? spec->remote_count : spec->count);
	if (spec->remote_count)
		hash = hash_ranks(hash, swap ? spec->ranks : spec->remote, swap ? spec->count : spec->remote_count);
	return hash;
}

/* Makes the description of a group; copies the ranks unless they are a sequence with equal distances. False: no
 * memory. */
static bool make_group(struct fathom_waits_group *group, const uint32_t *ranks, uint32_t count)
{
	uint32_t *copy;
	uint32_t i = 2;

	*group = (struct fathom_waits_group){ .stride = 1, .count = count };
	if (!ranks || !count)
		return true;
	group->first = ranks[0];
	group->stride = count > 1 ? ranks[1] - ranks[0] : 1;
	while (i < count && ranks[i] == ranks[0] + i * group->stride)
		i++;
	if (i >= count)
		return true;
	copy = fathom_arena_alloc(&comms.arena, count * sizeof(*copy));
	if (!copy)
		return false;
	memcpy(copy, ranks, count * sizeof(*copy));
	group->ranks = copy;
	return true;
}

/* Returns the list of these members, added if it is new. NULL: no memory. */
static struct members *list_members(const struct fathom_waits_comm_spec *spec)
{
	uint64_t hash = hash_members(spec);
	struct members *list;
	uint32_t *slot;
	int reserved = fathom_number_table_reserve(&comms.table, &comms.arena, comms.list_count);

	if (reserved < 0)
		return NULL;
	for (uint32_t i = 0; reserved && i < comms.list_count; i++)
		fathom_number_table_put(&comms.table, comms.lists[i].hash, i);
	slot = fathom_number_table_first(&comms.table, hash);
	while (*slot && comms.lists[*slot - 1].hash != hash)
		slot = fathom_number_table_next(&comms.table, slot);
	if (*slot)
		return &comms.lists[*slot - 1];
	if (!fathom_arena_grow(&comms.arena, &comms.lists, &comms.list_room, comms.list_count + 1,
			       sizeof(*comms.lists)))
		return NULL;
	list = &comms.lists[comms.list_count];
	list->hash = hash;
	list->serial = 0;
	if (!make_group(&list->group, spec->ranks, spec->count) ||
	    !make_group(&list->remote, spec->remote, spec->remote_count))
		return NULL;
	*slot = ++comms.list_count;
	return list;
}

/* Returns the place of this number in a table. NULL: there is no memory, or the number is too large. */
static struct fathom_waits_recorded_comm *place_in(struct fathom_waits_recorded_comm **pages, uint32_t number)
{
	struct fathom_waits_recorded_comm **page = &pages[number / FATHOM_WAITS_COMM_PAGE];

	if (number >= FATHOM_WAITS_COMM_PAGE * FATHOM_WAITS_COMM_PAGES)
		return NULL;
	/* Pairs with the acquire in fathom_waits_comm_in. */
	if (!*page)
		__atomic_store_n(page, fathom_arena_alloc(&comms.arena, FATHOM_WAITS_COMM_PAGE * sizeof(**page)),
				 __ATOMIC_RELEASE);
	return *page ? *page + number % FATHOM_WAITS_COMM_PAGE : NULL;
}

static void put_comm(struct fathom_waits_recorded_comm *place, const struct fathom_waits_recorded_comm *comm,
		     uint64_t identity, uint32_t number, uint32_t *count)
{
	*place = *comm;
	/* Pairs with the acquire in fathom_waits_comm_in: a communicator with an identity is complete. */
	__atomic_store_n(&place->identity, identity | 1, __ATOMIC_RELEASE);
	if (number >= *count)
		*count = number + 1;
}

void fathom_waits_comm_note(uint32_t number, const struct fathom_waits_comm_spec *spec)
{
	struct fathom_waits_recorded_comm comm = { .rank = spec->rank };
	struct fathom_waits_recorded_comm *place;
	struct members *list;

	fathom_lock_take(&comms.lock);
	place = place_in(fathom_waits_comm_pages, number);
	list = place ? list_members(spec) : NULL;
	if (list) {
		comm.group = list->group;
		comm.remote = list->remote;
		put_comm(place, &comm, mix(list->hash, list->serial++), number, &comms.count);
	}
	fathom_lock_give(&comms.lock);
}

void fathom_waits_comm_note_operation(uint32_t number, uint32_t parent, uint32_t operation)
{
	const struct fathom_waits_recorded_comm *comm = fathom_waits_comm_find(parent);
	struct fathom_waits_recorded_comm *place;
	struct fathom_waits_recorded_comm without_identity;

	if (!comm)
		return;
	without_identity = *comm;
	without_identity.identity = 0;
	fathom_lock_take(&comms.lock);
	place = place_in(fathom_waits_comm_pages, number);
	if (place)
		put_comm(place, &without_identity, mix(comm->identity, ~(uint64_t)operation), number, &comms.count);
	fathom_lock_give(&comms.lock);
}

void fathom_waits_comm_note_neighbors(uint32_t number, const uint32_t *sources, uint32_t source_count,
				      const uint32_t *destinations, uint32_t destination_count)
{
	const struct fathom_waits_recorded_comm *comm = fathom_waits_comm_find(number);
	struct fathom_waits_neighbors *neighbors;
	uint32_t count = source_count + destination_count;

	if (!comm)
		return;
	fathom_lock_take(&comms.lock);
	neighbors = fathom_arena_alloc(&comms.arena, sizeof(*neighbors) + count * sizeof(*neighbors->ranks));
	if (neighbors) {
		neighbors->source_count = source_count;
		neighbors->destination_count = destination_count;
		for (uint32_t i = 0; i < count; i++)
			neighbors->ranks[i] = fathom_waits_member(&comm->group, i < source_count ? sources[i] :
								  destinations[i - source_count]);
		/* Pairs with the acquire in fathom_waits_comm_neighbors. */
		__atomic_store_n(&place_in(fathom_waits_comm_pages, number)->neighbors, neighbors, __ATOMIC_RELEASE);
	}
	fathom_lock_give(&comms.lock);
}

const struct fathom_waits_neighbors *fathom_waits_comm_neighbors(uint32_t number)
{
	const struct fathom_waits_recorded_comm *comm = fathom_waits_comm_find(number);

	return comm ? __atomic_load_n(&comm->neighbors, __ATOMIC_ACQUIRE) : NULL;
}

uint32_t fathom_waits_window_note(uint32_t comm_number, uint32_t order)
{
	const struct fathom_waits_recorded_comm *comm = fathom_waits_comm_find(comm_number);
	struct fathom_waits_recorded_comm *place, window;
	uint32_t number;

	if (!comm)
		return UINT32_MAX;
	window = *comm;
	window.identity = 0;
	fathom_lock_take(&comms.lock);
	number = comms.window_count;
	place = place_in(fathom_waits_window_pages, number);
	if (place)
		put_comm(place, &window, mix(mix(comm->identity, order), 1), number, &comms.window_count);
	fathom_lock_give(&comms.lock);
	return place ? number : UINT32_MAX;
}

uint32_t fathom_waits_comm_count(void)
{
	return comms.count;
}

uint32_t fathom_waits_window_count(void)
{
	return comms.window_count;
}

/* --- reading --------------------------------------------------------------------------------------- */

/* Moves the content of a chunk to place. The chunk itself stays mapped, because another thread may still be about to
 * store something there. MAP_FAILED: no memory. */
static void *move_chunk(void *chunk, void *place)
{
	/* Not by mremap(): the one of UCX, which MPI libraries use, loses the last argument. */
	long moved_to = syscall(SYS_mremap, chunk, CHUNK_BYTES, CHUNK_BYTES,
				MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, place);
	void *moved;

	if (moved_to != -1)
		return place;
	moved = mmap(place, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return moved == MAP_FAILED ? moved : memcpy(moved, chunk, CHUNK_BYTES);
}

int fathom_waits_log_open(struct fathom_waits_log *log, uint64_t end, struct fathom_waits_whole_log *whole)
{
	const struct fathom_waits_chunks *chunks = log->chunks;
	int file = chunks->in_file ? fathom_nameless_file_descriptor(&recording.file) : -1;
	char *start;

	memset(whole, 0, sizeof(*whole));
	whole->lost = log->lost;
	whole->count = fathom_waits_log_next(log);
	if (!chunks->count)
		return 0;
	if (!log->operation->end_and_kind) {
		uint64_t begin = log->operation->operation.begin;

		log->operation->end_and_kind = fathom_waits_end_of(end > begin ? end : begin);
	}
	whole->mapped_bytes = (size_t)chunks->count * CHUNK_BYTES;
	start = mmap(NULL, whole->mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (start == MAP_FAILED)
		return -ENOMEM;
	for (uint32_t i = 0; i < chunks->count; i++) {
		const struct chunk *chunk = &chunks->list[i];
		char *place = start + (size_t)i * CHUNK_BYTES;
		void *moved = MAP_FAILED;

		if (chunk->memory)
			moved = move_chunk(chunk->memory, place);
		else if (file >= 0)
			moved = mmap(place, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file,
				     (off_t)chunk->place);
		if (moved == MAP_FAILED) {
			munmap(start, whole->mapped_bytes);
			memset(whole, 0, sizeof(*whole));
			return -EIO;
		}
	}
	whole->records = (const struct fathom_waits_record *)start;
	whole->file_records = chunks->in_file * FATHOM_WAITS_CHUNK_RECORDS;
	return 0;
}

void fathom_waits_log_close(struct fathom_waits_whole_log *whole)
{
	if (whole->records)
		munmap((void *)whole->records, whole->mapped_bytes);
	memset(whole, 0, sizeof(*whole));
}
