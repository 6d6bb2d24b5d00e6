#include "clusters/refinement_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void fathom_refinement_init(struct fathom_refinement *tree)
{
	*tree = (struct fathom_refinement){ .next_id = 1 };
}

void fathom_refinement_fini(struct fathom_refinement *tree)
{
	for (uint32_t s = 0; s < tree->steps; s++) {
		free(tree->history[s].nodes);
		free(tree->history[s].scores);
	}
	free(tree->history);
	free(tree->nodes);
	free(tree->edges);
	*tree = (struct fathom_refinement){ 0 };
}

/* --- steps -------------------------------------------------------------------------------------------- */

int fathom_refinement_begin_step(struct fathom_refinement *tree, double eps)
{
	struct fathom_refinement_step *history = reallocarray(tree->history, tree->steps + 1, sizeof(*history));

	if (!history)
		return -ENOMEM;
	tree->history = history;
	tree->history[tree->steps++] = (struct fathom_refinement_step){ .eps = eps };
	return 0;
}

int fathom_refinement_end_step(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			       const uint32_t *node_of)
{
	struct fathom_refinement_step *step = &tree->history[tree->steps - 1];

	if (!input->keeps_partitions)
		return 0;
	step->node_count = tree->node_count;
	step->nodes = calloc((size_t)input->points->count + 1, sizeof(*step->nodes));
	step->scores = calloc((size_t)tree->node_count + 1, sizeof(*step->scores));
	if (!step->nodes || !step->scores)
		return -ENOMEM;
	memcpy(step->nodes, node_of, input->points->count * sizeof(*step->nodes));
	for (uint32_t n = 0; n < tree->node_count; n++)
		step->scores[n] = tree->nodes[n].score;
	return 0;
}

/* --- nodes and edges ---------------------------------------------------------------------------------- */

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

/* Adds an edge for each pair of an old and a new node that have a point in common. first_node: the first new one. */
static void add_edges(struct fathom_refinement *tree, const struct fathom_refinement_finding *finding,
		      const uint32_t *node_of, uint32_t first_node)
{
	struct fathom_refinement_edge *edges = tree->edges + tree->edge_count;
	uint32_t count = 0, kept = 0;

	for (uint32_t m = 0; m < finding->count; m++) {
		uint32_t parent = node_of[finding->members[m]];

		if (finding->clusters[m] != FATHOM_NOISE && parent != FATHOM_NO_REFINEMENT_NODE)
			edges[count++] = (struct fathom_refinement_edge){ parent,
									  first_node + finding->clusters[m] - 1 };
	}
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

int fathom_refinement_add(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			  const struct fathom_refinement_finding *finding, uint32_t *node_of)
{
	uint32_t first_node = tree->node_count, first_edge = tree->edge_count;
	int err = make_room(tree, finding->cluster_count, finding->count);

	if (err)
		return err;
	for (uint32_t c = 0; c < finding->cluster_count; c++)
		tree->nodes[tree->node_count++] =
			(struct fathom_refinement_node){ .step = tree->steps, .is_leaf = true };
	add_edges(tree, finding, node_of, first_node);
	for (uint32_t m = 0; m < finding->count; m++) {
		uint32_t point = finding->members[m];

		if (node_of[point] != FATHOM_NO_REFINEMENT_NODE)
			tree->nodes[node_of[point]].is_leaf = false;
		node_of[point] = FATHOM_NO_REFINEMENT_NODE;
		if (finding->clusters[m] == FATHOM_NOISE)
			continue;
		node_of[point] = first_node + finding->clusters[m] - 1;
		tree->nodes[node_of[point]].count++;
		tree->nodes[node_of[point]].seconds += input->seconds[point];
	}
	give_ids(tree, first_node, first_edge);
	return 0;
}

/* --- scores ------------------------------------------------------------------------------------------- */

/* Numbers the leaves from 1 in the order of the tree, fills in the clusters of the points, and returns how many there
 * are. numbers: by node. */
static uint32_t number_leaves(const struct fathom_refinement *tree, const uint32_t *node_of, uint32_t point_count,
			      uint32_t *numbers, uint32_t *clusters)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < tree->node_count; n++)
		numbers[n] = tree->nodes[n].is_leaf ? ++count : 0;
	for (uint32_t i = 0; i < point_count; i++)
		clusters[i] = node_of[i] == FATHOM_NO_REFINEMENT_NODE ? FATHOM_NOISE : numbers[node_of[i]];
	return count;
}

int fathom_refinement_score(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
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
