/*
 * recording: the operation logs (operation.h) of a process, written while the program runs.
 *
 * Each location has a log, which only its own thread writes. The records are in chunks of equal size. When the logs of
 * the process take as much memory as the setting FATHOM_WAITS allows, the oldest chunks of a log go to a file, which
 * has no name, so that it vanishes with the process. Beyond a multiple of the memory nothing more is recorded.
 *
 * A record belongs to the log as soon as the member next is behind it; this store is the last one. So a signal handler
 * that interrupts the recording and leaves by a jump leaves a consistent log. The end of an operation is not known when
 * its record is made: the exit of its region stores it, see fathom_event_exit_operation.
 */
#ifndef FATHOM_WAITS_RECORDING_H
#define FATHOM_WAITS_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"
#include "waits/operation.h"

/* Records in a chunk: a chunk is a whole number of pages. */
enum { FATHOM_WAITS_CHUNK_RECORDS = 4096 };

struct fathom_waits_log {
	struct fathom_waits_record *next;	/* place of the next record */
	struct fathom_waits_record *end;	/* one behind the last record of the chunk */
	struct fathom_waits_record *chunk;	/* first record of the chunk; NULL: the log has none yet */
	struct fathom_waits_record *operation;	/* record of the newest operation; never NULL */
	uint32_t first;				/* number of the first record in the chunk */
	uint32_t older_operation;		/* number of the newest operation, if it is not in the chunk */
	uint32_t id;				/* of the location in its process */
	uint64_t map_due_ticks;			/* for the caller: from this time on a time map is worth its cost */
	uint64_t lost;				/* number of parts that were not recorded for want of room */
	struct fathom_waits_chunks *chunks;	/* all chunks of the log */
	struct fathom_waits_log *older;		/* the log that was created before this one */
};

/* A communicator, as the logs name it by its number. */
struct fathom_waits_group {
	uint32_t first;			/* members: world rank of member i is first + i * stride, if ranks is NULL */
	uint32_t stride;
	uint32_t count;
	const uint32_t *ranks;		/* world ranks by member */
};

/* The neighbours of the process in a communicator, by their world ranks: sources first. */
struct fathom_waits_neighbors {
	uint32_t source_count, destination_count;
	uint32_t ranks[];
};

struct fathom_waits_recorded_comm {
	uint64_t identity;		/* equal at all members; 0: the communicator is not known */
	uint32_t rank;			/* of this process in it */
	struct fathom_waits_group group;	/* of the calling process */
	struct fathom_waits_group remote;	/* of an inter-communicator: the other group; else without members */
	const struct fathom_waits_neighbors *neighbors;	/* NULL: not known; atomic */
};

/* What a new communicator consists of. */
struct fathom_waits_comm_spec {
	const uint32_t *ranks;		/* world ranks by member; NULL: rank i is member i */
	uint32_t count;
	const uint32_t *remote;		/* of an inter-communicator */
	uint32_t remote_count;
	uint32_t rank;
	uint64_t key;			/* see struct fathom_comm_members */
};

/* Starts the recording: logs may take that many bytes of memory. directory: where the file of further chunks is. Called
 * before the first event. Context: start. */
void fathom_waits_recording_init(uint64_t memory_bytes, const char *directory);

/* Return the directory and the number of bytes of fathom_waits_recording_init. Context: finish. */
const char *fathom_waits_recording_directory(void);
uint64_t fathom_waits_recording_bytes(void);

/* Begins to record: there is more than one process. Before this call, and without it, nothing is recorded. Context:
 * finish. */
void fathom_waits_recording_begin(void);

/* Ends the recording for good, for instance in a child of fork. Context: birth. */
void fathom_waits_recording_end(void);

/* True while operations are recorded. Read by fathom_peek. */
extern FATHOM_HIDDEN bool fathom_waits_recording;

/* Returns a new log for the location with that id. NULL: no memory. Context: birth. */
struct fathom_waits_log *fathom_waits_log_create(uint32_t id);

/* Returns the newest log; older ones follow by the member older. Context: finish. */
struct fathom_waits_log *fathom_waits_log_newest(void);

/* Does the work of fathom_waits_log_add where a new chunk is necessary, or where the operation in progress has a
 * record already (is_new is false). Context: hook; birth for a new chunk. */
void fathom_waits_log_add_rarely(struct fathom_waits_log *log, uint64_t **end, uint64_t call_path, uint64_t begin,
				 struct fathom_waits_part part, bool is_new);

