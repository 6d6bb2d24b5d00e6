#include "clusters/hierarchy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "clusters/point_tree.h"

/* The groups that are left: each is known by the number of one of its points. */
struct groups {
	double *distances;		/* [group][group] */
	uint32_t *sizes;		/* 0: the group is part of another one */
	uint32_t *nodes;		/* as in struct fathom_join */
	uint32_t *chain;		/* each group is the nearest one of the group before it */
	uint32_t count;
};

static void fini(struct groups *groups)
{
	free(groups->distances);
	free(groups->sizes);
	free(groups->nodes);
	free(groups->chain);
}

static int init(struct groups *groups, const struct fathom_points *points)
{
	uint32_t count = points->count;

	*groups = (struct groups){ .count = count };
	groups->distances = calloc((size_t)count * count + 1, sizeof(*groups->distances));
	groups->sizes = calloc((size_t)count + 1, sizeof(*groups->sizes));
	groups->nodes = calloc((size_t)count + 1, sizeof(*groups->nodes));
	groups->chain = calloc((size_t)count + 1, sizeof(*groups->chain));
	if (!groups->distances || !groups->sizes || !groups->nodes || !groups->chain)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		groups->sizes[i] = 1;
		groups->nodes[i] = i;
		for (uint32_t j = 0; j < count; j++)
			groups->distances[(size_t)i * count + j] =
				sqrt(fathom_square_of_points(points->values + (size_t)i * points->dimensions,
							     points->values + (size_t)j * points->dimensions,
							     points->dimensions));
	}
	return 0;
}

/* Returns the distance of group c to the union of a and b (the formula of Lance and Williams). */
static double joint_distance(const struct groups *groups, enum fathom_linkage linkage, uint32_t a, uint32_t b,
			     uint32_t c)
{
	double to_a = groups->distances[(size_t)a * groups->count + c];
	double to_b = groups->distances[(size_t)b * groups->count + c];
	double of_both = groups->distances[(size_t)a * groups->count + b];
	double size_a = groups->sizes[a], size_b = groups->sizes[b], size_c = groups->sizes[c];

	switch (linkage) {
	case FATHOM_LINKAGE_AVERAGE:
		return (size_a * to_a + size_b * to_b) / (size_a + size_b);
	case FATHOM_LINKAGE_SINGLE:
		return fmin(to_a, to_b);
	case FATHOM_LINKAGE_COMPLETE:
		return fmax(to_a, to_b);
	case FATHOM_LINKAGE_WARD:
		return sqrt(((size_a + size_c) * to_a * to_a + (size_b + size_c) * to_b * to_b -
			     size_c * of_both * of_both) / (size_a + size_b + size_c));
	}
	return 0;
}

/* Returns the group that is nearest to a; of equals before, if it is one, so that a chain ends, else the first one. */
static uint32_t nearest_of(const struct groups *groups, uint32_t a, uint32_t before)
{
	uint32_t nearest = before;
	double least = before == UINT32_MAX ? HUGE_VAL : groups->distances[(size_t)a * groups->count + before];

	for (uint32_t i = 0; i < groups->count; i++)
		if (i != a && groups->sizes[i] && groups->distances[(size_t)a * groups->count + i] < least) {
			least = groups->distances[(size_t)a * groups->count + i];
			nearest = i;
		}
	return nearest;
}

static void join(struct groups *groups, enum fathom_linkage linkage, uint32_t a, uint32_t b, struct fathom_join *made)
{
	uint32_t count = groups->count;

	*made = (struct fathom_join){ a, b, groups->sizes[a] + groups->sizes[b],
				      groups->distances[(size_t)a * count + b] };
	for (uint32_t c = 0; c < count; c++)
		if (c != a && c != b && groups->sizes[c])
			groups->distances[(size_t)a * count + c] = groups->distances[(size_t)c * count + a] =
				joint_distance(groups, linkage, a, b, c);
	groups->sizes[a] += groups->sizes[b];
	groups->sizes[b] = 0;
}

