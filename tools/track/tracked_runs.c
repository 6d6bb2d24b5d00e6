#include "tools/track/tracked_runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/sequence_scores.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/track/time_windows.h"

/* Numbers of categories lie farther apart than any distance at which clusters are looked for. */
static const double category_distance = 2;

static char *copy_text(const char *text)
{
	char *copy = fathom_tool_alloc(strlen(text) + 1, 1);

	return strcpy(copy, text);
}

/* --- reading ------------------------------------------------------------------------------------------ */

/* Returns the bursts of a target, which are incomplete if *err is set after an error message. */
static struct fathom_burst_data *read_data(const char *target, size_t limit, int *err)
{
	struct fathom_burst_data *data = fathom_tool_alloc(1, sizeof(*data));
	struct fathom_experiment experiment;

	*err = fathom_experiment_find_bursts(&experiment, target) ? -ENOENT : 0;
	if (!*err)
		*err = fathom_burst_data_read(data, experiment.path, limit);
	return data;
}

static int read_runs(struct fathom_tracked_runs *runs, char **targets, size_t limit)
{
	int err = 0;

	for (uint32_t r = 0; !err && r < runs->count; r++) {
		runs->runs[r].name = copy_text(targets[r]);
		runs->runs[r].data = read_data(targets[r], limit, &err);
	}
	return err;
}

static int read_windows(struct fathom_tracked_runs *runs, const char *target, size_t limit)
{
	int err;

	runs->whole = read_data(target, limit, &err);
	for (uint32_t r = 0; !err && r < runs->count; r++) {
		struct fathom_tracked_run *run = &runs->runs[r];
		char name[128];

		run->is_window = true;
		run->data = fathom_time_window_make(runs->whole, r, runs->count, name, sizeof(name));
		run->name = copy_text(name);
		if (run->data->list.count == 0) {
			fathom_tool_error("%s: no burst begins in the window %s: choose fewer windows", target, name);
			err = -ENODATA;
		}
	}
	return err;
}

/* --- clustering --------------------------------------------------------------------------------------- */

/* Returns the names of the metrics of a clustering, separated by commas. */
static char *names_of(const struct fathom_clustering *clustering)
{
	const struct fathom_cluster_choice *choice = &clustering->choice;
	size_t bytes = 1;
	char *names;

	for (uint32_t d = 0; d < choice->metric_count; d++)
		bytes += strlen(clustering->metrics.metrics[choice->metrics[d]].name) + 1;
	names = fathom_tool_alloc(bytes, 1);
	for (uint32_t d = 0; d < choice->metric_count; d++) {
		strcat(names, d ? "," : "");
		strcat(names, clustering->metrics.metrics[choice->metrics[d]].name);
	}
	return names;
}

/* Returns whether all metrics that were chosen for the first run are metrics of another one. */
static bool has_metrics(const struct fathom_clustering *first, const struct fathom_burst_data *data)
{
	struct fathom_burst_metrics *metrics = fathom_tool_alloc(1, sizeof(*metrics));
	bool has_all = true;

	fathom_burst_metrics_find(metrics, data);
	for (uint32_t d = 0; d < first->choice.metric_count; d++) {
		const char *name = first->metrics.metrics[first->choice.metrics[d]].name;
		bool has_metric = false;

		for (uint32_t m = 0; m < metrics->count; m++)
			has_metric |= strcmp(metrics->metrics[m].name, name) == 0;
		has_all &= has_metric;
	}
	free(metrics);
	return has_all;
}

/* Clusters the runs in the metrics that are given, or that are chosen for the first run if all runs have them. */
static int cluster_runs(struct fathom_tracked_runs *runs, const struct fathom_cluster_choice *given)
{
	struct fathom_cluster_choice choice = *given;
	int err = fathom_clustering_make(&runs->runs[0].clustering, runs->runs[0].data, &choice);

	for (uint32_t r = 1; !err && r < runs->count && !given->names; r++)
		runs->lacks_counters |= !has_metrics(&runs->runs[0].clustering, runs->runs[r].data);
	if (!err && runs->lacks_counters) {
		choice.names = "duration,call";
		fathom_clustering_fini(&runs->runs[0].clustering);
		err = fathom_clustering_make(&runs->runs[0].clustering, runs->runs[0].data, &choice);
	}
	if (err)
		return err;
	runs->metric_names = names_of(&runs->runs[0].clustering);
	choice.names = runs->metric_names;
	for (uint32_t r = 1; !err && r < runs->count; r++)
		err = fathom_clustering_make(&runs->runs[r].clustering, runs->runs[r].data, &choice);
	for (uint32_t r = 0; !err && r < runs->count; r++) {
		fathom_thread_sequences_make(&runs->runs[r].sequences, &runs->runs[r].clustering);
		fathom_thread_sequences_score(&runs->runs[r].sequences, &runs->runs[r].clustering);
	}
	return err;
}

/* --- the data of the tracking ------------------------------------------------------------------------- */

