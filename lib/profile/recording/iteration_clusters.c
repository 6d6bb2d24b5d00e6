#include "profile/recording/iteration_clusters.h"

#include <string.h>

#include "define/region.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "profile/recording/given_metrics.h"
#include "profile/recording/metered.h"
#include "profile/recording/sample_store.h"

static uint32_t most_trees;

void fathom_series_limit(uint64_t most)
{
	most_trees = (uint32_t)most;
}

/* --- moving values --------------------------------------------------------------------------------- */

static void empty_tally(struct fathom_tally *tally)
{
	for (int c = 0; c < FATHOM_COUNTER_COUNT; c++)
		fathom_poke(&tally->counters[c], 0);
	for (uint32_t m = 0; m < fathom_metric_strict_count(); m++)
		fathom_poke(&tally->metered[m], 0);
	for (struct fathom_given *given = tally->given; given; given = given->next) {
		fathom_poke(&given->sum, 0);
		fathom_poke(&given->count, 0);
	}
}

static void empty(struct fathom_node *node)
{
	fathom_poke(&node->visits, 0);
	fathom_poke(&node->inclusive_ticks, 0);
	fathom_poke(&node->min_ticks, UINT64_MAX);
	fathom_poke(&node->max_ticks, 0);
	if (node->tally)
		empty_tally(node->tally);
}

/* Adds a tally to that of another node. No visit is active at from. */
static void add_tally(struct fathom_location *self, struct fathom_node *to, const struct fathom_tally *from)
{
	for (int c = 0; c < FATHOM_COUNTER_COUNT; c++)
		if (from->counters[c])
			fathom_callpath_count_at(self, to, (enum fathom_counter)c, from->counters[c]);
	for (uint32_t m = 0; to->tally && m < fathom_metric_strict_count(); m++)
		fathom_poke(&to->tally->metered[m], to->tally->metered[m] + from->metered[m]);
	for (const struct fathom_given *given = from->given; given; given = given->next)
		if (given->count)
			fathom_callpath_give_at(self, to, given->metric, given->sum, given->count);
}

static void add_values(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from)
{
	fathom_poke(&to->visits, to->visits + from->visits);
	fathom_poke(&to->inclusive_ticks, to->inclusive_ticks + from->inclusive_ticks);
	if (from->min_ticks < to->min_ticks)
		fathom_poke(&to->min_ticks, from->min_ticks);
	if (from->max_ticks > to->max_ticks)
		fathom_poke(&to->max_ticks, from->max_ticks);
	if (from->tally)
		add_tally(self, to, from->tally);
	fathom_sample_store_move(self, to, from);
	empty(from);
}

/* Empties all nodes below top, for which there are no nodes elsewhere: their time and their samples become those of
 * the node to, which top's values went to. */
static void drop_below(struct fathom_location *self, struct fathom_node *to, struct fathom_node *top)
{
	for (struct fathom_node *node = fathom_series_walk(top, top); node; node = fathom_series_walk(top, node)) {
		fathom_sample_store_move(self, to, node);
		empty(node);
	}
}

/* Walks both trees together: at is the node that corresponds to node's parent. A node without values has no values
 * below it. */
void fathom_series_move(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from)
{
	struct fathom_node *node = from->first_child, *at = to;

	add_values(self, to, from);
	while (node) {
		if (!fathom_callpath_is_empty(node)) {
			struct fathom_node *twin = fathom_callpath_child(self, at, node->region);

			add_values(self, twin, node);
			if (twin->region != node->region) {
				drop_below(self, twin, node);
			} else if (node->first_child) {
				at = twin;
				node = node->first_child;
				continue;
			}
		}
		for (; !node->sibling; at = at->parent) {
			node = node->parent;
			if (node == from)
				return;
		}
		node = node->sibling;
	}
}

/* --- series and their trees ---------------------------------------------------------------------- */

static struct fathom_series *series_of(struct fathom_location *self, struct fathom_node *node)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_series *series = paths->series;

	while (series && series->node != node)
		series = series->next;
	if (likely(series))
		return series;
	series = fathom_arena_alloc(&self->arena, sizeof(*series));
	if (!series)
		return NULL;
	series->node = node;
	series->next = paths->series;
	/* Pairs with the acquire in series_of() of iteration_maps.c. */
	__atomic_store_n(&paths->series, series, __ATOMIC_RELEASE);
	return series;
}

