#include "profile/unification/call_path_digest.h"

#include <errno.h>

#include "profile/unification/union.h"

/* The finalizer of MurmurHash3: every bit of the input changes every bit of the result with a probability of one
 * half. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
	x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
	return x ^ x >> 33;
}

static struct fathom_digest add_number(struct fathom_digest digest, uint64_t number)
{
	return (struct fathom_digest){
		mix(digest.a ^ number) + 0x9e3779b97f4a7c15u,
		mix(digest.b + number * 0xd6e8feb86659fd93u) ^ 0x2545f4914f6cdd1du,
	};
}

static struct fathom_digest add_text(struct fathom_digest digest, const char *text)
{
	uint64_t word = 0, count = 0;

	for (; text && *text; text++) {
		word = word << 8 | (unsigned char)*text;
		if (++count % 8 == 0)
			digest = add_number(digest, word);
	}
	return add_number(add_number(digest, word), text ? count : UINT64_MAX);
}

static struct fathom_digest of_region(const struct fathom_region *region)
{
	struct fathom_digest digest = { 1, 2 };

	digest = add_text(add_text(digest, region->name), region->canonical);
	digest = add_text(digest, region->parameters);
	digest = add_text(add_text(digest, region->file), region->module);
	digest = add_number(add_number(digest, region->offset), (uint64_t)region->paradigm << 32 | region->role);
	return add_number(digest, (uint64_t)region->begin_line << 32 | region->end_line);
}

uint64_t fathom_digest_step(uint64_t caller, const struct fathom_region *region)
{
	struct fathom_digest digest = of_region(region);

	return mix(caller ^ digest.a) + 0x9e3779b97f4a7c15u + mix(digest.b);
}

int fathom_digest_compare(struct fathom_digest x, struct fathom_digest y)
{
	if (x.a != y.a)
		return x.a < y.a ? -1 : 1;
	return x.b < y.b ? -1 : x.b > y.b;
}

static void make_trees(struct fathom_digests *digests, const struct fathom_union *u, uint32_t count)
{
	uint64_t metrics = 0;	/* the metrics that the bits of present stand for */

	for (uint32_t m = 0; m < u->metric_count; m++)
		metrics = mix(metrics ^ fathom_union_metric_hash(&u->metrics[m]));
	for (uint32_t i = 0; i < count; i++) {
		struct fathom_digest digest = add_number(add_number(digests->paths[i], (uint64_t)u->present[i]),
							 (uint64_t)(u->present[i] >> 64));

		digest = add_number(digest, metrics);
		digests->trees[i] = add_number(digest, u->regions[u->tree.nodes[i].key].disabled_ns);
	}
	/* Children have higher numbers than their parents: in reverse order, each node is complete before it is
	 * added to its parent. */
	for (uint32_t i = count; i-- > 1;) {
		struct fathom_digest *parent = &digests->trees[u->tree.nodes[i].parent];

		parent->a += digests->trees[i].a;
		parent->b += digests->trees[i].b;
	}
}

int fathom_digests_make(struct fathom_digests *digests, struct fathom_arena *arena, const struct fathom_union *u,
			uint32_t count, bool with_trees)
{
	struct fathom_arena scratch = { 0 };
	struct fathom_digest *regions = fathom_arena_alloc(&scratch, ((size_t)u->region_count + 1) * sizeof(*regions));

	digests->paths = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*digests->paths));
	digests->trees = with_trees ? fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*digests->trees)) : NULL;
	if (!regions || !digests->paths || (with_trees && !digests->trees)) {
		fathom_arena_fini(&scratch);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < u->region_count; i++)
		regions[i] = of_region(&u->regions[i]);
	digests->paths[0] = (struct fathom_digest){ 3, 4 };
	for (uint32_t i = 1; i < count; i++) {
		const struct fathom_tree_node *node = &u->tree.nodes[i];
		struct fathom_digest digest = add_number(digests->paths[node->parent], regions[node->key].a);

		digests->paths[i] = add_number(digest, regions[node->key].b);
	}
	if (with_trees)
		make_trees(digests, u, count);
	fathom_arena_fini(&scratch);
	return 0;
}
