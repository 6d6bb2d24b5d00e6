#include "clusters/refinement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/dbscan.h"

enum { NO_NODE = 0xffffffff };	/* of a point: it is noise */

static const double good_score = 1 - 1e-9;

/* The points that a step clusters. */
struct step {
	uint32_t *members;		/* numbers of the points */
	uint32_t count;
	double *values;			/* [member][dimension] */
	uint32_t *found;		/* by member: cluster */
	int clusters;
};

static void step_fini(struct step *step)
{
	free(step->members);
	free(step->values);
	free(step->found);
}

/* Collects the points of noise and of leaves that are not good enough; in the first step, all points are noise. */
static int step_init(struct step *step, const struct fathom_refinement *tree,
		     const struct fathom_refinement_input *input, const uint32_t *node_of)
{
	const struct fathom_points *points = input->points;

	*step = (struct step){ 0 };
	step->members = calloc((size_t)points->count + 1, sizeof(*step->members));
	step->values = calloc((size_t)points->count + 1, points->dimensions * sizeof(*step->values));
	step->found = calloc((size_t)points->count + 1, sizeof(*step->found));
	if (!step->members || !step->values || !step->found)
		return -ENOMEM;
	for (uint32_t i = 0; i < points->count; i++) {
		if (node_of[i] != NO_NODE && tree->nodes[node_of[i]].score >= good_score)
			continue;
		memcpy(step->values + (size_t)step->count * points->dimensions,
		       points->values + (size_t)i * points->dimensions, points->dimensions * sizeof(*step->values));
		step->members[step->count++] = i;
	}
	return 0;
}

/* --- the tree ----------------------------------------------------------------------------------------- */

static int make_room(struct fathom_refinement *tree, uint32_t nodes, uint32_t edges)
{
	struct fathom_refinement_node *more_nodes =
		reallocarray(tree->nodes, (size_t)tree->node_count + nodes + 1, sizeof(*more_nodes));
	struct fathom_refinement_edge *more_edges;

	if (!more_nodes)
		return -ENOMEM;
	tree->nodes = more_nodes;
	more_edges = reallocarray(tree->edges, (size_t)tree->edge_count + edges + 1, sizeof(*more_edges));
	if (!more_edges)
		return -ENOMEM;
	tree->edges = more_edges;
	return 0;
}

static int by_edge(const void *a, const void *b)
{
	const struct fathom_refinement_edge *x = a, *y = b;

	if (x->child != y->child)
		return x->child < y->child ? -1 : 1;
	return x->parent < y->parent ? -1 : x->parent > y->parent;
}

/* Adds an edge for each pair of an old and a new node that have a point in common. */
static void add_edges(struct fathom_refinement *tree, const struct step *step, const uint32_t *node_of, uint32_t first)
{
	struct fathom_refinement_edge *edges = tree->edges + tree->edge_count;
	uint32_t count = 0, kept = 0;

	for (uint32_t m = 0; m < step->count; m++)
		if (step->found[m] != FATHOM_NOISE && node_of[step->members[m]] != NO_NODE)
			edges[count++] = (struct fathom_refinement_edge){ node_of[step->members[m]],
									  first + step->found[m] - 1 };
	if (count > 1)
		qsort(edges, count, sizeof(*edges), by_edge);
	for (uint32_t e = 0; e < count; e++)
		if (e == 0 || by_edge(&edges[e - 1], &edges[e]) != 0)
			edges[kept++] = edges[e];
	tree->edge_count += kept;
}

/* Gives each new node the lowest id of its parents that no other node of the step has, or a new one. */
static void give_ids(struct fathom_refinement *tree, uint32_t first_node, uint32_t first_edge)
{
	for (uint32_t n = first_node; n < tree->node_count; n++) {
		struct fathom_refinement_node *node = &tree->nodes[n];

		for (uint32_t e = first_edge; e < tree->edge_count; e++) {
			uint32_t id = tree->nodes[tree->edges[e].parent].id;
			bool is_used = false;

			if (tree->edges[e].child != n || (node->id && node->id < id))
				continue;
			for (uint32_t other = first_node; other < n; other++)
				is_used |= tree->nodes[other].id == id;
			if (!is_used)
				node->id = id;
		}
		if (!node->id)
			node->id = tree->next_id++;
	}
}