/* Returns the region of a tree's node, for example "instance=7". */
static const struct fathom_region *numbered_region(const char *what, uint64_t number)
{
	char name[64];
	struct fathom_region spec = {
		.name = name,
		.paradigm = FATHOM_PARADIGM_USER,
		.role = FATHOM_ROLE_UNKNOWN,
		.is_of_profile = true,
	};

	fathom_format(name, sizeof(name), "%s=%llu", what, (unsigned long long)number);
	return fathom_region_define(&spec);
}

/* The regions "cluster=0" and so on, defined when the first clusters are made. Each entry is written once, by any
 * thread. */
static const struct fathom_region *cluster_regions[FATHOM_MOST_CLUSTERS];

static void name_clusters(const struct fathom_series *series)
{
	for (uint32_t i = 0; i < series->tree_count && i < FATHOM_MOST_CLUSTERS; i++)
		if (!fathom_peek(&cluster_regions[i]))
			fathom_poke(&cluster_regions[i], numbered_region("cluster", i));
}

const struct fathom_region *fathom_series_region(const struct fathom_iteration_tree *tree)
{
	const struct fathom_series *series = tree->series;
	uint32_t count = __atomic_load_n(&series->tree_count, __ATOMIC_ACQUIRE), order = 0;

	if (!series->is_clustered)
		return tree->node.region;
	for (uint32_t i = 0; i < count; i++)
		order += fathom_peek(&series->trees[i]->iteration) < fathom_peek(&tree->iteration);
	if (order < FATHOM_MOST_CLUSTERS && cluster_regions[order])
		return cluster_regions[order];
	return tree->node.region;
}

static bool make_tree_room(struct fathom_location *self, struct fathom_series *series)
{
	uint32_t room = series->tree_room ? series->tree_room * 2 : 16;
	struct fathom_iteration_tree **trees;

	if (series->tree_count < series->tree_room)
		return true;
	trees = fathom_arena_alloc(&self->arena, room * sizeof(*trees));
	if (!trees)
		return false;
	if (series->tree_count)
		memcpy(trees, series->trees, series->tree_count * sizeof(*trees));
	/* The old array is not freed, because another thread may be reading it. */
	__atomic_store_n(&series->trees, trees, __ATOMIC_RELEASE);
	series->tree_room = room;
	return true;
}

static struct fathom_iteration_tree *make_tree(struct fathom_location *self, struct fathom_series *series,
					       uint64_t number)
{
	const struct fathom_region *region = numbered_region("instance", number);
	struct fathom_iteration_tree *tree = fathom_arena_alloc(&self->arena, sizeof(*tree));

	if (!tree || !region || !make_tree_room(self, series))
		return NULL;
	fathom_callpath_init_node(&tree->node, region);
	if (!fathom_callpath_has_tally(self, &tree->node))
		return NULL;
	tree->node.in_series = 1;
	tree->node.is_iteration = 1;
	tree->node.in_tasks = series->node->in_tasks;
	tree->series = series;
	tree->iteration = FATHOM_NO_ITERATION;
	fathom_callpath_adopt(self, series->node, &tree->node);
	tree->place = series->tree_count;
	series->trees[series->tree_count] = tree;
	__atomic_store_n(&series->tree_count, series->tree_count + 1, __ATOMIC_RELEASE);
	return tree;
}

struct fathom_iteration_tree *fathom_series_tree_of(const struct fathom_node *node)
{
	if (!node->in_series)
		return NULL;
	while (node && !node->is_iteration)
		node = node->is_anchor ? ((const struct fathom_anchor_node *)node)->origin : node->parent;
	return (struct fathom_iteration_tree *)node;
}

/* Returns the first iteration of the cluster that an iteration is in. */
static uint32_t first_of(const struct fathom_series *series, uint32_t iteration)
{
	for (;;) {
		uint32_t other = fathom_peek(&fathom_series_at(series, iteration)->joined);

		if (other == iteration)
			return iteration;
		iteration = other;
	}
}

struct fathom_iteration_tree *fathom_series_tree_with(const struct fathom_series *series, uint32_t iteration)
{
	/* Pairs with the releases in add_iteration() and make_tree(). */
	if (iteration >= __atomic_load_n(&series->iteration_count, __ATOMIC_ACQUIRE))
		return NULL;
	iteration = first_of(series, iteration);
	return series->trees[fathom_peek(&fathom_series_at(series, iteration)->tree)];
}

