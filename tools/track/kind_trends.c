#include "tools/track/kind_trends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Returns the metric of a run that has the name of a metric of the first run; -1: the run does not have it. */
static int64_t metric_of(const struct fathom_tracked_run *run, const struct fathom_burst_metric *wanted)
{
	for (uint32_t m = 0; m < run->clustering.metrics.count; m++)
		if (strcmp(run->clustering.metrics.metrics[m].name, wanted->name) == 0)
			return m;
	return -1;
}

static void add_cluster(struct fathom_kind_trends *trends, uint32_t number, uint32_t cluster_number)
{
	const struct fathom_tracked_run *run = &trends->runs->runs[number];
	const struct fathom_cluster *cluster = &run->clustering.clusters[cluster_number];
	struct fathom_kind_values *values =
		fathom_kind_values_of(trends, trends->runs->tracking.kinds[number][cluster_number], number);

	values->bursts += cluster->count;
	values->seconds += cluster->seconds;
	if (!values->largest || cluster->seconds > run->clustering.clusters[values->largest].seconds)
		values->largest = cluster_number;
	for (uint32_t m = 0; m < trends->metric_count; m++) {
		int64_t metric = metric_of(run, trends->metrics[m]);

		if (metric < 0 || cluster->metrics[metric].count == 0)
			continue;
		values->means[m] += cluster->metrics[metric].mean * (double)cluster->metrics[metric].count;
		values->counts[m] += (double)cluster->metrics[metric].count;
	}
}

static void find_coverage(struct fathom_kind_trends *trends)
{
	const struct fathom_tracked_runs *runs = trends->runs;

	trends->least_coverage = 2;
	for (uint32_t r = 0; r < runs->count; r++) {
		double coverage = fathom_tracking_coverage(&runs->tracking, runs->experiments, r);

		trends->coverage += coverage / runs->count;
		if (coverage < trends->least_coverage) {
			trends->least_coverage = coverage;
			trends->least_covered = r;
		}
	}
}

/* Adds a metric if it is no category and is not there yet. */
static void add_metric(struct fathom_kind_trends *trends, const struct fathom_burst_metric *metric)
{
	bool is_there = metric->kind == FATHOM_BURST_CALL;

	for (uint32_t m = 0; m < trends->metric_count; m++)
		is_there |= trends->metrics[m] == metric;
	if (!is_there)
		trends->metrics[trends->metric_count++] = metric;
}

void fathom_kind_trends_make(struct fathom_kind_trends *trends, const struct fathom_tracked_runs *runs)
{
	const struct fathom_burst_metrics *metrics = &runs->runs[0].clustering.metrics;
	const struct fathom_cluster_choice *choice = &runs->runs[0].clustering.choice;
	size_t rows = ((size_t)runs->tracking.kind_count + 1) * runs->count;

	*trends = (struct fathom_kind_trends){ .runs = runs };
	trends->metrics = fathom_tool_alloc(metrics->count, sizeof(*trends->metrics));
	add_metric(trends, &metrics->metrics[0]);
	for (uint32_t d = 0; d < choice->metric_count; d++)
		add_metric(trends, &metrics->metrics[choice->metrics[d]]);
	for (uint32_t m = 0; m < metrics->count; m++)
		add_metric(trends, &metrics->metrics[m]);
	trends->values = fathom_tool_alloc(rows, sizeof(*trends->values));
	trends->memory = fathom_tool_alloc(rows * trends->metric_count * 2, sizeof(*trends->memory));
	for (size_t i = 0; i < rows; i++) {
		trends->values[i].means = trends->memory + i * 2 * trends->metric_count;
		trends->values[i].counts = trends->values[i].means + trends->metric_count;
	}
	for (uint32_t r = 0; r < runs->count; r++)
		for (uint32_t c = 0; c <= runs->runs[r].clustering.count; c++)
			add_cluster(trends, r, c);
	for (size_t i = 0; i < rows; i++)
		for (uint32_t m = 0; m < trends->metric_count; m++)
			trends->values[i].means[m] = trends->values[i].counts[m] > 0 ?
				trends->values[i].means[m] / trends->values[i].counts[m] : NAN;
	find_coverage(trends);
}

void fathom_kind_trends_fini(struct fathom_kind_trends *trends)
{
	free(trends->metrics);
	free(trends->values);
	free(trends->memory);
}

const char *fathom_kind_clusters(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run, char *text,
				 size_t bytes)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t c = 1; c <= runs->runs[run].clustering.count && used + 12 < bytes; c++)
		if (runs->tracking.kinds[run][c] == kind)
			used += (size_t)snprintf(text + used, bytes - used, "%s%u", used ? "+" : "", c);
	return text;
}

const char *fathom_kind_code(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t first, char *text,
			     size_t bytes, const char **file, uint32_t *line)
{
	*file = "";
	text[0] = '\0';
	*line = 0;
	for (uint32_t r = first; r < trends->runs->count; r++) {
		const struct fathom_clustering *clustering = &trends->runs->runs[r].clustering;
		const struct fathom_cluster *cluster =
			&clustering->clusters[fathom_kind_values_of(trends, kind, r)->largest];
		const struct fathom_otf2_defs *defs = &clustering->data->trace.defs;
		const struct fathom_otf2_region *region;

		if (!fathom_kind_values_of(trends, kind, r)->largest || !cluster->place_count)
			continue;
		region = fathom_otf2_at(defs, FATHOM_OTF2_REGION,
			clustering->data->extraction.paths.paths[cluster->places[0].path].region);
		if (region->file != OTF2_UNDEFINED_STRING && region->begin_line) {
			*file = fathom_otf2_text(defs, region->file);
			*line = region->begin_line;
			if (strrchr(*file, '/'))
				*file = strrchr(*file, '/') + 1;
		}
		return fathom_burst_path_text(&clustering->data->extraction, cluster->places[0].path, text, bytes);
	}
	return text;
}
