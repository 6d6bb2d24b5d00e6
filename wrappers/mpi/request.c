/*
 * request: memory of the table, and what is rarely asked of it.
 *
 * Records come from blocks that are never given back, by way of a list of unused ones in
 * each shard: memory is bounded by the largest number of requests that were open at once.
 */
#include "mpi/request.h"

#include <sys/mman.h>

#define FIRST_BITS 4		/* 16 buckets in each shard */
#define BLOCK_RECORDS 32

struct fathom_mpi_shard fathom_mpi_shards[1 << FATHOM_MPI_SHARD_BITS];
static uint64_t records_made;	/* by all shards: where the next block's numbers begin; atomic */

/* First buckets, or twice as many. */
static bool more_buckets(struct fathom_mpi_shard *shard)
{
	size_t count = shard->buckets ? (size_t)1 << shard->bits : 0;
	unsigned int bits = shard->buckets ? shard->bits + 1 : FIRST_BITS;
	struct fathom_mpi_request **old = shard->buckets;
	struct fathom_mpi_request **more = fathom_mpi_pages(sizeof(*more) << bits);

	if (!more)
		return old;	/* longer chains will do */
	shard->buckets = more;
	shard->bits = bits;
	for (size_t i = 0; i < count; i++) {
		for (struct fathom_mpi_request *request = old[i], *next; request; request = next) {
			struct fathom_mpi_request **bucket =
				fathom_mpi_bucket_of(shard, fathom_mpi_hash(request->key));

			next = request->next;
			request->next = *bucket;
			*bucket = request;
		}
	}
	if (old)
		munmap(old, count * sizeof(*old));
	return true;
}

static bool more_records(struct fathom_mpi_shard *shard)
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

FATHOM_COLD bool fathom_mpi_shard_grow(struct fathom_mpi_shard *shard)
{
	if ((!shard->buckets || shard->handles >> shard->bits) && !more_buckets(shard))
		return false;
	return shard->unused || more_records(shard);
}

struct fathom_mpi_request *fathom_mpi_request_find(uint64_t key)
{
	uint64_t hash = fathom_mpi_hash(key);
	struct fathom_mpi_shard *shard = fathom_mpi_shard_of(hash);
	struct fathom_mpi_request *request = NULL;

	fathom_mpi_lock(&shard->lock);
	if (shard->buckets)
		request = *fathom_mpi_link_of(shard, hash, key);
	fathom_mpi_unlock(&shard->lock);
	return request;
}

void fathom_mpi_request_put_back(struct fathom_mpi_request *request)
{
	uint64_t hash;
	struct fathom_mpi_shard *shard;
	struct fathom_mpi_request **link;
	struct fathom_mpi_request *oldest;

	if (!request)
		return;
	hash = fathom_mpi_hash(request->key);
	shard = fathom_mpi_shard_of(hash);
	fathom_mpi_lock(&shard->lock);
	link = fathom_mpi_link_of(shard, hash, request->key);
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