/* Returns the index of a new iteration, or that of the last one if there is no room for more. */
static uint32_t add_iteration(struct fathom_location *self, struct fathom_series *series,
			      const struct fathom_iteration_tree *tree, uint64_t number)
{
	uint32_t place = series->iteration_count, chunk = place / FATHOM_ITERATION_CHUNK;
	struct fathom_iteration *iteration;

	if (chunk == FATHOM_MOST_ITERATION_CHUNKS)
		return place - 1;
	if (!series->chunks[chunk])
		series->chunks[chunk] =
			fathom_arena_alloc(&self->arena, FATHOM_ITERATION_CHUNK * sizeof(struct fathom_iteration));
	if (!series->chunks[chunk])
		return place ? place - 1 : FATHOM_NO_ITERATION;
	iteration = fathom_series_at(series, place);
	iteration->number = number;
	iteration->joined = place;
	iteration->tree = tree->place;
	__atomic_store_n(&series->iteration_count, place + 1, __ATOMIC_RELEASE);
	return place;
}

/* --- clusters ------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* Computes the features of the iteration that has ended in a tree. */
static void describe(struct fathom_iteration_tree *tree)
{
	const struct fathom_node *top = &tree->node;
	double *sums = tree->sums;
	const uint64_t *counters;
	uint64_t parent;

	memset(sums, 0, sizeof(tree->sums));
	sums[FATHOM_FEATURE_TIME] = (double)top->inclusive_ticks;
	tree->structure = 0;
	for (struct fathom_node *node = fathom_series_walk(top, (struct fathom_node *)top); node;
	     node = fathom_series_walk(top, node)) {
		if (!node->visits)
			continue;
		parent = node->parent == top ? 0 : node->parent->region->id + 1;
		tree->structure += mix(mix(node->region->id + 1, parent), parent);
		sums[FATHOM_FEATURE_VISITS] += (double)node->visits;
		if (node->region->paradigm == FATHOM_PARADIGM_MPI)
			sums[FATHOM_FEATURE_WAITING] += (double)node->inclusive_ticks;
		counters = node->tally ? node->tally->counters : NULL;
		if (!counters)
			continue;
		sums[FATHOM_FEATURE_BYTES] += (double)counters[FATHOM_COUNTER_BYTES_SENT] +
					      (double)counters[FATHOM_COUNTER_BYTES_RECEIVED];
		sums[FATHOM_FEATURE_MESSAGES] += (double)counters[FATHOM_COUNTER_MESSAGES_SENT] +
						 (double)counters[FATHOM_COUNTER_MESSAGES_RECEIVED];
	}
}

/* Returns the square root of a number above 1. The library is not linked with the C library's mathematical functions.
 */
static double square_root(double number)
{
	double root = number;

	for (int i = 0; i < 64 && root * root > number * (1 + 1e-12); i++)
		root = (root + number / root) / 2;
	return root;
}

/*
 * Returns the distance of two clusters: the sum of the differences of their features' means, each relative to the
 * mean over all iterations. The distance between clusters of many iterations is larger, so that a few exceptional
 * iterations stay visible. The distance between clusters with different call paths is larger than any other.
 */
static double distance(const struct fathom_iteration_tree *a, const struct fathom_iteration_tree *b,
		       const double means[FATHOM_FEATURES])
{
	const double weight = 0.4 + 0.05 * (a->count + b->count), other_structure = 1e9;
	double sum = 0;

	for (int f = 0; f < FATHOM_FEATURES; f++) {
		double difference = a->sums[f] / a->count - b->sums[f] / b->count;

		if (means[f] > 0)
			sum += (difference < 0 ? -difference : difference) / means[f];
	}
	sum *= weight <= 1 ? weight : square_root(weight);
	return a->structure == b->structure ? sum : sum + other_structure;
}

static bool is_cluster(const struct fathom_iteration_tree *tree)
{
	return tree->iteration != FATHOM_NO_ITERATION && tree->count;
}

static void join(struct fathom_location *self, struct fathom_series *series, struct fathom_iteration_tree *a,
		 struct fathom_iteration_tree *b)
{
	struct fathom_iteration_tree *to = a->iteration < b->iteration ? a : b, *from = to == a ? b : a;

	fathom_series_move(self, &to->node, &from->node);
	for (int f = 0; f < FATHOM_FEATURES; f++)
		to->sums[f] += from->sums[f];
	to->count += from->count;
	if (to->structure != from->structure)
		to->structure = mix(to->structure, from->structure);
	if (from->iteration != to->iteration)
		fathom_poke(&fathom_series_at(series, from->iteration)->joined, to->iteration);
	from->count = 0;
	fathom_poke(&from->iteration, FATHOM_NO_ITERATION);
	name_clusters(series);
	series->is_clustered = true;
}

