#include "clusters/divisive_refinement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/dbscan.h"

static const double most_noise = 0.6;	/* as a share of the time of the leaf */
static const double least_score = 0.8;	/* of a part, as a share of the score of the leaf */

/* The points in the order of their leaves, and the parts into which a step would divide these leaves. */
struct division {
	uint32_t *members;		/* numbers of the points; those of node n from first[n] to first[n + 1] - 1 */
	uint32_t *first;		/* by node; one more than there are nodes */
	uint32_t *parts;		/* by member: FATHOM_NOISE, or number of the part of its node from 1 */
	uint32_t *part_counts;		/* by node; 0: it is not divided */
	uint32_t *trial;		/* by point: cluster if all these nodes were divided */
	uint32_t *numbers;		/* by node: cluster of the node, or of its first part, in the trial */
	double *scores;			/* by cluster of the trial */
};

static void division_fini(struct division *division)
{
	free(division->members);
	free(division->first);
	free(division->parts);
	free(division->part_counts);
	free(division->trial);
	free(division->numbers);
	free(division->scores);
}

/* Sorts the points by leaf. 0 or -ENOMEM. */
static int division_init(struct division *division, const struct fathom_refinement *tree, const uint32_t *node_of,
			 uint32_t count)
{
	*division = (struct division){
		.members = calloc((size_t)count + 1, sizeof(*division->members)),
		.first = calloc((size_t)tree->node_count + 2, sizeof(*division->first)),
		.parts = calloc((size_t)count + 1, sizeof(*division->parts)),
		.part_counts = calloc((size_t)tree->node_count + 1, sizeof(*division->part_counts)),
		.trial = calloc((size_t)count + 1, sizeof(*division->trial)),
		.numbers = calloc((size_t)tree->node_count + 1, sizeof(*division->numbers)),
	};
	if (!division->members || !division->first || !division->parts || !division->part_counts || !division->trial ||
	    !division->numbers)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		if (node_of[i] != FATHOM_NO_REFINEMENT_NODE)
			division->first[node_of[i] + 2]++;
	for (uint32_t n = 2; n <= tree->node_count; n++)
		division->first[n] += division->first[n - 1];
	for (uint32_t i = 0; i < count; i++)
		if (node_of[i] != FATHOM_NO_REFINEMENT_NODE)
			division->members[division->first[node_of[i] + 1]++] = i;
	return 0;
}

/* Clusters the points of a leaf with a smaller eps. 0 or -ENOMEM. */
static int cluster_leaf(struct division *division, const struct fathom_refinement_input *input, uint32_t node,
			double eps)
{
	uint32_t first = division->first[node], count = division->first[node + 1] - first;
	uint32_t dimensions = input->points->dimensions;
	double *values = calloc((size_t)count + 1, dimensions * sizeof(*values));
	const struct fathom_points points = { values, count, dimensions };
	int parts = -ENOMEM;

	if (values) {
		for (uint32_t m = 0; m < count; m++)
			memcpy(values + (size_t)m * dimensions,
			       input->points->values + (size_t)division->members[first + m] * dimensions,
			       dimensions * sizeof(*values));
		parts = fathom_dbscan(&points, eps, input->min_points, division->parts + first);
		free(values);
	}
	if (parts < 0)
		return parts;
	division->part_counts[node] = parts >= 2 ? (uint32_t)parts : 0;
	return 0;
}

/* Computes the scores of the partition that has parts in place of the leaves that could be divided. 0 or -ENOMEM. */
static int score_trial(struct division *division, const struct fathom_refinement *tree,
		       const struct fathom_refinement_input *input)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < tree->node_count; n++) {
		division->numbers[n] = count + 1;
		count += division->part_counts[n] ? division->part_counts[n] : tree->nodes[n].is_leaf;
		for (uint32_t m = division->first[n]; m < division->first[n + 1]; m++)
			division->trial[division->members[m]] = !division->part_counts[n] ? division->numbers[n] :
				division->parts[m] == FATHOM_NOISE ? FATHOM_NOISE :
				division->numbers[n] + division->parts[m] - 1;
	}
	division->scores = calloc((size_t)count + 1, sizeof(*division->scores));
	if (!division->scores)
		return -ENOMEM;
	input->score(input->scorer, division->trial, count, division->scores);
	return 0;
}

