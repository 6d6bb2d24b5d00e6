/*
 * digest_sums: sums over all locations by call path, which all hosts get. Call paths have the same digest everywhere.
 */
#ifndef FATHOM_WAITS_DIGEST_SUMS_H
#define FATHOM_WAITS_DIGEST_SUMS_H

#include "comm/comm.h"
#include "waits/key_table.h"

struct fathom_waits_digest_sum {
	uint64_t digest;
	double first, second;
};

/* All zero: empty. */
struct fathom_waits_digest_sums {
	struct fathom_waits_digest_sum *sums;
	uint32_t count, room;
	struct fathom_waits_key_table table;	/* index in sums */
};

/* Adds to the sums of a digest. 0 or -ENOMEM. Context: finish. */
int fathom_waits_digest_add(struct fathom_waits_digest_sums *sums, uint64_t digest, double first, double second);

/* Returns the sums of a digest; NULL: it is not there. Context: finish. */
const struct fathom_waits_digest_sum *fathom_waits_digest_find(const struct fathom_waits_digest_sums *sums,
								uint64_t digest);

/* Adds up the sums of all ranks of comm, which all call this. 0 or -errno. Context: finish. */
int fathom_waits_digest_unite(struct fathom_waits_digest_sums *sums, struct fathom_comm *comm);

/* Frees the memory. Context: finish. */
void fathom_waits_digest_fini(struct fathom_waits_digest_sums *sums);

#endif