static bool is_text(const void *texts, uint32_t number, const void *wanted)
{
	return strcmp(((char *const *)texts)[number], wanted) == 0;
}

/* Returns the number of a text, which is the same in all runs. */
static uint32_t number_of(struct fathom_tracked_runs *runs, const char *text)
{
	uint64_t hash = fathom_index_hash_text(0, text);
	int64_t found = fathom_index_find(&runs->code_index, hash, is_text, runs->code_texts, text);

	if (found >= 0)
		return (uint32_t)found;
	runs->code_texts = fathom_tool_grow(runs->code_texts, runs->code_count, &runs->code_room,
					    sizeof(*runs->code_texts));
	runs->code_texts[runs->code_count] = copy_text(text);
	fathom_index_add(&runs->code_index, hash, (uint32_t)runs->code_count);
	return (uint32_t)runs->code_count++;
}

/* Fills in the numbers of all call paths of a run: of the whole path (codes), and of its innermost region (calls). */
static void number_paths(struct fathom_tracked_runs *runs, const struct fathom_tracked_run *run, uint32_t *codes,
			 uint32_t *calls)
{
	const struct fathom_burst_extraction *extraction = &run->data->extraction;
	const struct fathom_otf2_defs *defs = &run->data->trace.defs;

	for (uint32_t p = 0; p < extraction->paths.count; p++) {
		const struct fathom_otf2_region *region =
			fathom_otf2_at(defs, FATHOM_OTF2_REGION, extraction->paths.paths[p].region);
		char text[4096];

		codes[p] = number_of(runs, fathom_burst_path_text(extraction, p, text, sizeof(text)));
		calls[p] = number_of(runs, fathom_otf2_text(defs, region->name));
	}
}

static double value_of(const struct fathom_tracked_run *run, const struct fathom_burst_metric *metric, uint32_t burst,
		       const uint32_t *calls)
{
	uint32_t after = run->data->list.bursts[burst].after;

	if (metric->kind == FATHOM_BURST_CALL)
		return after == FATHOM_NO_BURST_PATH ? -1.0 : calls[after];
	return fathom_burst_metric_value(run->data, metric, burst);
}

/* Makes the points of the bursts in clusters, in the metrics as they were measured. */
static void make_points(struct fathom_tracked_runs *runs, struct fathom_tracked_run *run,
			struct fathom_tracked_experiment *experiment)
{
	const struct fathom_clustering *clustering = &run->clustering;
	uint32_t path_count = run->data->extraction.paths.count, count = 0;
	uint32_t *codes = fathom_tool_alloc((size_t)path_count + 1, sizeof(*codes));
	uint32_t *calls = fathom_tool_alloc((size_t)path_count + 1, sizeof(*calls));

	number_paths(runs, run, codes, calls);
	run->points = fathom_tool_alloc((size_t)clustering->point_count + 1, sizeof(*run->points));
	run->clusters = fathom_tool_alloc((size_t)clustering->point_count + 1, sizeof(*run->clusters));
	run->codes = fathom_tool_alloc((size_t)clustering->point_count + 1, sizeof(*run->codes));
	run->values = fathom_tool_alloc((size_t)clustering->point_count * runs->dimensions + 1, sizeof(*run->values));
	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t burst = clustering->bursts[i], code = run->data->list.bursts[burst].code;

		if (clustering->numbers[burst] == FATHOM_NOISE)
			continue;
		run->points[count] = i;
		run->clusters[count] = clustering->numbers[burst];
		run->codes[count] = code == FATHOM_NO_BURST_PATH ? FATHOM_UNKNOWN_CODE : codes[code];
		for (uint32_t d = 0; d < runs->dimensions; d++)
			run->values[(size_t)count * runs->dimensions + d] = value_of(run,
				&clustering->metrics.metrics[clustering->choice.metrics[d]], burst, calls);
		count++;
	}
	experiment->points = (struct fathom_points){ run->values, count, runs->dimensions };
	free(codes);
	free(calls);
}

/* Fills in the sequence of clusters: of each column that at least a quarter of the threads have, the most frequent. */
static void find_order(struct fathom_tracked_run *run, struct fathom_tracked_experiment *experiment)
{
	const struct fathom_thread_sequences *sequences = &run->sequences;
	const struct fathom_alignment *alignment = &sequences->alignment;
	uint32_t letter_count = run->clustering.count + 1;
	uint32_t *threads = fathom_tool_alloc(letter_count, sizeof(*threads));

	run->kinds_in_order = fathom_tool_alloc((size_t)alignment->columns + 1, sizeof(*run->kinds_in_order));
	for (uint32_t column = 0; column < alignment->columns; column++) {
		uint32_t most = 0;

		memset(threads, 0, letter_count * sizeof(*threads));
		for (uint32_t s = 0; s < alignment->count; s++) {
			uint32_t letter = alignment->letters[(size_t)s * alignment->columns + column];

			if (letter == FATHOM_GAP)
				continue;
			threads[letter] += sequences->sequences[s].weight;
			if (threads[letter] > threads[most])
				most = letter;
		}
		if (4 * (uint64_t)threads[most] >= sequences->aligned)
			run->kinds_in_order[experiment->length++] = most;
	}
	experiment->sequence = run->kinds_in_order;
	run->joined = fathom_tool_alloc(letter_count, sizeof(*run->joined));
	if (fathom_alignment_join_letters(alignment, letter_count, run->joined) < 0)
		fathom_tool_out_of_memory(letter_count);
	free(threads);
}

