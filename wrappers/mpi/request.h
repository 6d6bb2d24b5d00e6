/*
 * request: operations that were begun and are not complete, found by their MPI_Request.
 *
 * One handle may stand for several of them: MPI gives sends that are complete at once a common
 * handle. So a handle leads to a queue, and who asks gets the oldest; those that share a handle
 * are all complete, any of them is as good. Messages matched by MPI_Mprobe are kept here too,
 * until MPI_Mrecv or MPI_Imrecv receives them.
 *
 * Where several threads call MPI, a handle is free for the next request as soon as MPI_Wait
 * completes this one, inside MPI. There a record must be claimed (taken out) before the call and
 * put back when the request did not complete; see completion.h.
 *
 * The table is a hash table of fixed size (open requests are counted in thousands at most), its
 * buckets guarded by 64 locks. A bucket lists the oldest record of each handle; records of the
 * same handle hang below it.
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
	struct fathom_mpi_request *next;	/* the next handle in its bucket, or among the unused */
	struct fathom_mpi_request *younger;	/* same handle */
	struct fathom_mpi_request *youngest;	/* of this handle; right in the oldest only */
	uint64_t key;
	struct fathom_mpi_shard *shard;	/* whose record it is, for ever */
	uint64_t bucket;	/* of the key */
	uint64_t number;	/* what events call it while it is open; number + 1 is its receive where it is both */

	struct fathom_mpi_communicator *comm;	/* held; NULL where none is needed */
	enum fathom_mpi_request_kind kind;
	bool persistent;
	bool active;		/* of persistent ones: started, not complete */
	bool cancelled;		/* MPI_Cancel was called; whether it helped, the status tells */
	bool heard;		/* the begin was recorded, so the completion will be */

	/* What kind needs of the rest. */
	int32_t peer;
	int32_t tag;
	uint64_t bytes;		/* of a send or partitioned receive; of an idup: the origin of what will be there */
	int32_t source;		/* of a sendrecv */
	int32_t receive_tag;
	bool silent;		/* of persistent ones: made by a call that was not recorded */
	enum fathom_collective operation;
	int32_t root;
	uint64_t bytes_sent;	/* of a collective */
	uint64_t bytes_received;	/* of a collective or a sendrecv */
	MPI_Comm *newcomm;	/* of an idup: where the handle will be */

	/* Where traces are written. */
	uint64_t posted;	/* grows with each request that is begun */
	uint32_t object;	/* of a file operation: what the trace calls the file */
	enum fathom_io_operation io;
	struct fathom_mpi_window *window;	/* of a one-sided operation; see window.c for the rest */
	struct fathom_mpi_request *chain;	/* begun before, same target */
	bool waits;		/* it has a request, which is not complete */
	bool only_gets;
	bool linked;		/* its window knows it: not over in the target's memory */
};

/* A part of the table: the lock of each 64th bucket, and records for handles that belong there. */
struct fathom_mpi_shard {
	int lock;	/* held for a walk of one bucket or list; nests in nothing */
	struct fathom_mpi_request *unused;
} __attribute__((aligned(FATHOM_CACHE_LINE)));

#define FATHOM_MPI_BUCKET_BITS 15
#define FATHOM_MPI_SHARDS 64
extern struct fathom_mpi_request *fathom_mpi_buckets[1 << FATHOM_MPI_BUCKET_BITS];
extern struct fathom_mpi_shard fathom_mpi_shards[FATHOM_MPI_SHARDS];

/* How many were begun, where traces are written; atomic. */
extern uint64_t fathom_mpi_requests_posted;

/* Numbers that are not used again begin here. */
#define FATHOM_MPI_FIRST_UNIQUE (UINT64_C(1) << 20)

/* Key of a matched message, apart from those of requests. */
#define FATHOM_MPI_MESSAGE_KEY(message) (FATHOM_MPI_KEY(message) ^ UINT64_C(0x5a00000000000000))

/* A shard without unused records gets some. False: no memory. The lock is held. */
bool fathom_mpi_shard_grow(struct fathom_mpi_shard *shard);

static inline uint64_t fathom_mpi_bucket_of(uint64_t key)
{
	return fathom_mpi_hash(key) >> (64 - FATHOM_MPI_BUCKET_BITS);
}

static inline struct fathom_mpi_shard *fathom_mpi_shard_of(uint64_t bucket)
{
	return &fathom_mpi_shards[bucket % FATHOM_MPI_SHARDS];
}

/* Where the pointer to the oldest of key stands, or would stand. */
static inline struct fathom_mpi_request **fathom_mpi_link_of(uint64_t bucket, uint64_t key)
{
	struct fathom_mpi_request **link = &fathom_mpi_buckets[bucket];

	while (*link && unlikely((*link)->key != key))
		link = &(*link)->next;
	return link;
}

/*
 * A record for a request that was begun, not yet to be found. The caller fills in what its kind needs and then
 * adds it: from there on another thread may complete it, if it shares its handle. NULL: no memory,
 * the request will not be followed. Context: hook.
 */
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
	request->heard = false;
	request->comm = NULL;
	if (unlikely(fathom_mpi_tracing)) {
		request->posted = __atomic_fetch_add(&fathom_mpi_requests_posted, 1, __ATOMIC_RELAXED);
		/* A record's begin counts from the enter of its call, when another thread may not have ended the one
		 * before it. */
		if (fathom_mpi_concurrent)
			request->number = FATHOM_MPI_FIRST_UNIQUE + 2 * request->posted;
	}
	return request;
}

/* As the youngest of its handle. */
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
 * The oldest with this key, taken out of the table; NULL: none. Persistent ones are left in
 * unless they are asked for.
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
		struct fathom_mpi_request *heir = request->younger;

		if (heir) {
			heir->next = request->next;
			heir->youngest = request->youngest;
		} else {
			heir = request->next;
		}
		*link = heir;
	}
	fathom_mpi_unlock(&shard->lock);
	return request;
}

/* What was taken is over. */
static inline void fathom_mpi_request_drop(struct fathom_mpi_request *request)
{
	struct fathom_mpi_shard *shard = request->shard;

	fathom_mpi_communicator_release(request->comm);
	fathom_mpi_lock(&shard->lock);
	request->next = shard->unused;
	shard->unused = request;
	fathom_mpi_unlock(&shard->lock);
}

/* The oldest with this key, left where it is; NULL: none. */
struct fathom_mpi_request *fathom_mpi_request_find(uint64_t key);

/* What was taken goes back as the oldest of its handle. NULL is allowed. */
void fathom_mpi_request_put_back(struct fathom_mpi_request *request);

#endif
