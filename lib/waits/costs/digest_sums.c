#include "waits/costs/digest_sums.h"

#include <errno.h>
#include <stdlib.h>

int fathom_waits_digest_add(struct fathom_waits_digest_sums *sums, uint64_t digest, double first, double second)
{
	uint64_t *index = fathom_waits_key_add(&sums->table, fathom_waits_key(0, digest), sums->count);

	if (!index)
		return -ENOMEM;
	if (*index == sums->count) {
		if (sums->count == sums->room) {
			uint32_t room = sums->room ? 2 * sums->room : 64;
			struct fathom_waits_digest_sum *larger = realloc(sums->sums, room * sizeof(*larger));

			if (!larger) {
				fathom_waits_key_remove(&sums->table, fathom_waits_key(0, digest));
				return -ENOMEM;
			}
			sums->sums = larger;
			sums->room = room;
		}
		sums->sums[sums->count++] = (struct fathom_waits_digest_sum){ .digest = digest };
	}
	sums->sums[*index].first += first;
	sums->sums[*index].second += second;
	return 0;
}

const struct fathom_waits_digest_sum *fathom_waits_digest_find(const struct fathom_waits_digest_sums *sums,
								uint64_t digest)
{
	const uint64_t *index = fathom_waits_key_find(&sums->table, fathom_waits_key(0, digest));

	return index ? &sums->sums[*index] : NULL;
}

/* Receives the sums of another rank. count: how many there are. */
static int receive(struct fathom_comm *comm, int from, struct fathom_waits_digest_sum **sums, uint32_t *count)
{
	int err = comm->receive(comm, from, count, sizeof(*count));

	*sums = NULL;
	if (err || !*count)
		return err;
	*sums = malloc(*count * sizeof(**sums));
	return *sums ? comm->receive(comm, from, *sums, *count * sizeof(**sums)) : -ENOMEM;
}

int fathom_waits_digest_unite(struct fathom_waits_digest_sums *sums, struct fathom_comm *comm)
{
	int parent, children[32], children_count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	struct fathom_waits_digest_sum *others;
	uint32_t count;
	int err = 0;

	for (int c = 0; c < children_count && !err; c++) {
		err = receive(comm, children[c], &others, &count);
		for (uint32_t i = 0; i < count && !err; i++)
			err = fathom_waits_digest_add(sums, others[i].digest, others[i].first, others[i].second);
		free(others);
	}
	if (!err && parent >= 0) {
		err = comm->send(comm, parent, &sums->count, sizeof(sums->count));
		if (!err && sums->count)
			err = comm->send(comm, parent, sums->sums, sums->count * sizeof(*sums->sums));
	}
	/* Rank 0 has all; the others replace theirs. */
	count = sums->count;
	if (!err)
		err = comm->broadcast(comm, 0, &count, sizeof(count));
	if (err || !count || comm->size == 1)
		return err;
	others = sums->sums;
	if (comm->rank > 0) {
		others = malloc(count * sizeof(*others));
		if (!others)
			return -ENOMEM;
	}
	err = comm->broadcast(comm, 0, others, count * sizeof(*others));
	if (comm->rank > 0) {
		fathom_waits_digest_fini(sums);
		for (uint32_t i = 0; i < count && !err; i++)
			err = fathom_waits_digest_add(sums, others[i].digest, others[i].first, others[i].second);
		free(others);
	}
	return err;
}

void fathom_waits_digest_fini(struct fathom_waits_digest_sums *sums)
{
	free(sums->sums);
	fathom_waits_key_fini(&sums->table);
	*sums = (struct fathom_waits_digest_sums){ 0 };
}