static void describe_run(struct fathom_tracked_runs *runs, uint32_t number)
{
	struct fathom_tracked_run *run = &runs->runs[number];
	struct fathom_tracked_experiment *experiment = &runs->experiments[number];
	const struct fathom_burst_list *list = &run->data->list;
	uint32_t last_process = UINT32_MAX;

	make_points(runs, run, experiment);
	find_order(run, experiment);
	run->seconds = fathom_tool_alloc((size_t)run->clustering.count + 1, sizeof(*run->seconds));
	for (uint32_t c = 1; c <= run->clustering.count; c++)
		run->seconds[c] = run->clustering.clusters[c].seconds;
	for (size_t i = 0; i < list->count; i++) {
		uint32_t thread, process;

		if (i && list->bursts[i].location == list->bursts[i - 1].location)
			continue;
		process = fathom_burst_process(run->data, list->bursts[i].location, &thread);
		run->process_count += process != last_process;
		last_process = process;
	}
	experiment->clusters = run->clusters;
	experiment->codes = run->codes;
	experiment->cluster_count = run->clustering.count;
	experiment->seconds = run->seconds;
	experiment->joined = run->joined;
}

/* Scales the points of each run to its own range, so that kinds whose values all grow keep their places. A dimension is
 * logarithmic in all runs if it was in one of them. */
static void scale_runs(struct fathom_tracked_runs *runs)
{
	const struct fathom_clustering *first = &runs->runs[0].clustering;

	for (uint32_t d = 0; d < runs->dimensions; d++) {
		runs->axes[d].is_kept = first->metrics.metrics[first->choice.metrics[d]].kind == FATHOM_BURST_CALL;
		runs->axes[d].factor = runs->axes[d].is_kept ? category_distance : 1;
		for (uint32_t r = 0; r < runs->count; r++)
			runs->axes[d].is_log |= runs->runs[r].clustering.axes[d].is_log;
	}
	for (uint32_t r = 0; r < runs->count; r++) {
		struct fathom_axis axes[FATHOM_MOST_DIMENSIONS];

		memcpy(axes, runs->axes, sizeof(axes));
		fathom_axes_scale(runs->runs[r].values, runs->experiments[r].points.count, runs->dimensions, axes);
	}
}

int fathom_tracked_runs_make(struct fathom_tracked_runs *runs, char **targets, uint32_t count, uint32_t window_count,
			     const struct fathom_cluster_choice *choice, size_t limit)
{
	int err;

	*runs = (struct fathom_tracked_runs){ .count = window_count ? window_count : count };
	runs->runs = fathom_tool_alloc(runs->count, sizeof(*runs->runs));
	runs->experiments = fathom_tool_alloc(runs->count, sizeof(*runs->experiments));
	err = window_count ? read_windows(runs, targets[0], limit) : read_runs(runs, targets, limit);
	if (!err)
		err = cluster_runs(runs, choice);
	if (err)
		return err;
	runs->dimensions = runs->runs[0].clustering.choice.metric_count;
	for (uint32_t r = 0; r < runs->count; r++)
		describe_run(runs, r);
	scale_runs(runs);
	if (fathom_tracking_make(&runs->tracking, runs->experiments, runs->count))
		fathom_tool_out_of_memory(runs->count * sizeof(*runs->experiments));
	return 0;
}

static void run_fini(struct fathom_tracked_run *run)
{
	fathom_thread_sequences_fini(&run->sequences);
	fathom_clustering_fini(&run->clustering);
	if (run->is_window && run->data)
		fathom_time_window_fini(run->data);
	else if (run->data)
		fathom_burst_data_fini(run->data);
	free(run->data);
	free(run->name);
	free(run->points);
	free(run->values);
	free(run->clusters);
	free(run->codes);
	free(run->kinds_in_order);
	free(run->joined);
	free(run->seconds);
}

void fathom_tracked_runs_fini(struct fathom_tracked_runs *runs)
{
	fathom_tracking_fini(&runs->tracking);
	for (uint32_t r = 0; r < runs->count; r++)
		run_fini(&runs->runs[r]);
	for (size_t c = 0; c < runs->code_count; c++)
		free(runs->code_texts[c]);
	if (runs->whole)
		fathom_burst_data_fini(runs->whole);
	fathom_index_fini(&runs->code_index);
	free(runs->whole);
	free(runs->code_texts);
	free(runs->metric_names);
	free(runs->experiments);
	free(runs->runs);
}
