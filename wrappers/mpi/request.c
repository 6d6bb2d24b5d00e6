/*
 * request: a hash table of queues, in 64 shards with a lock each.
 *
 * A bucket lists the oldest record of each handle; records of the same handle hang below it.
 * Records come from blocks that are never given back, by way of a list of unused ones in
 * each shard: memory is bounded by the largest number of requests that were open at once.
 */
#include "mpi/request.h"

#include <sys/mman.h>

#define SHARD_BITS 6
#define FIRST_BITS 4		/* 16 buckets in each shard */
#define BLOCK_RECORDS 32

struct shard {
	int lock;	/* all of the shard; held for a walk of one bucket or a rehash; nests in nothing */
	unsigned int bits;	/* 2^bits buckets; 0 before the first */
	uint32_t handles;	/* with at least one record */
	struct fathom_mpi_request **buckets;
	struct fathom_mpi_request *unused;
} __attribute__((aligned(FATHOM_CACHE_LINE)));

static struct shard shards[1 << SHARD_BITS];
static uint64_t records_made;	/* by all shards: where the next block's numbers begin; atomic */

static struct shard *shard_of(uint64_t hash)
{
	return &shards[hash >> (64 - SHARD_BITS)];
}

static struct fathom_mpi_request **bucket_of(struct shard *shard, uint64_t hash)
{
	return &shard->buckets[(hash << SHARD_BITS) >> (64 - shard->bits)];
}

/* Where the pointer to the oldest of key stands, or would stand. */
static struct fathom_mpi_request **link_of(struct shard *shard, uint64_t hash, uint64_t key)
{
	struct fathom_mpi_request **link = bucket_of(shard, hash);

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	return link;
}

/* First buckets, or twice as many. False: no memory; chains get longer, if there are any. */
FATHOM_COLD static bool grow(struct shard *shard)
{
	size_t count = shard->buckets ? (size_t)1 << shard->bits : 0;
	unsigned int bits = shard->buckets ? shard->bits + 1 : FIRST_BITS;
	struct fathom_mpi_request **old = shard->buckets;
	struct fathom_mpi_request **more = fathom_mpi_pages(sizeof(*more) << bits);

	if (!more)
		return old;
	shard->buckets = more;
	shard->bits = bits;
	for (size_t i = 0; i < count; i++) {
		for (struct fathom_mpi_request *request = old[i], *next; request; request = next) {
			struct fathom_mpi_request **bucket = bucket_of(shard, fathom_mpi_hash(request->key));

			next = request->next;
			request->next = *bucket;
			*bucket = request;
		}
	}
	if (old)
		munmap(old, count * sizeof(*old));
	return true;
}

FATHOM_COLD static bool make_block(struct shard *shard)
{
	struct fathom_mpi_request *block = fathom_mpi_pages(BLOCK_RECORDS * sizeof(*block));
	uint64_t first;

	if (!block)
		return false;
	first = __atomic_fetch_add(&records_made, BLOCK_RECORDS, __ATOMIC_RELAXED);
	for (int i = BLOCK_RECORDS - 1; i >= 0; i--) {
		block[i].number = 2 * (first + i);	/* even: odd ones are for receives of both */
		block[i].next = shard->unused;
		shard->unused = &block[i];
	}
	return true;
}

static bool prepare(struct shard *shard)
{
	if (unlikely(!shard->buckets || shard->handles >> shard->bits) && !grow(shard))
		return false;
	return likely(shard->unused) || make_block(shard);
}

/* As the youngest of its handle. */
static void append(struct shard *shard, uint64_t hash, struct fathom_mpi_request *request)
{
	struct fathom_mpi_request **link = link_of(shard, hash, request->key);
	struct fathom_mpi_request *oldest = *link;

	request->younger = NULL;
	if (oldest) {
		oldest->youngest->younger = request;
		oldest->youngest = request;
		return;
	}
	request->next = NULL;
	request->youngest = request;
	*link = request;
	shard->handles++;
}

static void unlink_oldest(struct shard *shard, struct fathom_mpi_request **link)
{
	struct fathom_mpi_request *oldest = *link;
	struct fathom_mpi_request *heir = oldest->younger;

	if (!heir) {
		*link = oldest->next;
		shard->handles--;
		return;
	}
	heir->next = oldest->next;
	heir->youngest = oldest->youngest;
	*link = heir;
}

struct fathom_mpi_request *fathom_mpi_request_add(uint64_t key, const struct fathom_mpi_request *what)
{
	uint64_t hash = fathom_mpi_hash(key);
	struct shard *shard = shard_of(hash);
	struct fathom_mpi_request *request = NULL;

	fathom_mpi_lock(&shard->lock);
	if (likely(prepare(shard))) {
		uint64_t number;

		request = shard->unused;
		shard->unused = request->next;
		number = request->number;
		*request = *what;
		request->number = number;
		request->key = key;
		append(shard, hash, request);
	}
	fathom_mpi_unlock(&shard->lock);
	if (unlikely(!request))
		fathom_mpi_communicator_release(what->comm);
	return request;
}

struct fathom_mpi_request *fathom_mpi_request_find(uint64_t key)
{
	uint64_t hash = fathom_mpi_hash(key);
	struct shard *shard = shard_of(hash);
	struct fathom_mpi_request *request = NULL;

	fathom_mpi_lock(&shard->lock);
	if (shard->buckets)
		request = *link_of(shard, hash, key);
	fathom_mpi_unlock(&shard->lock);
	return request;
}

static struct fathom_mpi_request *take(uint64_t key, bool persistent_too)
{
	uint64_t hash = fathom_mpi_hash(key);
	struct shard *shard = shard_of(hash);
	struct fathom_mpi_request *request = NULL;

	fathom_mpi_lock(&shard->lock);
	if (likely(shard->buckets)) {
		struct fathom_mpi_request **link = link_of(shard, hash, key);

		request = *link;
		if (request && (persistent_too || !request->persistent))
			unlink_oldest(shard, link);
	}
	fathom_mpi_unlock(&shard->lock);
	return request;
}

struct fathom_mpi_request *fathom_mpi_request_claim(uint64_t key)
{
	return take(key, true);
}

struct fathom_mpi_request *fathom_mpi_request_complete(uint64_t key)
{
	return take(key, false);
}

void fathom_mpi_request_put_back(struct fathom_mpi_request *request)
{
	uint64_t hash;
	struct shard *shard;
	struct fathom_mpi_request **link;
	struct fathom_mpi_request *oldest;

	if (!request)
		return;
	hash = fathom_mpi_hash(request->key);
	shard = shard_of(hash);
	fathom_mpi_lock(&shard->lock);
	link = link_of(shard, hash, request->key);
	oldest = *link;
	request->younger = oldest;
	if (oldest) {
		request->next = oldest->next;
		request->youngest = oldest->youngest;
	} else {
		request->next = NULL;
		request->youngest = request;
		shard->handles++;
	}
	*link = request;
	fathom_mpi_unlock(&shard->lock);
}

void fathom_mpi_request_drop(struct fathom_mpi_request *request)
{
	struct shard *shard;

	if (!request)
		return;
	fathom_mpi_communicator_release(request->comm);
	shard = shard_of(fathom_mpi_hash(request->key));
	fathom_mpi_lock(&shard->lock);
	request->next = shard->unused;
	shard->unused = request;
	fathom_mpi_unlock(&shard->lock);
}
