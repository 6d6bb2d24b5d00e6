#include "tools/clusters/cluster_values.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/command.h"

/* --- numbers ------------------------------------------------------------------------------------------ */

struct rank {
	uint32_t found;
	double seconds;
};

static int by_seconds(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds > y->seconds ? -1 : 1;
	return x->found < y->found ? -1 : x->found > y->found;
}

/* Gives clusters numbers by falling duration. */
static void number(struct fathom_clustering *clustering, const uint32_t *found, uint32_t count)
{
	struct rank *ranks = fathom_tool_alloc((size_t)count + 1, sizeof(*ranks));
	uint32_t *numbers = fathom_tool_alloc((size_t)count + 1, sizeof(*numbers));

	for (uint32_t c = 0; c <= count; c++)
		ranks[c].found = c;
	for (uint32_t i = 0; i < clustering->point_count; i++)
		ranks[found[i]].seconds += fathom_burst_seconds(clustering->data, clustering->bursts[i]);
	if (count > 1)
		qsort(ranks + 1, count, sizeof(*ranks), by_seconds);
	for (uint32_t c = 1; c <= count; c++)
		numbers[ranks[c].found] = c;
	for (uint32_t i = 0; i < clustering->point_count; i++)
		clustering->numbers[clustering->bursts[i]] = numbers[found[i]];
	free(ranks);
	free(numbers);
}

/* --- values ------------------------------------------------------------------------------------------- */

/* Adds a value; mean and the sum of squared differences from it are kept up to date (Welford's method). */
static void add_value(struct fathom_cluster_metric *metric, double value)
{
	double difference = value - metric->mean;

	if (!isfinite(value))
		return;
	metric->least = metric->count ? fmin(metric->least, value) : value;
	metric->most = metric->count ? fmax(metric->most, value) : value;
	metric->count++;
	metric->mean += difference / (double)metric->count;
	metric->deviation += difference * (value - metric->mean);
}

static void add_bursts(struct fathom_clustering *clustering)
{
	const struct fathom_burst_data *data = clustering->data;
	uint32_t *last_thread = fathom_tool_alloc((size_t)clustering->count + 1, sizeof(*last_thread));

	for (size_t i = 0; i < data->list.count; i++) {
		double seconds = fathom_burst_seconds(data, i);
		struct fathom_cluster *cluster;

		if (clustering->numbers[i] == FATHOM_BURST_SHORT) {
			clustering->short_count++;
			clustering->short_seconds += seconds;
			continue;
		}
		if (clustering->numbers[i] == FATHOM_BURST_MISSING) {
			clustering->missing_count++;
			clustering->missing_seconds += seconds;
			continue;
		}
		cluster = &clustering->clusters[clustering->numbers[i]];
		cluster->count++;
		cluster->seconds += seconds;
		clustering->kept_seconds += seconds;
		/* Bursts are sorted by location. */
		if (last_thread[clustering->numbers[i]] != data->list.bursts[i].location + 1) {
			last_thread[clustering->numbers[i]] = data->list.bursts[i].location + 1;
			cluster->threads++;
		}
		for (uint32_t m = 0; m < clustering->metrics.count; m++)
			add_value(&cluster->metrics[m],
				  fathom_burst_metric_value(data, &clustering->metrics.metrics[m], i));
	}
	for (uint32_t c = 0; c <= clustering->count; c++)
		for (uint32_t m = 0; m < clustering->metrics.count; m++) {
			struct fathom_cluster_metric *metric = &clustering->clusters[c].metrics[m];

			metric->deviation = metric->count > 1 ? sqrt(metric->deviation / (double)(metric->count - 1)) :
					    0;
		}
	clustering->short_count += data->list.dropped;
	clustering->short_seconds += fathom_otf2_seconds(&data->trace.defs, (double)data->list.dropped_ticks);
	free(last_thread);
}

/* --- code --------------------------------------------------------------------------------------------- */

void fathom_cluster_add_place(struct fathom_cluster *cluster, uint32_t path, double seconds)
{
	uint32_t place = cluster->place_count;

	if (seconds <= 0)
		return;
	if (place == FATHOM_CLUSTER_PLACES) {
		if (seconds <= cluster->places[place - 1].seconds)
			return;
		place--;
	} else {
		cluster->place_count++;
	}
	for (; place > 0 && cluster->places[place - 1].seconds < seconds; place--)
		cluster->places[place] = cluster->places[place - 1];
	cluster->places[place] = (struct fathom_cluster_place){ path, seconds };
}

struct part {		/* the time of a cluster at a call path */
	uint32_t cluster, path;
	double seconds;
};

static int by_cluster(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->cluster != y->cluster)
		return x->cluster < y->cluster ? -1 : 1;
	return x->path < y->path ? -1 : x->path > y->path;
}

static void find_places(struct fathom_clustering *clustering)
{
	struct part *parts = fathom_tool_alloc(clustering->point_count, sizeof(*parts));
	uint32_t end;

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t burst = clustering->bursts[i];

		parts[i] = (struct part){ clustering->numbers[burst], clustering->data->list.bursts[burst].code,
					  fathom_burst_seconds(clustering->data, burst) };
	}
	qsort(parts, clustering->point_count, sizeof(*parts), by_cluster);
	for (uint32_t i = 0; i < clustering->point_count; i = end) {
		double seconds = 0;

		for (end = i; end < clustering->point_count && by_cluster(&parts[i], &parts[end]) == 0; end++)
			seconds += parts[end].seconds;
		if (parts[i].path != FATHOM_NO_BURST_PATH)
			fathom_cluster_add_place(&clustering->clusters[parts[i].cluster], parts[i].path, seconds);
	}
	free(parts);
}

void fathom_cluster_values_find(struct fathom_clustering *clustering, const uint32_t *found, uint32_t count)
{
	fathom_cluster_values_fini(clustering);
	number(clustering, found, count);
	clustering->count = count;
	clustering->clusters = fathom_tool_alloc((size_t)count + 1, sizeof(*clustering->clusters));
	for (uint32_t c = 0; c <= count; c++) {
		clustering->clusters[c].score = -1;
		clustering->clusters[c].metrics = fathom_tool_alloc(clustering->metrics.count,
								    sizeof(*clustering->clusters[c].metrics));
	}
	clustering->short_count = clustering->missing_count = 0;
	clustering->kept_seconds = clustering->short_seconds = clustering->missing_seconds = 0;
	add_bursts(clustering);
	find_places(clustering);
}

void fathom_cluster_values_fini(struct fathom_clustering *clustering)
{
	for (uint32_t c = 0; clustering->clusters && c <= clustering->count; c++)
		free(clustering->clusters[c].metrics);
	free(clustering->clusters);
	clustering->clusters = NULL;
	clustering->count = 0;
}

double fathom_cluster_mean(const struct fathom_cluster *cluster)
{
	return cluster->count ? cluster->seconds / (double)cluster->count : 0;
}
