/*
 * request: records of operations that were begun and are not complete, found by their MPI_Request.
 *
 * One handle may stand for several operations: MPI gives sends that are complete at once a common handle. So the table
 * has a queue for each handle, and a search finds its oldest record. All operations that share a handle are complete,
 * so it does not matter which one is found. Messages that MPI_Mprobe has matched are in the table, too, until MPI_Mrecv
 * or MPI_Imrecv receives them.
 *
 * Where several threads call MPI, MPI may give a handle to another request as soon as MPI_Wait has completed this one,
 * inside MPI. There a record is claimed (taken out of the table) before the call, and put back where the request did
 * not complete (completion.h).
 *
 * The table is a hash table of fixed size (programs have thousands of open requests at most); 64 locks guard its
 * buckets. A bucket lists the oldest record of each handle; younger records of the same handle are in a list behind it.
 * A table of lib/platform would not do: records are taken out, by many threads, at the cost of a few instructions.
 */
#ifndef FATHOM_MPI_REQUEST_H
#define FATHOM_MPI_REQUEST_H

#include "mpi/communicator.h"

struct fathom_mpi_window;

enum fathom_mpi_request_kind {
	FATHOM_MPI_REQUEST_NOTHING,	/* nothing to record: MPI_PROC_NULL, Rput, ... */
	FATHOM_MPI_REQUEST_SEND,
	FATHOM_MPI_REQUEST_RECEIVE,	/* peer, tag and bytes come from the status */
	FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE,	/* they are known beforehand */
	FATHOM_MPI_REQUEST_SENDRECV,
	FATHOM_MPI_REQUEST_COLLECTIVE,
	FATHOM_MPI_REQUEST_READ,
	FATHOM_MPI_REQUEST_WRITE,
	FATHOM_MPI_REQUEST_FILE,	/* as the two before, where traces are written */
	FATHOM_MPI_REQUEST_RMA,		/* where traces are written; else there is nothing to record */
	FATHOM_MPI_REQUEST_IDUP,
	FATHOM_MPI_REQUEST_MESSAGE,	/* matched, not yet received */
};

struct fathom_mpi_request {
	struct fathom_mpi_request *next;	/* record of the next handle in the bucket, or next unused record */
	struct fathom_mpi_request *younger;	/* the next record of the same handle */
	struct fathom_mpi_request *youngest;	/* the last record of this handle; valid only in the oldest */
	uint64_t key;
	struct fathom_mpi_shard *shard;	/* the shard that the record belongs to for ever */
	uint64_t bucket;	/* of the key */
	uint64_t number;	/* of the operation in events; a sendrecv's receive has number + 1 */

	struct fathom_mpi_communicator *comm;	/* held; NULL where none is needed */
	enum fathom_mpi_request_kind kind;
	bool persistent;
	bool active;		/* of persistent ones: started, not complete */
	bool cancelled;		/* MPI_Cancel was called; the status tells whether it took effect */
	bool begin_recorded;	/* the begin was recorded, so the completion will be, too */

	/* Which of the members below are used depends on kind. */
	int32_t peer;
	int32_t tag;
	uint64_t bytes;		/* of a send or partitioned receive; of an idup: the origin of the new communicator */
	int32_t source;		/* of a sendrecv */
	int32_t receive_tag;
	bool unrecorded;	/* of persistent ones: made by a call that was not recorded */
	enum fathom_collective operation;
	int32_t root;
	uint64_t bytes_sent;	/* of a collective */
	uint64_t bytes_received;	/* of a collective or a sendrecv */
	MPI_Comm *newcomm;	/* of an idup: where the handle will be */

	/* Where traces are written. */
	uint64_t posted;	/* grows with each request that is begun */
	uint32_t object;	/* of a file operation: the number of the file in the trace */
	enum fathom_io_operation io;
	struct fathom_mpi_window *window;	/* of a one-sided operation; see window.c for the rest */
	struct fathom_mpi_request *chain;	/* the operation on the same target that was begun before */
	bool waits;		/* it has a request, which is not complete */
	bool only_gets;
	bool linked;		/* in its window's list: not complete at the target */
};

/* A part of the table: the lock of each 64th bucket, and unused records for handles of these buckets. */
struct fathom_mpi_shard {
	int lock;	/* held for a walk of one bucket or list; nests in nothing */
	struct fathom_mpi_request *unused;
} __attribute__((aligned(FATHOM_CACHE_LINE)));

#define FATHOM_MPI_BUCKET_BITS 15
#define FATHOM_MPI_SHARDS 64
extern struct fathom_mpi_request *fathom_mpi_buckets[1 << FATHOM_MPI_BUCKET_BITS];
extern struct fathom_mpi_shard fathom_mpi_shards[FATHOM_MPI_SHARDS];

/* How many requests were begun, where a trace is written; atomic. */
extern uint64_t fathom_mpi_requests_posted;

/* Numbers from here on belong to one request each; below, a number is used again. */
#define FATHOM_MPI_FIRST_UNIQUE (UINT64_C(1) << 20)

/* The key of a matched message; differs from the keys of requests. */
#define FATHOM_MPI_MESSAGE_KEY(message) (FATHOM_MPI_KEY(message) ^ UINT64_C(0x5a00000000000000))