/* Puts the clusters of a step into the tree, in place of the nodes whose points it clustered. */
static int add_step(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
		    const struct step *step, uint32_t *node_of)
{
	uint32_t first_node = tree->node_count, first_edge = tree->edge_count;
	int err = make_room(tree, (uint32_t)step->clusters, step->count);

	if (err)
		return err;
	for (int c = 0; c < step->clusters; c++)
		tree->nodes[tree->node_count++] =
			(struct fathom_refinement_node){ .step = tree->steps, .is_leaf = true };
	add_edges(tree, step, node_of, first_node);
	for (uint32_t m = 0; m < step->count; m++) {
		uint32_t point = step->members[m];

		if (node_of[point] != NO_NODE)
			tree->nodes[node_of[point]].is_leaf = false;
		node_of[point] = NO_NODE;
		if (step->found[m] == FATHOM_NOISE)
			continue;
		node_of[point] = first_node + step->found[m] - 1;
		tree->nodes[node_of[point]].count++;
		tree->nodes[node_of[point]].seconds += input->seconds[point];
	}
	give_ids(tree, first_node, first_edge);
	return 0;
}

/* Numbers the leaves from 1 in the order of the tree, fills in the clusters of the points, and returns how many there
 * are. numbers: by node. */
static uint32_t number_leaves(const struct fathom_refinement *tree, const uint32_t *node_of, uint32_t point_count,
			      uint32_t *numbers, uint32_t *clusters)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < tree->node_count; n++)
		numbers[n] = tree->nodes[n].is_leaf ? ++count : 0;
	for (uint32_t i = 0; i < point_count; i++)
		clusters[i] = node_of[i] == NO_NODE ? FATHOM_NOISE : numbers[node_of[i]];
	return count;
}

/* Computes the scores of all leaves. Returns the number of clusters, or -ENOMEM. */
static int score_leaves(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			const uint32_t *node_of, uint32_t *clusters)
{
	uint32_t *numbers = calloc((size_t)tree->node_count + 1, sizeof(*numbers));
	double *scores = calloc((size_t)tree->node_count + 1, sizeof(*scores));
	int count = -ENOMEM;

	if (numbers && scores) {
		count = (int)number_leaves(tree, node_of, input->points->count, numbers, clusters);
		input->score(input->scorer, clusters, (uint32_t)count, scores);
		for (uint32_t n = 0; n < tree->node_count; n++)
			if (numbers[n])
				tree->nodes[n].score = scores[numbers[n]];
	}
	free(numbers);
	free(scores);
	return count;
}

/* --- steps -------------------------------------------------------------------------------------------- */

/* Does a step. Returns the number of clusters, or -ENOMEM. *is_done: there was nothing to be clustered. */
static int refine(struct fathom_refinement *tree, const struct fathom_refinement_input *input, uint32_t *node_of,
		  uint32_t *clusters, bool *is_done)
{
	struct fathom_points points = { .dimensions = input->points->dimensions };
	struct step step;
	int count = step_init(&step, tree, input, node_of);

	*is_done = count == 0 && step.count == 0;
	if (count == 0 && !*is_done) {
		points.values = step.values;
		points.count = step.count;
		count = step.clusters = fathom_dbscan(&points, input->eps[tree->steps++], input->min_points,
						      step.found);
		if (count >= 0)
			count = add_step(tree, input, &step, node_of);
		if (count >= 0)
			count = score_leaves(tree, input, node_of, clusters);
	}
	step_fini(&step);
	return count;
}

int fathom_refinement_make(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			   uint32_t *clusters)
{
	uint32_t *node_of = calloc((size_t)input->points->count + 1, sizeof(*node_of));
	bool is_done = false;
	int count = 0;

	*tree = (struct fathom_refinement){ .next_id = 1 };
	if (!node_of)
		return -ENOMEM;
	for (uint32_t i = 0; i < input->points->count; i++)
		node_of[i] = NO_NODE;
	while (!is_done && count >= 0 && tree->steps < input->eps_count) {
		int found = refine(tree, input, node_of, clusters, &is_done);

		if (!is_done)
			count = found;
	}
	free(node_of);
	return count;
}

void fathom_refinement_fini(struct fathom_refinement *tree)
{
	free(tree->nodes);
	free(tree->edges);
	*tree = (struct fathom_refinement){ 0 };
}
