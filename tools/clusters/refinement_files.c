#include "tools/clusters/refinement_files.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/trace/new_directory.h"

/* A function that writes the content of a file; step: from 0, for files of a step. */
typedef void content_function(FILE *file, const struct fathom_clustering *clustering, uint32_t step);

/* Writes a new file. 0, or -errno after an error message; then there is no file. */
static int write_file(const char *path, content_function *put, const struct fathom_clustering *clustering,
		      uint32_t step)
{
	FILE *file = fopen(path, "wx");
	int err = file ? 0 : -errno;

	if (file) {
		put(file, clustering, step);
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

/* --- graphs ------------------------------------------------------------------------------------------- */

static void put_node(FILE *file, const struct fathom_refinement *tree, uint32_t number)
{
	const struct fathom_refinement_node *node = &tree->nodes[number];
	char text[FATHOM_NUMBER_BYTES];

	fprintf(file, "\tn%u [label=\"%u\\nstep %u\\nscore %.0f %%\\n%s\"%s];\n", number, node->id, node->step,
		100 * node->score, fathom_number_seconds(text, node->seconds), node->is_leaf ? ", style=filled" : "");
}

static void put_tree(FILE *file, const struct fathom_clustering *clustering, uint32_t step)
{
	const struct fathom_refinement *tree = &clustering->tree;

	(void)step;
	fputs("digraph refinement {\n\tnode [shape=box];\n", file);
	for (uint32_t n = 0; n < tree->node_count; n++)
		put_node(file, tree, n);
	for (uint32_t e = 0; e < tree->edge_count; e++)
		fprintf(file, "\tn%u -> n%u;\n", tree->edges[e].parent, tree->edges[e].child);
	fputs("}\n", file);
}

/* Writes the leaves of the tree, the kinds at the end, and an edge from each leaf to the kind that has its bursts. */
static void put_merges(FILE *file, const struct fathom_clustering *clustering, uint32_t step)
{
	const struct fathom_refinement *tree = &clustering->tree;
	const uint32_t *leaf_of = tree->history[tree->steps - 1].nodes;
	uint32_t *kinds = fathom_tool_alloc((size_t)tree->node_count + 1, sizeof(*kinds));
	char text[FATHOM_NUMBER_BYTES];

	(void)step;
	for (uint32_t i = 0; i < clustering->point_count; i++)
		if (leaf_of[i] != FATHOM_NO_REFINEMENT_NODE)
			kinds[leaf_of[i]] = clustering->numbers[clustering->bursts[i]];
	fputs("digraph merges {\n\tnode [shape=box];\n", file);
	for (uint32_t n = 0; n < tree->node_count; n++)
		if (tree->nodes[n].is_leaf)
			put_node(file, tree, n);
	for (uint32_t k = 1; k <= clustering->count; k++)
		fprintf(file, "\tk%u [label=\"kind %u\\nscore %.0f %%\\n%s\", shape=ellipse];\n", k, k,
			100 * clustering->clusters[k].score,
			fathom_number_seconds(text, clustering->clusters[k].seconds));
	for (uint32_t n = 0; n < tree->node_count; n++)
		if (tree->nodes[n].is_leaf)
			fprintf(file, "\tn%u -> k%u;\n", n, kinds[n]);
	fputs("}\n", file);
	free(kinds);
}

/* --- steps -------------------------------------------------------------------------------------------- */

static void put_points(FILE *file, const struct fathom_clustering *clustering, uint32_t step)
{
	const struct fathom_burst_data *data = clustering->data;
	const struct fathom_refinement *tree = &clustering->tree;
	uint32_t process = 0, thread = 0;

	fputs("# Instance,TaskId,ThreadId,Begin_Time,End_Time,Duration", file);
	for (uint32_t d = 0; d < clustering->dimensions; d++)
		fprintf(file, ",axis_%u", d + 1);
	fputs(",ClusterID\n", file);
	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t index = clustering->bursts[i], node = tree->history[step].nodes[i];
		const struct fathom_listed_burst *burst = &data->list.bursts[index];

		if (i == 0 || burst->location != data->list.bursts[clustering->bursts[i - 1]].location)
			process = fathom_burst_process(data, burst->location, &thread);
		fprintf(file, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%.0f,%.0f,%.0f", index, process, thread,
			1e9 * fathom_burst_time(data, burst->begin), 1e9 * fathom_burst_time(data, burst->end),
			1e9 * fathom_burst_seconds(data, index));
		for (uint32_t d = 0; d < clustering->dimensions; d++)
			fprintf(file, ",%.9g", clustering->values[(size_t)i * clustering->dimensions + d]);
		fprintf(file, ",%" PRIu32 "\n",
			node == FATHOM_NO_REFINEMENT_NODE ? FATHOM_NOISE : tree->nodes[node].id);
	}
}

/* Writes a line for each cluster of the partition after a step. */
static void put_scores(FILE *file, const struct fathom_clustering *clustering, uint32_t number)
{
	const struct fathom_refinement *tree = &clustering->tree;
	const struct fathom_refinement_step *step = &tree->history[number];
	uint32_t *counts = fathom_tool_alloc((size_t)step->node_count + 1, sizeof(*counts));
	double seconds = 0, global = 0;

	for (uint32_t i = 0; i < clustering->point_count; i++)
		if (step->nodes[i] != FATHOM_NO_REFINEMENT_NODE)
			counts[step->nodes[i]]++;
	for (uint32_t n = 0; n < step->node_count; n++)
		seconds += counts[n] ? tree->nodes[n].seconds : 0;
	fputs("Cluster,Node,Cluster Score,Occurrences,WeightedScore\n", file);
	for (uint32_t n = 0; n < step->node_count; n++) {
		double weighted = step->scores[n] * tree->nodes[n].seconds / seconds;

		if (!counts[n])
			continue;
		global += weighted;
		fprintf(file, "%u,n%u,%.6g,%u,%.6g\n", tree->nodes[n].id, n, step->scores[n], counts[n], weighted);
	}
	fprintf(file, "all,,,%u,%.6g\n", clustering->point_count, global);
	free(counts);
}

/* --- the directory ------------------------------------------------------------------------------------ */

/* Writes a file into a directory; its name is printed from the format. 0, or -errno after an error message. */
__attribute__((format(printf, 5, 6)))
static int write_into(const char *directory, content_function *put, const struct fathom_clustering *clustering,
		      uint32_t step, const char *format, ...)
{
	char name[64], path[PATH_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(name, sizeof(name), format, arguments);
	va_end(arguments);
	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path)) {
		fathom_tool_error("%s/%s: the name is too long", directory, name);
		return -ENAMETOOLONG;
	}
	return write_file(path, put, clustering, step);
}

int fathom_refinement_tree_write(const struct fathom_clustering *clustering, const char *path)
{
	return write_file(path, put_tree, clustering, 0);
}

int fathom_refinement_steps_write(const struct fathom_clustering *clustering, const char *directory)
{
	int err = fathom_new_directory_make(directory);

	if (err)
		return err;
	for (uint32_t s = 0; s < clustering->tree.steps && !err; s++) {
		err = write_into(directory, put_points, clustering, s, "STEP%u.csv", s + 1);
		if (!err)
			err = write_into(directory, put_scores, clustering, s, "STEP%u.scores.csv", s + 1);
	}
	if (!err)
		err = write_into(directory, put_tree, clustering, 0, "TREE.dot");
	if (!err)
		err = write_into(directory, put_merges, clustering, 0, "MERGE.TREE.dot");
	if (err)
		fathom_new_directory_remove(directory);
	return err;
}
