/*
 * request: memory of the table, and what is rarely asked of it.
 *
 * Records come from blocks that are never given back, by way of a list of unused ones in
 * each shard: memory is bounded by the largest number of requests that were open at once.
 */
#include "mpi/request.h"

#define BLOCK_RECORDS 32

struct fathom_mpi_request *fathom_mpi_buckets[1 << FATHOM_MPI_BUCKET_BITS];
struct fathom_mpi_shard fathom_mpi_shards[FATHOM_MPI_SHARDS];
uint64_t fathom_mpi_requests_posted;
static uint64_t records_made;	/* by all shards: where the next block's numbers begin; atomic */

FATHOM_COLD bool fathom_mpi_shard_grow(struct fathom_mpi_shard *shard)
{
	struct fathom_mpi_request *block = fathom_mpi_pages(BLOCK_RECORDS * sizeof(*block));
	uint64_t first;

	if (!block)
		return false;
	first = __atomic_fetch_add(&records_made, BLOCK_RECORDS, __ATOMIC_RELAXED);
	for (int i = BLOCK_RECORDS - 1; i >= 0; i--) {
		block[i].number = 2 * (first + i + 1);	/* even: odd ones are for receives of both */
		block[i].shard = shard;
		block[i].next = shard->unused;
		shard->unused = &block[i];
	}
	return true;
}

struct fathom_mpi_request *fathom_mpi_request_find(uint64_t key)
{
	uint64_t bucket = fathom_mpi_bucket_of(key);
	struct fathom_mpi_shard *shard = fathom_mpi_shard_of(bucket);
	struct fathom_mpi_request *request;

	fathom_mpi_lock(&shard->lock);
	request = *fathom_mpi_link_of(bucket, key);
	fathom_mpi_unlock(&shard->lock);
	return request;
}

void fathom_mpi_request_put_back(struct fathom_mpi_request *request)
{
	struct fathom_mpi_shard *shard;
	struct fathom_mpi_request **link;
	struct fathom_mpi_request *oldest;

	if (!request)
		return;
	shard = request->shard;
	fathom_mpi_lock(&shard->lock);
	link = fathom_mpi_link_of(request->bucket, request->key);
	oldest = *link;
	request->younger = oldest;
	if (oldest) {
		request->next = oldest->next;
		request->youngest = oldest->youngest;
	} else {
		request->next = NULL;
		request->youngest = request;
	}
	*link = request;
	fathom_mpi_unlock(&shard->lock);
}
