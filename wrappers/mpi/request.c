/*
 * request: memory for the records of the table, and rare operations on the table.
 *
 * Records are in blocks that are never freed; each shard has a list of its unused records. So the memory is bounded by
 * the largest number of requests that were open at the same time.
 */
#include "mpi/request.h"

#define BLOCK_RECORDS 32

struct fathom_mpi_request *fathom_mpi_buckets[1 << FATHOM_MPI_BUCKET_BITS];
struct fathom_mpi_shard fathom_mpi_shards[FATHOM_MPI_SHARDS];
uint64_t fathom_mpi_requests_posted;
static uint64_t records_made;	/* by all shards: the numbers of the next block begin here; atomic */

FATHOM_COLD bool fathom_mpi_shard_grow(struct fathom_mpi_shard *shard)
{
	struct fathom_mpi_request *block = fathom_mpi_pages(BLOCK_RECORDS * sizeof(*block));
	uint64_t first;

	if (!block)
		return false;
	first = __atomic_fetch_add(&records_made, BLOCK_RECORDS, __ATOMIC_RELAXED);
	for (int i = BLOCK_RECORDS - 1; i >= 0; i--) {
		block[i].number = 2 * (first + i + 1);	/* even; a sendrecv's receive has the odd number above */
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