static int by_height(const void *a, const void *b)
{
	const struct fathom_join *x = a, *y = b;

	if (x->height != y->height)
		return x->height < y->height ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

/* Sorts the joins, whose a and b are points of their groups, and makes nodes of these. */
static void sort_joins(struct groups *groups, struct fathom_join *joins)
{
	uint32_t *home = groups->chain;		/* by point: a point of the same group with a lower number, or itself */

	qsort(joins, groups->count - 1, sizeof(*joins), by_height);
	for (uint32_t i = 0; i < groups->count; i++) {
		home[i] = i;
		groups->nodes[i] = i;
		groups->sizes[i] = 1;
	}
	for (uint32_t j = 0; j + 1 < groups->count; j++) {
		uint32_t a = joins[j].a, b = joins[j].b, node_a, node_b;

		while (home[a] != a)
			a = home[a];
		while (home[b] != b)
			b = home[b];
		node_a = groups->nodes[a];
		node_b = groups->nodes[b];
		joins[j].a = node_a < node_b ? node_a : node_b;
		joins[j].b = node_a < node_b ? node_b : node_a;
		home[a > b ? a : b] = a > b ? b : a;
		a = a > b ? b : a;
		groups->nodes[a] = groups->count + j;
	}
}

int fathom_hierarchy_make(const struct fathom_points *points, enum fathom_linkage linkage, struct fathom_join *joins)
{
	struct groups groups;
	uint32_t length = 0, made = 0;
	int err;

	if (points->count < 2)
		return 0;
	err = init(&groups, points);
	while (!err && made + 1 < points->count) {
		uint32_t last, nearest;

		if (length == 0)
			while (!groups.sizes[groups.chain[0]])
				groups.chain[0]++;
		length += length == 0;
		last = groups.chain[length - 1];
		nearest = nearest_of(&groups, last, length > 1 ? groups.chain[length - 2] : UINT32_MAX);
		if (length > 1 && nearest == groups.chain[length - 2]) {
			length -= 2;
			join(&groups, linkage, last < nearest ? last : nearest, last < nearest ? nearest : last,
			     &joins[made++]);
			groups.chain[0] = length ? groups.chain[0] : 0;
		} else {
			groups.chain[length++] = nearest;
		}
	}
	if (!err)
		sort_joins(&groups, joins);
	fini(&groups);
	return err;
}

uint32_t fathom_hierarchy_groups(const struct fathom_join *joins, uint32_t count, double least)
{
	uint32_t groups = 1;
	double widest = 0;

	for (uint32_t j = 0; j + 1 < count; j++) {
		double gap = joins[j].height - (j ? joins[j - 1].height : 0);

		if (joins[j].height >= least && gap > widest) {
			widest = gap;
			groups = count - j;
		}
	}
	return groups;
}

int fathom_hierarchy_cut(const struct fathom_join *joins, uint32_t count, uint32_t group_count, uint32_t *groups)
{
	uint32_t nodes = count ? 2 * count - 1 : 0, next = 1;
	uint32_t *group_of = calloc((size_t)nodes + 1, sizeof(*group_of));	/* by node: group, 0: none yet */
	uint32_t *parent = calloc((size_t)nodes + 1, sizeof(*parent));

	if (!group_of || !parent) {
		free(group_of);
		free(parent);
		return -ENOMEM;
	}
	for (uint32_t n = 0; n < nodes; n++)
		parent[n] = n;
	for (uint32_t j = 0; j + group_count < count; j++)
		parent[joins[j].a] = parent[joins[j].b] = count + j;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = i;

		while (parent[node] != node)
			node = parent[node];
		if (!group_of[node])
			group_of[node] = next++;
		groups[i] = group_of[node];
	}
	free(group_of);
	free(parent);
	return 0;
}
