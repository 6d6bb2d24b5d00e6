/*
 * call_path_digest: call paths and call trees in a few bytes, by which ranks see that they have the same.
 *
 * The digest of a call path is made from the regions on it, the root not counted; that of a sub-tree from all call
 * paths in it and from what is known of them (which values they have), in no order: each rank has its own. Two that
 * differ have the same digest once in 2^128; nobody chooses the names of functions to make it so.
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

static inline bool fathom_digest_same(struct fathom_digest x, struct fathom_digest y)
{
	return x.a == y.a && x.b == y.b;
}

/* < 0, 0, > 0 */
int fathom_digest_compare(struct fathom_digest x, struct fathom_digest y);

struct fathom_digests {		/* of a union, by node */
	struct fathom_digest *paths;
	struct fathom_digest *trees;	/* NULL where only paths were asked for */
};

/* Of the first count nodes of u's tree, in memory from arena. 0 or -ENOMEM. Context: finish. */
int fathom_digests_make(struct fathom_digests *digests, struct fathom_arena *arena, const struct fathom_union *u,
			uint32_t count, bool with_trees);

#endif