/* Decides whether a leaf is divided. Parts that are executed much less regularly than the leaf become noise; the others
 * are numbered again from 1, and counted. There is no division (part_counts is 0) if less than two remain, or if the
 * noise has too much of the time. 0 or -ENOMEM. */
static int decide(struct division *division, const struct fathom_refinement *tree,
		  const struct fathom_refinement_input *input, uint32_t node)
{
	uint32_t *numbers = calloc((size_t)division->part_counts[node] + 1, sizeof(*numbers)), count = 0;
	double noise_seconds = 0;

	if (!numbers)
		return -ENOMEM;
	for (uint32_t part = 1; part <= division->part_counts[node]; part++)
		if (division->scores[division->numbers[node] + part - 1] >= least_score * tree->nodes[node].score)
			numbers[part] = ++count;
	for (uint32_t m = division->first[node]; m < division->first[node + 1]; m++) {
		division->parts[m] = numbers[division->parts[m]];
		if (division->parts[m] == FATHOM_NOISE)
			noise_seconds += input->seconds[division->members[m]];
	}
	division->part_counts[node] = count >= 2 && noise_seconds < most_noise * tree->nodes[node].seconds ? count : 0;
	free(numbers);
	return 0;
}

/* Divides the leaves of which that makes sense. 0 or -ENOMEM. */
static int divide_leaves(struct fathom_refinement *tree, const struct fathom_refinement_input *input, double eps,
			 uint32_t *node_of)
{
	struct division division;
	uint32_t nodes = tree->node_count, candidates = 0;
	int err = division_init(&division, tree, node_of, input->points->count);

	for (uint32_t n = 0; n < nodes && !err; n++) {
		if (tree->nodes[n].is_leaf)
			err = cluster_leaf(&division, input, n, eps);
		candidates += !err && division.part_counts[n];
	}
	if (!err && candidates)
		err = score_trial(&division, tree, input);
	for (uint32_t n = 0; n < nodes && !err && candidates; n++) {
		uint32_t first = division.first[n];
		struct fathom_refinement_finding finding = {
			division.members + first, division.parts + first, division.first[n + 1] - first, 0,
		};

		if (division.part_counts[n])
			err = decide(&division, tree, input, n);
		finding.cluster_count = division.part_counts[n];
		if (!err && finding.cluster_count)
			err = fathom_refinement_add(tree, input, &finding, node_of);
	}
	division_fini(&division);
	return err;
}

/* Clusters all points, in the first step. 0 or -ENOMEM. */
static int cluster_all(struct fathom_refinement *tree, const struct fathom_refinement_input *input, double eps,
		       uint32_t *node_of, uint32_t *clusters)
{
	uint32_t *members = calloc((size_t)input->points->count + 1, sizeof(*members));
	struct fathom_refinement_finding finding = { members, clusters, input->points->count, 0 };
	int count = -ENOMEM;

	if (members) {
		for (uint32_t i = 0; i < input->points->count; i++)
			members[i] = i;
		count = fathom_dbscan(input->points, eps, input->min_points, clusters);
		finding.cluster_count = (uint32_t)count;
		if (count >= 0)
			count = fathom_refinement_add(tree, input, &finding, node_of);
		free(members);
	}
	return count;
}

int fathom_divisive_refinement_make(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
				    uint32_t *clusters)
{
	uint32_t *node_of = calloc((size_t)input->points->count + 1, sizeof(*node_of));
	int count = 0, err = node_of ? 0 : -ENOMEM;

	fathom_refinement_init(tree);
	for (uint32_t i = 0; i < input->points->count && !err; i++)
		node_of[i] = FATHOM_NO_REFINEMENT_NODE;
	for (uint32_t e = input->eps_count; e-- > 0 && !err; ) {
		err = fathom_refinement_begin_step(tree, input->eps[e]);
		if (!err)
			err = tree->steps == 1 ? cluster_all(tree, input, input->eps[e], node_of, clusters) :
			      divide_leaves(tree, input, input->eps[e], node_of);
		if (!err) {
			count = fathom_refinement_score(tree, input, node_of, clusters);
			err = count < 0 ? count : fathom_refinement_end_step(tree, input, node_of);
		}
	}
	free(node_of);
	return err ? err : count;
}
