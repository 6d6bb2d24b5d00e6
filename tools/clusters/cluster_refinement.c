#include "tools/clusters/cluster_refinement.h"

#include <math.h>
#include <stdlib.h>

#include "clusters/aggregative_refinement.h"
#include "clusters/divisive_refinement.h"
#include "clusters/sequence_scores.h"
#include "tools/clusters/cluster_values.h"
#include "tools/clusters/thread_sequences.h"
#include "tools/common/command.h"

/* Computes the scores of clusters from the sequences of the threads; the function for fathom_refinement_make. */
static void score(void *scorer, const uint32_t *found, uint32_t count, double *scores)
{
	struct fathom_clustering *clustering = scorer;
	struct fathom_thread_sequences sequences;

	fathom_cluster_values_find(clustering, found, count);
	fathom_thread_sequences_make(&sequences, clustering);
	fathom_thread_sequences_score(&sequences, clustering);
	/* The clusters of the clustering have other numbers than those that were found. */
	for (uint32_t i = 0; i < clustering->point_count; i++)
		if (found[i] != FATHOM_NOISE)
			scores[found[i]] = fmax(clustering->clusters[clustering->numbers[clustering->bursts[i]]].score,
						0);
	fathom_thread_sequences_fini(&sequences);
}

/* Joins clusters that always appear together. Returns the number of clusters that remain. */
static uint32_t join(struct fathom_clustering *clustering, uint32_t *found, uint32_t count)
{
	uint32_t *joined = fathom_tool_alloc((size_t)count + 1, sizeof(*joined));
	uint32_t *numbers = fathom_tool_alloc((size_t)count + 1, sizeof(*numbers)), kept = 0;
	struct fathom_thread_sequences sequences;

	fathom_cluster_values_find(clustering, found, count);
	fathom_thread_sequences_make(&sequences, clustering);
	if (fathom_alignment_join_letters(&sequences.alignment, count + 1, joined) < 0)
		fathom_tool_out_of_memory(count);
	fathom_thread_sequences_fini(&sequences);
	for (uint32_t c = 1; c <= count; c++)
		numbers[c] = joined[c] == c ? ++kept : numbers[joined[c]];
	for (uint32_t i = 0; i < clustering->point_count; i++)
		if (found[i] != FATHOM_NOISE)
			found[i] = numbers[clustering->numbers[clustering->bursts[i]]];
	free(joined);
	free(numbers);
	return kept;
}

uint32_t fathom_cluster_refinement_make(struct fathom_clustering *clustering, uint32_t *found)
{
	const struct fathom_points points = { clustering->values, clustering->point_count, clustering->dimensions };
	double *seconds = fathom_tool_alloc(points.count, sizeof(*seconds));
	const struct fathom_refinement_input input = {
		.points = &points, .seconds = seconds, .eps = clustering->choice.eps_list,
		.eps_count = clustering->choice.eps_count, .min_points = clustering->choice.min_points,
		.score = score, .scorer = clustering, .keeps_partitions = clustering->choice.keeps_partitions,
	};
	uint32_t kept;
	int count;

	for (uint32_t i = 0; i < points.count; i++)
		seconds[i] = fathom_burst_seconds(clustering->data, clustering->bursts[i]);
	fathom_refinement_fini(&clustering->tree);
	count = clustering->choice.is_divisive ?
		fathom_divisive_refinement_make(&clustering->tree, &input, found) :
		fathom_aggregative_refinement_make(&clustering->tree, &input, found);
	free(seconds);
	if (count < 0)
		fathom_tool_out_of_memory(points.count * sizeof(double));
	kept = join(clustering, found, (uint32_t)count);
	clustering->joined = (uint32_t)count - kept;
	return kept;
}