/* Joins the two clusters with the smallest distance. */
static void join_closest(struct fathom_location *self, struct fathom_series *series)
{
	struct fathom_iteration_tree *best[2] = { NULL, NULL };
	double least = 0, all = 0, means[FATHOM_FEATURES];

	for (uint32_t t = 0; t < series->tree_count; t++)
		all += series->trees[t]->count;
	for (int f = 0; f < FATHOM_FEATURES; f++)
		means[f] = all > 0 ? series->totals[f] / all : 0;
	for (uint32_t i = 0; i < series->tree_count; i++)
		for (uint32_t j = i + 1; j < series->tree_count; j++) {
			struct fathom_iteration_tree *a = series->trees[i], *b = series->trees[j];
			double apart;

			if (!is_cluster(a) || !is_cluster(b))
				continue;
			apart = distance(a, b, means);
			if (best[0] && apart >= least)
				continue;
			least = apart;
			best[0] = a;
			best[1] = b;
		}
	if (best[0])
		join(self, series, best[0], best[1]);
}

/* Ends the iteration that is recorded in a tree, which becomes a cluster of one iteration. */
static void close(struct fathom_location *self, struct fathom_series *series, struct fathom_iteration_tree *tree)
{
	struct fathom_iteration_tree *same = fathom_series_tree_with(series, tree->iteration);

	fathom_poke(&fathom_series_at(series, tree->iteration)->ticks, tree->node.inclusive_ticks);
	describe(tree);
	tree->count = 1;
	for (int f = 0; f < FATHOM_FEATURES; f++)
		series->totals[f] += tree->sums[f];
	if (same != tree)		/* there was no memory for an index of its own */
		join(self, series, same, tree);
}

/* Returns true if the iteration of a tree has ended, but is not counted yet. The minimum of a node is set when its
 * first visit has ended. */
static bool is_over(const struct fathom_iteration_tree *tree)
{
	return tree->iteration != FATHOM_NO_ITERATION && !tree->count && tree->node.min_ticks != UINT64_MAX;
}

static struct fathom_iteration_tree *empty_tree(struct fathom_location *self, struct fathom_series *series,
						uint64_t number)
{
	struct fathom_iteration_tree *empty = NULL;
	uint32_t clusters = 0, used = 0;

	for (uint32_t t = 0; t < series->tree_count; t++) {
		if (is_over(series->trees[t]))
			close(self, series, series->trees[t]);
		clusters += is_cluster(series->trees[t]);
		used += series->trees[t]->iteration != FATHOM_NO_ITERATION;
	}
	/* One tree must be free for the iteration that begins. If too many iterations never end, later ones are not
	 * recorded separately. */
	if (most_trees && used >= most_trees) {
		if (clusters < 2)
			return NULL;
		join_closest(self, series);
	}
	for (uint32_t t = 0; t < series->tree_count && !empty; t++)
		if (series->trees[t]->iteration == FATHOM_NO_ITERATION)
			empty = series->trees[t];
	return empty ? empty : make_tree(self, series, number);
}

void fathom_series_iteration(struct fathom_location *self, uint64_t number)
{
	struct fathom_frame *frame = self->top;
	struct fathom_node *node = frame->node;
	struct fathom_iteration_tree *tree;
	struct fathom_series *series;
	uint32_t iteration;

	/* Iterations are not recorded separately inside an iteration of another phase, in folded visits, and for a
	 * region that has no call path of its own. */
	if (most_trees == 1 || node->in_series || (frame->flags & FATHOM_FRAME_FOLDED) || !node->parent ||
	    node->region != frame->region)
		return;
	series = series_of(self, node);
	tree = series ? empty_tree(self, series, number) : NULL;
	iteration = tree ? add_iteration(self, series, tree, number) : FATHOM_NO_ITERATION;
	if (iteration == FATHOM_NO_ITERATION)
		return;
	node->is_series = 1;
	fathom_poke(&tree->iteration, iteration);
	fathom_metered_pass(self, node, &tree->node);
	fathom_poke(&node->visits, node->visits - 1);
	fathom_poke(&tree->node.visits, 1);
	fathom_poke(&frame->node, &tree->node);
	fathom_poke(&frame->enter_ticks, fathom_clock_ticks());
}