/* Gives a shard unused records. False: no memory. The caller holds the lock of the shard. Context: birth. */
bool fathom_mpi_shard_grow(struct fathom_mpi_shard *shard);

/* Returns the bucket of a key. Context: hook. */
static inline uint64_t fathom_mpi_bucket_of(uint64_t key)
{
	return fathom_mpi_hash(key) >> (64 - FATHOM_MPI_BUCKET_BITS);
}

/* Returns the shard of a bucket. Context: hook. */
static inline struct fathom_mpi_shard *fathom_mpi_shard_of(uint64_t bucket)
{
	return &fathom_mpi_shards[bucket % FATHOM_MPI_SHARDS];
}

/* Returns the link to the oldest record of key, or the link at the end of the bucket. The caller holds the lock of the
 * shard. Context: hook. */
static inline struct fathom_mpi_request **fathom_mpi_link_of(uint64_t bucket, uint64_t key)
{
	struct fathom_mpi_request **link = &fathom_mpi_buckets[bucket];

	while (*link && unlikely((*link)->key != key))
		link = &(*link)->next;
	return link;
}

/* Returns a record for a request that was begun. The record is not yet in the table: the caller fills in the members
 * that the kind needs and then adds the record. From then on another thread may complete the request, if it shares the
 * handle. NULL: no memory, the request is not followed. Context: hook. */
static inline struct fathom_mpi_request *fathom_mpi_request_create(uint64_t key, enum fathom_mpi_request_kind kind)
{
	uint64_t bucket = fathom_mpi_bucket_of(key);
	struct fathom_mpi_shard *shard = fathom_mpi_shard_of(bucket);
	struct fathom_mpi_request *request;

	fathom_mpi_lock(&shard->lock);
	if (unlikely(!shard->unused) && !fathom_mpi_shard_grow(shard)) {
		fathom_mpi_unlock(&shard->lock);
		return NULL;
	}
	request = shard->unused;
	shard->unused = request->next;
	fathom_mpi_unlock(&shard->lock);

	request->key = key;
	request->bucket = bucket;
	request->kind = kind;
	request->persistent = false;
	request->active = false;
	request->cancelled = false;
	request->begin_recorded = false;
	request->comm = NULL;
	if (unlikely(fathom_mpi_tracing)) {
		request->posted = __atomic_fetch_add(&fathom_mpi_requests_posted, 1, __ATOMIC_RELAXED);
		/* Readers count a request from the enter of its call; at that time another thread may not have
		 * completed the request that had the number before. */
		if (fathom_mpi_concurrent)
			request->number = FATHOM_MPI_FIRST_UNIQUE + 2 * request->posted;
	}
	return request;
}

/* Adds a record to the table, as the youngest of its handle. Context: hook. */
static inline void fathom_mpi_request_add(struct fathom_mpi_request *request)
{
	struct fathom_mpi_shard *shard = request->shard;
	struct fathom_mpi_request **link;

	request->younger = NULL;
	fathom_mpi_lock(&shard->lock);
	link = fathom_mpi_link_of(request->bucket, request->key);
	if (*link) {
		(*link)->youngest->younger = request;
		(*link)->youngest = request;
	} else {
		request->next = NULL;
		request->youngest = request;
		*link = request;
	}
	fathom_mpi_unlock(&shard->lock);
}

/*
 * Takes the oldest record with this key out of the table and returns it. NULL: there is none. Records of persistent
 * requests stay in the table unless persistent_too. Context: hook.
 */
static inline struct fathom_mpi_request *fathom_mpi_request_take(uint64_t key, bool persistent_too)
{
	uint64_t bucket = fathom_mpi_bucket_of(key);
	struct fathom_mpi_shard *shard = fathom_mpi_shard_of(bucket);
	struct fathom_mpi_request **link;
	struct fathom_mpi_request *request;

	fathom_mpi_lock(&shard->lock);
	link = fathom_mpi_link_of(bucket, key);
	request = *link;
	if (likely(request && (persistent_too || !request->persistent))) {
		struct fathom_mpi_request *next = request->younger;

		if (next) {
			next->next = request->next;
			next->youngest = request->youngest;
		} else {
			next = request->next;
		}
		*link = next;
	}
	fathom_mpi_unlock(&shard->lock);
	return request;
}

/* Frees a record that was taken out. Context: hook. */
static inline void fathom_mpi_request_drop(struct fathom_mpi_request *request)
{
	struct fathom_mpi_shard *shard = request->shard;

	fathom_mpi_communicator_release(request->comm);
	fathom_mpi_lock(&shard->lock);
	request->next = shard->unused;
	shard->unused = request;
	fathom_mpi_unlock(&shard->lock);
}

/* Returns the oldest record with this key, which stays in the table. NULL: there is none. Context: hook. */
struct fathom_mpi_request *fathom_mpi_request_find(uint64_t key);

/* Puts a record that was taken out back, as the oldest of its handle. NULL is allowed. Context: hook. */
void fathom_mpi_request_put_back(struct fathom_mpi_request *request);

#endif
