#include "clusters/aggregative_refinement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/dbscan.h"

static const double good_score = 1 - 1e-9;

/* The points that a step clusters. */
struct candidates {
	uint32_t *members;		/* numbers of the points */
	uint32_t count;
	double *values;			/* [member][dimension] */
	uint32_t *found;		/* by member: cluster */
};

static void candidates_fini(struct candidates *candidates)
{
	free(candidates->members);
	free(candidates->values);
	free(candidates->found);
}

/* Collects the points of noise and of leaves that are not good enough; in the first step, all points are noise. */
static int candidates_init(struct candidates *candidates, const struct fathom_refinement *tree,
			   const struct fathom_refinement_input *input, const uint32_t *node_of)
{
	const struct fathom_points *points = input->points;
	size_t bytes = points->dimensions * sizeof(*candidates->values);

	*candidates = (struct candidates){ 0 };
	candidates->members = calloc((size_t)points->count + 1, sizeof(*candidates->members));
	candidates->values = calloc((size_t)points->count + 1, bytes);
	candidates->found = calloc((size_t)points->count + 1, sizeof(*candidates->found));
	if (!candidates->members || !candidates->values || !candidates->found)
		return -ENOMEM;
	for (uint32_t i = 0; i < points->count; i++) {
		if (node_of[i] != FATHOM_NO_REFINEMENT_NODE && tree->nodes[node_of[i]].score >= good_score)
			continue;
		memcpy(candidates->values + (size_t)candidates->count * points->dimensions,
		       points->values + (size_t)i * points->dimensions, bytes);
		candidates->members[candidates->count++] = i;
	}
	return 0;
}

/* Clusters the candidates with an eps, and puts the clusters into the tree. 0 or -ENOMEM. */
static int cluster(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
		   const struct candidates *candidates, double eps, uint32_t *node_of)
{
	const struct fathom_points points = { candidates->values, candidates->count, input->points->dimensions };
	struct fathom_refinement_finding finding = { candidates->members, candidates->found, candidates->count, 0 };
	int count, err = fathom_refinement_begin_step(tree, eps);

	if (err)
		return err;
	count = fathom_dbscan(&points, eps, input->min_points, candidates->found);
	if (count < 0)
		return count;
	finding.cluster_count = (uint32_t)count;
	return fathom_refinement_add(tree, input, &finding, node_of);
}

/* Does a step. Returns the number of clusters, or -ENOMEM. *is_done: there was nothing to be clustered. */
static int refine(struct fathom_refinement *tree, const struct fathom_refinement_input *input, uint32_t *node_of,
		  uint32_t *clusters, bool *is_done)
{
	struct candidates candidates;
	int count = candidates_init(&candidates, tree, input, node_of);

	*is_done = count == 0 && candidates.count == 0;
	if (count == 0 && !*is_done) {
		count = cluster(tree, input, &candidates, input->eps[tree->steps], node_of);
		if (count == 0)
			count = fathom_refinement_score(tree, input, node_of, clusters);
		if (count >= 0 && fathom_refinement_end_step(tree, input, node_of))
			count = -ENOMEM;
	}
	candidates_fini(&candidates);
	return count;
}

int fathom_aggregative_refinement_make(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
				       uint32_t *clusters)
{
	uint32_t *node_of = calloc((size_t)input->points->count + 1, sizeof(*node_of));
	bool is_done = false;
	int count = 0;

	fathom_refinement_init(tree);
	if (!node_of)
		return -ENOMEM;
	for (uint32_t i = 0; i < input->points->count; i++)
		node_of[i] = FATHOM_NO_REFINEMENT_NODE;
	while (!is_done && count >= 0 && tree->steps < input->eps_count) {
		int found = refine(tree, input, node_of, clusters, &is_done);

		if (!is_done)
			count = found;
	}
	free(node_of);
	return count;
}
