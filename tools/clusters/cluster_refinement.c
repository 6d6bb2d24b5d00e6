#include "tools/clusters/cluster_refinement.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clusters/sequence_scores.h"
#include "tools/clusters/cluster_values.h"
#include "tools/clusters/thread_sequences.h"
#include "tools/common/command.h"
#include "tools/common/number_format.h"

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
		.score = score, .scorer = clustering,
	};
	uint32_t kept;
	int count;

	for (uint32_t i = 0; i < points.count; i++)
		seconds[i] = fathom_burst_seconds(clustering->data, clustering->bursts[i]);
	fathom_refinement_fini(&clustering->tree);
	count = fathom_refinement_make(&clustering->tree, &input, found);
	free(seconds);
	if (count < 0)
		fathom_tool_out_of_memory(points.count * sizeof(double));
	kept = join(clustering, found, (uint32_t)count);
	clustering->joined = (uint32_t)count - kept;
	return kept;
}

/* --- the file ----------------------------------------------------------------------------------------- */

static void put_graph(FILE *file, const struct fathom_refinement *tree)
{
	char text[FATHOM_NUMBER_BYTES];

	fputs("digraph refinement {\n\tnode [shape=box];\n", file);
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const struct fathom_refinement_node *node = &tree->nodes[n];

		fprintf(file, "\tn%u [label=\"%u\\nstep %u\\nscore %.0f %%\\n%s\"%s];\n", n, node->id, node->step,
			100 * node->score, fathom_number_seconds(text, node->seconds),
			node->is_leaf ? ", style=filled" : "");
	}
	for (uint32_t e = 0; e < tree->edge_count; e++)
		fprintf(file, "\tn%u -> n%u;\n", tree->edges[e].parent, tree->edges[e].child);
	fputs("}\n", file);
}

int fathom_cluster_refinement_write(const struct fathom_clustering *clustering, const char *path)
{
	FILE *file = fopen(path, "wx");
	int err = file ? 0 : -errno;

	if (file) {
		put_graph(file, &clustering->tree);
		err = ferror(file) ? -EIO : 0;
		if (fclose(file) != 0 && !err)
			err = -errno;
		if (err)
			unlink(path);
	}
	if (err)
		fathom_tool_error("%s: cannot be written: %s", path, strerror(-err));
	return err;
}