/* Adds the record of a new operation to the chunk, which has room for it. Context: hook. */
static inline void fathom_waits_log_put(struct fathom_waits_log *log, uint64_t **end, uint64_t call_path,
					uint64_t begin, struct fathom_waits_part part)
{
	struct fathom_waits_record *operation = log->operation, *record = log->next;

	/* No exit has stored an end: a jump has left the operation before. */
	if (unlikely(!operation->end_and_kind))
		operation->end_and_kind = fathom_waits_end_of(operation->operation.begin);
	record->operation.call_path = call_path;
	record->operation.begin = begin;
	record->operation.part = part;
	record->end_and_kind = 0;
	log->operation = record;
	/* A jump that leaves here finds the record outside of the log. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fathom_poke(&log->next, record + 1);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*end = &record->end_and_kind;
}

/* Returns whether the operation that began at begin has no record yet. end: as for fathom_waits_log_add. Context:
 * hook. */
static inline bool fathom_waits_log_is_new(const struct fathom_waits_log *log, const uint64_t *end, uint64_t begin)
{
	return end != &log->operation->end_and_kind || log->operation->operation.begin != begin;
}

/*
 * Adds a further part to the operation that began at begin, if it is the newest one and its last record is in the
 * chunk, which has room; else returns false, and nothing has changed. end: as for fathom_waits_log_add. Context: hook.
 */
static inline bool fathom_waits_log_append(struct fathom_waits_log *log, const uint64_t *end, uint64_t begin,
					   struct fathom_waits_part part)
{
	const uint64_t one_part = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 1, 0);
	const uint64_t two_parts = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 2, 0);
	struct fathom_waits_record *record = log->next, *last;

	if (unlikely(fathom_waits_log_is_new(log, end, begin) || record <= log->chunk || record >= log->end))
		return false;
	last = record - 1;
	if (likely(last == log->operation)) {
		record->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 1, 1);
	} else if (likely(fathom_waits_kind_and_fill(last) == one_part)) {
		last->more[1] = part;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		fathom_poke(&last->end_and_kind, last->end_and_kind + two_parts - one_part);
		return true;
	} else if (fathom_waits_kind_and_fill(last) == two_parts) {
		record->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_OPERATION_MORE, 1,
							    fathom_waits_record_back(last) + 1);
	} else {
		return false;
	}
	record->more[0] = part;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fathom_poke(&log->next, record + 1);
	return true;
}

/*
 * Records a part of the operation that began at begin (ticks) at this call path. *end points to the place for the end
 * of the operation in progress; NULL: none is in progress. The function sets *end if it makes a new record.
 * Context: hook; birth for a new chunk.
 */
static inline void fathom_waits_log_add(struct fathom_waits_log *log, uint64_t **end, uint64_t call_path,
					uint64_t begin, struct fathom_waits_part part)
{
	bool is_new = fathom_waits_log_is_new(log, *end, begin);

	if (likely(is_new && log->next < log->end))
		fathom_waits_log_put(log, end, call_path, begin, part);
	else
		fathom_waits_log_add_rarely(log, end, call_path, begin, part, is_new);
}

/* Returns the number of the record of the newest operation, which may be in an older chunk. Context: hook. */
static inline uint32_t fathom_waits_log_operation(const struct fathom_waits_log *log)
{
	if (unlikely(log->operation < log->chunk || log->operation >= log->end))
		return log->older_operation;
	return log->first + (uint32_t)(log->operation - log->chunk);
}

/* Returns the number of the next record. Context: hook. */
static inline uint32_t fathom_waits_log_next(const struct fathom_waits_log *log)
{
	return log->first + (uint32_t)(log->next - log->chunk);
}

/* Records a time map with that many entries, before the next operation. Context: hook; birth for a new chunk. */
void fathom_waits_log_map(struct fathom_waits_log *log, const struct fathom_waits_map_entry *entries, uint32_t count);

/* --- requests ------------------------------------------------------------------------------------- */

/* The operation that began a request. */
struct fathom_waits_posted {
	uint32_t log;			/* id of its location */
	uint32_t record;		/* number of its record; FATHOM_WAITS_NO_RECORD: the request is not followed */
	uint64_t begin;			/* of the operation, in ticks */
};

/* Returns the entry of a request, whose numbers are dense. NULL: the request has none, for want of memory or because
 * its number is too large. Context: hook; birth for a new number. */
struct fathom_waits_posted *fathom_waits_posted_make(uint64_t request);

enum { FATHOM_WAITS_POSTED_PAGE = 4096, FATHOM_WAITS_POSTED_PAGES = 4096 };
extern FATHOM_HIDDEN struct fathom_waits_posted *fathom_waits_posted_pages[FATHOM_WAITS_POSTED_PAGES];

/* Returns the entry of a request; NULL: there is none. Context: hook. */
static inline struct fathom_waits_posted *fathom_waits_posted_find(uint64_t request)
{
	struct fathom_waits_posted *page;

	if (unlikely(request >= (uint64_t)FATHOM_WAITS_POSTED_PAGE * FATHOM_WAITS_POSTED_PAGES))
		return NULL;
	page = __atomic_load_n(&fathom_waits_posted_pages[request / FATHOM_WAITS_POSTED_PAGE], __ATOMIC_ACQUIRE);
	return likely(page) ? &page[request % FATHOM_WAITS_POSTED_PAGE] : NULL;
}

