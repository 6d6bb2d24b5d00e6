/*
 * call_path_digest: digests of call paths and call trees, 16 bytes each. Ranks compare them to find out whether their
 * trees are equal.
 *
 * The digest of a call path is made from the regions on it, without the root, by all properties that distinguish
 * regions (FATHOM_REGION_ALL). The digest of a sub-tree is made from all call paths in it and from their presence
 * (which values they have), independent of their order, because each rank has its own order. Two different trees have
 * the same digest with a probability of 2^-128; no protection against a deliberate collision is needed.
 */
#ifndef FATHOM_PROFILE_CALL_PATH_DIGEST_H
#define FATHOM_PROFILE_CALL_PATH_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/arena.h"

struct fathom_union;

struct fathom_digest {
	uint64_t a, b;
};

/* Returns true if two digests are equal. Any context. */
static inline bool fathom_digest_same(struct fathom_digest x, struct fathom_digest y)
{
	return x.a == y.a && x.b == y.b;
}

/* Compares two digests in an arbitrary but fixed order: returns < 0, 0 or > 0. Any context. */
int fathom_digest_compare(struct fathom_digest x, struct fathom_digest y);

struct fathom_digests {		/* digests of a union, by node */
	struct fathom_digest *paths;
	struct fathom_digest *trees;	/* of the sub-trees; NULL if only the digests of paths were made */
};

/* Returns the digest of 64 bits of a call path, made from that of its caller and from its region. Context: finish. */
struct fathom_region;
uint64_t fathom_digest_step(uint64_t caller, const struct fathom_region *region);

/* Makes the digests of the first count nodes of u's tree, in memory from arena. 0 or -ENOMEM. Context: finish. */
int fathom_digests_make(struct fathom_digests *digests, struct fathom_arena *arena, const struct fathom_union *u,
			uint32_t count, bool with_trees);

#endif