/* --- communicators ---------------------------------------------------------------------------------- */

/* Notes the members of the communicator with this number; numbers are dense and never used again. All members of a
 * communicator do this; for communicators with equal members and key in the same order. Without memory the
 * communicator is not known. Context: birth. Takes the lock of recorded communicators. */
void fathom_waits_comm_note(uint32_t number, const struct fathom_waits_comm_spec *spec);

/* Notes that the communicator with this number is for one persistent collective operation on the communicator parent.
 * Context: birth. Takes the lock of recorded communicators. */
void fathom_waits_comm_note_operation(uint32_t number, uint32_t parent, uint32_t operation);

/* Notes the neighbours of the process in the communicator, by their ranks there. Context: birth. Takes the lock of
 * recorded communicators. */
void fathom_waits_comm_note_neighbors(uint32_t number, const uint32_t *sources, uint32_t source_count,
				      const uint32_t *destinations, uint32_t destination_count);

/* Returns the neighbours; NULL: they are not known. Context: hook. */
const struct fathom_waits_neighbors *fathom_waits_comm_neighbors(uint32_t number);

/* Returns the number of a new window, whose members are those of the communicator comm; windows have numbers of their
 * own. order: the number of windows that were made on comm so far, including this one; the same at all members.
 * UINT32_MAX: comm is not known, or there is no memory. Context: birth. Takes the lock of recorded communicators. */
uint32_t fathom_waits_window_note(uint32_t comm, uint32_t order);

enum { FATHOM_WAITS_COMM_PAGE = 256, FATHOM_WAITS_COMM_PAGES = 4096 };
extern FATHOM_HIDDEN struct fathom_waits_recorded_comm *fathom_waits_comm_pages[FATHOM_WAITS_COMM_PAGES];
extern FATHOM_HIDDEN struct fathom_waits_recorded_comm *fathom_waits_window_pages[FATHOM_WAITS_COMM_PAGES];

/* Returns the entry of a number in a table; NULL: it has none. Context: hook. */
static inline const struct fathom_waits_recorded_comm *
fathom_waits_comm_in(struct fathom_waits_recorded_comm **pages, uint32_t number)
{
	const struct fathom_waits_recorded_comm *page, *comm;

	if (unlikely(number >= FATHOM_WAITS_COMM_PAGE * FATHOM_WAITS_COMM_PAGES))
		return NULL;
	page = __atomic_load_n(&pages[number / FATHOM_WAITS_COMM_PAGE], __ATOMIC_ACQUIRE);
	comm = likely(page) ? &page[number % FATHOM_WAITS_COMM_PAGE] : NULL;
	return comm && likely(__atomic_load_n(&comm->identity, __ATOMIC_ACQUIRE)) ? comm : NULL;
}

/* Returns the communicator with this number; NULL: it is not known. Context: hook. */
static inline const struct fathom_waits_recorded_comm *fathom_waits_comm_find(uint32_t number)
{
	return fathom_waits_comm_in(fathom_waits_comm_pages, number);
}

/* Returns the window with this number; NULL: it is not known. Context: hook. */
static inline const struct fathom_waits_recorded_comm *fathom_waits_window_find(uint32_t number)
{
	return fathom_waits_comm_in(fathom_waits_window_pages, number);
}

/* Return one more than the largest number of a communicator, or of a window, that was noted. Context: finish. */
uint32_t fathom_waits_comm_count(void);
uint32_t fathom_waits_window_count(void);

/* Returns the world rank of a member of the group; UINT32_MAX: there is no such member. Context: hook. */
static inline uint32_t fathom_waits_member(const struct fathom_waits_group *group, uint32_t member)
{
	if (unlikely(member >= group->count))
		return UINT32_MAX;
	return likely(!group->ranks) ? group->first + member * group->stride : group->ranks[member];
}

/* --- reading --------------------------------------------------------------------------------------- */

/* A complete log, in one piece of address space. */
struct fathom_waits_whole_log {
	const struct fathom_waits_record *records;
	uint32_t count;
	uint32_t file_records;		/* so many records at the begin are pages of the file */
	uint64_t lost;
	size_t mapped_bytes;
};

/* Puts the chunks of a log one behind the other. An operation in progress ends at end (ticks). Nothing may be recorded
 * in the log afterwards. 0 or -errno; after an error the log cannot be read. Context: finish. */
int fathom_waits_log_open(struct fathom_waits_log *log, uint64_t end, struct fathom_waits_whole_log *whole);

/* Frees the memory of the log. Context: finish. */
void fathom_waits_log_close(struct fathom_waits_whole_log *whole);

#endif
