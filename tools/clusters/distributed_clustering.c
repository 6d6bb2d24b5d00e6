#include "tools/clusters/distributed_clustering.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/point_tree.h"
#include "tools/clusters/cluster_values.h"
#include "tools/common/command.h"
#include "tools/common/hosts.h"

enum { BURSTS_OF_THREAD = 20 };	/* the filter leaves at least so many on average, as in clustering.c */

/* --- facts about all bursts --------------------------------------------------------------------------- */

/* What is added up over all processes, and then known to all. */
struct totals {
	struct fathom_duration_histogram histogram;
	uint64_t threads, dropped, dropped_ticks, interrupted, is_cut;
	uint64_t kept;			/* bursts that the filter keeps; added up later */
	double least_seconds;
};

static void add_histogram(struct fathom_duration_histogram *sum, const struct fathom_duration_histogram *other)
{
	for (unsigned bin = 0; bin < FATHOM_DURATION_BINS; bin++) {
		sum->counts[bin] += other->counts[bin];
		sum->seconds[bin] += other->seconds[bin];
	}
	sum->count += other->count;
	sum->total_seconds += other->total_seconds;
}

static int share_totals(struct fathom_comm *comm, const struct fathom_burst_data *data,
			const struct fathom_cluster_choice *choice, struct totals *totals)
{
	struct totals *other = fathom_tool_alloc(1, sizeof(*other));
	int err = 0;

	*totals = (struct totals){
		.histogram = data->histogram, .threads = data->thread_count, .dropped = data->list.dropped,
		.dropped_ticks = data->list.dropped_ticks, .interrupted = data->extraction.interrupted,
		.is_cut = data->is_cut,
	};
	if (comm->rank > 0)
		err = comm->send(comm, 0, totals, sizeof(*totals));
	for (int rank = 1; !err && comm->rank == 0 && rank < comm->size; rank++) {
		err = comm->receive(comm, rank, other, sizeof(*other));
		add_histogram(&totals->histogram, &other->histogram);
		totals->threads += other->threads;
		totals->dropped += other->dropped;
		totals->dropped_ticks += other->dropped_ticks;
		totals->interrupted += other->interrupted;
		totals->is_cut |= other->is_cut;
	}
	totals->least_seconds = choice->least_seconds >= 0 ? choice->least_seconds :
				fathom_duration_histogram_least(&totals->histogram, choice->share,
								BURSTS_OF_THREAD * totals->threads);
	free(other);
	return err ? err : comm->broadcast(comm, 0, totals, sizeof(*totals));
}

/* --- call paths --------------------------------------------------------------------------------------- */

/* Gives the call paths of a process the numbers that rank 0 has for them, in the numbers of a list of bursts. */
static void renumber(struct fathom_burst_list *list, const uint32_t *numbers)
{
	for (size_t i = 0; i < list->count; i++) {
		struct fathom_listed_burst *burst = &list->bursts[i];

		burst->before = burst->before == FATHOM_NO_BURST_PATH ? burst->before : numbers[burst->before];
		burst->after = burst->after == FATHOM_NO_BURST_PATH ? burst->after : numbers[burst->after];
		burst->code = burst->code == FATHOM_NO_BURST_PATH ? burst->code : numbers[burst->code];
	}
}

/* Takes the call paths of a process, and tells it their numbers here. */
static int take_paths(struct fathom_comm *comm, int rank, struct fathom_burst_paths *paths)
{
	struct fathom_burst_path *list;
	uint32_t count, *numbers;
	int err = comm->receive(comm, rank, &count, sizeof(count));

	if (err)
		return err;
	list = fathom_tool_alloc((size_t)count + 1, sizeof(*list));
	numbers = fathom_tool_alloc((size_t)count + 1, sizeof(*numbers));
	err = comm->receive(comm, rank, list, count * sizeof(*list));
	for (uint32_t p = 0; !err && p < count; p++)
		numbers[p] = fathom_burst_paths_child(paths, list[p].parent == FATHOM_NO_BURST_PATH ?
						      list[p].parent : numbers[list[p].parent], list[p].region);
	if (!err)
		err = comm->send(comm, rank, numbers, count * sizeof(*numbers));
	free(list);
	free(numbers);
	return err;
}

static int share_paths(struct fathom_comm *comm, struct fathom_burst_data *data, uint32_t *path_count)
{
	struct fathom_burst_paths *paths = &data->extraction.paths;
	uint32_t *numbers = fathom_tool_alloc((size_t)paths->count + 1, sizeof(*numbers));
	int err = 0;

	for (int rank = 1; !err && comm->rank == 0 && rank < comm->size; rank++)
		err = take_paths(comm, rank, paths);
	if (comm->rank > 0) {
		err = comm->send(comm, 0, &paths->count, sizeof(paths->count));
		if (!err)
			err = comm->send(comm, 0, paths->paths, paths->count * sizeof(*paths->paths));
		if (!err)
			err = comm->receive(comm, 0, numbers, paths->count * sizeof(*numbers));
		if (!err)
			renumber(&data->list, numbers);
	}
	free(numbers);
	*path_count = paths->count;
	return err ? err : comm->broadcast(comm, 0, path_count, sizeof(*path_count));
}

/* --- the sample --------------------------------------------------------------------------------------- */

/* Returns a number that looks random, always the same for the same i. */
static uint64_t scatter(uint64_t i)
{
	i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	i = (i ^ i >> 27) * UINT64_C(0x94d049bb133111eb);
	return i ^ i >> 31;
}

/* Appends the bursts of a list that the filter keeps to the sample: of each step, one at a random place, because equal
 * steps could always meet the same kind. Returns how many were kept. */
static uint64_t pick(const struct fathom_burst_data *data, double least_seconds, uint64_t step,
		     struct fathom_burst_list *sample)
{
	uint64_t kept = 0, chosen = 0;

	for (size_t i = 0; i < data->list.count; i++) {
		const struct fathom_listed_burst *from = &data->list.bursts[i];
		struct fathom_burst burst = {
			.location = from->location, .before = from->before, .after = from->after, .code = from->code,
			.begin = from->begin, .end = from->end,
			.counters = data->list.counters + i * data->list.counter_count,
		};

		if (fathom_burst_seconds(data, i) < least_seconds)
			continue;
		if (kept % step == 0)
			chosen = scatter(kept / step) % step;
		if (kept % step == chosen && sample)
			fathom_burst_list_add(sample, &burst);
		kept++;
	}
	return kept;
}

static int send_sample(struct fathom_comm *comm, const struct fathom_burst_list *sample)
{
	uint64_t count = sample->count;
	int err = comm->send(comm, 0, &count, sizeof(count));

	if (!err)
		err = comm->send(comm, 0, sample->bursts, count * sizeof(*sample->bursts));
	if (!err && sample->counter_count)
		err = comm->send(comm, 0, sample->counters,
				 count * sample->counter_count * sizeof(*sample->counters));
	return err;
}

static int receive_sample(struct fathom_comm *comm, int rank, struct fathom_burst_list *sample)
{
	uint32_t counters = sample->counter_count;
	struct fathom_listed_burst *bursts;
	uint64_t count;
	double *values;
	int err = comm->receive(comm, rank, &count, sizeof(count));

	if (err)
		return err;
	bursts = fathom_tool_alloc(count + 1, sizeof(*bursts));
	values = fathom_tool_alloc(count * counters + 1, sizeof(*values));
	err = comm->receive(comm, rank, bursts, count * sizeof(*bursts));
	if (!err && counters)
		err = comm->receive(comm, rank, values, count * counters * sizeof(*values));
	for (uint64_t i = 0; !err && i < count; i++) {
		const struct fathom_burst burst = {
			.location = bursts[i].location, .before = bursts[i].before, .after = bursts[i].after,
			.code = bursts[i].code, .begin = bursts[i].begin, .end = bursts[i].end,
			.counters = values + i * counters,
		};

		fathom_burst_list_add(sample, &burst);
	}
	free(bursts);
	free(values);
	return err;
}

/* Adds a number over all processes; all get the sum. */
static int share_sum(struct fathom_comm *comm, uint64_t *number)
{
	uint64_t other;
	int err = comm->rank > 0 ? comm->send(comm, 0, number, sizeof(*number)) : 0;

	for (int rank = 1; !err && comm->rank == 0 && rank < comm->size; rank++) {
		err = comm->receive(comm, rank, &other, sizeof(other));
		*number += other;
	}
	return err ? err : comm->broadcast(comm, 0, number, sizeof(*number));
}

/* Makes the sample at rank 0. */
static int gather_sample(struct fathom_distributed_clustering *distributed, struct fathom_comm *comm,
			 const struct fathom_burst_data *data, struct totals *totals, uint32_t size)
{
	struct fathom_burst_list *sample = &distributed->sample.list;
	uint64_t step;
	int err;

	totals->kept = pick(data, totals->least_seconds, 1, NULL);
	err = share_sum(comm, &totals->kept);
	step = (totals->kept + size - 1) / size;
	distributed->sample = *data;
	fathom_burst_list_init(sample, data->list.counter_count, SIZE_MAX);
	pick(data, totals->least_seconds, step ? step : 1, sample);
	if (!err && comm->rank > 0)
		err = send_sample(comm, sample);
	for (int rank = 1; !err && comm->rank == 0 && rank < comm->size; rank++)
		err = receive_sample(comm, rank, sample);
	fathom_burst_list_sort(sample, data->extraction.location_count);
	distributed->sample.histogram = totals->histogram;
	distributed->sample.thread_count = (uint32_t)totals->threads;
	distributed->sample.extraction.interrupted = totals->interrupted;
	distributed->sample.is_cut = totals->is_cut;
	distributed->sample_count = (uint32_t)sample->count;
	return err;
}

/* --- the model ---------------------------------------------------------------------------------------- */

struct model {
	struct fathom_cluster_choice choice;
	struct fathom_axis axes[FATHOM_MOST_DIMENSIONS];
	uint32_t point_count, cluster_count;
	int32_t err;
};

/* Fills in the model, at rank 0 from the clustering of the sample; values and clusters are those of its points. */
static int share_model(struct fathom_distributed_clustering *distributed, struct fathom_comm *comm, struct model *model,
		       double **values, uint32_t **clusters)
{
	const struct fathom_clustering *clustering = &distributed->clustering;
	size_t dimensions;
	int err;

	if (comm->rank == 0 && !model->err) {
		model->choice = clustering->choice;
		memcpy(model->axes, clustering->axes, sizeof(model->axes));
		model->point_count = clustering->point_count;
		model->cluster_count = clustering->count;
	}
	err = comm->broadcast(comm, 0, model, sizeof(*model));
	if (err || model->err)
		return err ? err : model->err;
	dimensions = model->choice.metric_count;
	*values = fathom_tool_alloc(model->point_count * dimensions + 1, sizeof(**values));
	*clusters = fathom_tool_alloc((size_t)model->point_count + 1, sizeof(**clusters));
	for (uint32_t i = 0; comm->rank == 0 && i < model->point_count; i++)
		(*clusters)[i] = clustering->numbers[clustering->bursts[i]];
	if (comm->rank == 0)
		memcpy(*values, clustering->values, model->point_count * dimensions * sizeof(**values));
	err = comm->broadcast(comm, 0, *values, model->point_count * dimensions * sizeof(**values));
	return err ? err : comm->broadcast(comm, 0, *clusters, model->point_count * sizeof(**clusters));
}

/* Fills in the place of a burst in the dimensions of the model. False: a metric was not measured. */
static bool place_of(const struct fathom_burst_data *data, const struct fathom_burst_metrics *metrics,
		     const struct model *model, size_t burst, double *point)
{
	for (uint32_t d = 0; d < model->choice.metric_count; d++) {
		double value = fathom_burst_metric_value(data, &metrics->metrics[model->choice.metrics[d]], burst);

		if (!isfinite(value))
			return false;
		point[d] = fathom_axis_place(&model->axes[d], value);
	}
	return true;
}

/* --- what the bursts of a cluster have in common ------------------------------------------------------- */

/* The sums of a cluster in one process. The values of its metrics and times of its call paths follow in arrays. */
struct cluster_sum {
	uint64_t count, threads;
	double seconds;
};

struct sums {
	uint32_t cluster_count, metric_count, path_count;
	struct cluster_sum *clusters;		/* 0: noise */
	struct fathom_cluster_metric *metrics;	/* [cluster][metric]; deviation: sum of squared differences */
	double *path_seconds;			/* [cluster][path] */
	uint64_t missing_count, short_count;
	double missing_seconds, short_seconds;
};

static void sums_init(struct sums *sums, uint32_t cluster_count, uint32_t metric_count, uint32_t path_count)
{
	size_t rows = (size_t)cluster_count + 1;

	*sums = (struct sums){ .cluster_count = cluster_count, .metric_count = metric_count, .path_count = path_count };
	sums->clusters = fathom_tool_alloc(rows, sizeof(*sums->clusters));
	sums->metrics = fathom_tool_alloc(rows * metric_count, sizeof(*sums->metrics));
	sums->path_seconds = fathom_tool_alloc(rows * path_count + 1, sizeof(*sums->path_seconds));
}

static void sums_fini(struct sums *sums)
{
	free(sums->clusters);
	free(sums->metrics);
	free(sums->path_seconds);
}

/* Joins the values of two sets of bursts. */
static void join_metric(struct fathom_cluster_metric *sum, const struct fathom_cluster_metric *other)
{
	double a = (double)sum->count, b = (double)other->count, difference = other->mean - sum->mean;

	if (!other->count)
		return;
	sum->least = sum->count ? fmin(sum->least, other->least) : other->least;
	sum->most = sum->count ? fmax(sum->most, other->most) : other->most;
	sum->deviation += other->deviation + difference * difference * a * b / (a + b);
	sum->mean += difference * b / (a + b);
	sum->count += other->count;
}

/* Puts the bursts of this process into clusters, and adds them up. */
static int assign(const struct fathom_burst_data *data, const struct model *model, const double *values,
		  const uint32_t *clusters, double least_seconds, struct sums *sums)
{
	const struct fathom_points points = { values, model->point_count, model->choice.metric_count };
	struct fathom_burst_metrics *metrics = fathom_tool_alloc(1, sizeof(*metrics));
	uint32_t *last = fathom_tool_alloc((size_t)model->cluster_count + 1, sizeof(*last));
	double point[FATHOM_MOST_DIMENSIONS];
	struct fathom_point_tree tree;

	if (fathom_point_tree_init(&tree, &points, HUGE_VAL))
		fathom_tool_out_of_memory(points.count * sizeof(point));
	fathom_burst_metrics_find(metrics, data);
	for (size_t i = 0; i < data->list.count; i++) {
		double seconds = fathom_burst_seconds(data, i);
		const struct fathom_listed_burst *burst = &data->list.bursts[i];
		uint32_t nearest, cluster;

		if (seconds < least_seconds) {
			sums->short_count++;
			sums->short_seconds += seconds;
			continue;
		}
		if (!place_of(data, metrics, model, i, point)) {
			sums->missing_count++;
			sums->missing_seconds += seconds;
			continue;
		}
		nearest = fathom_point_tree_nearest(&tree, point, model->choice.eps);
		cluster = nearest == UINT32_MAX ? FATHOM_NOISE : clusters[nearest];
		sums->clusters[cluster].count++;
		sums->clusters[cluster].seconds += seconds;
		sums->clusters[cluster].threads += last[cluster] != burst->location + 1;
		last[cluster] = burst->location + 1;
		if (burst->code != FATHOM_NO_BURST_PATH)
			sums->path_seconds[(size_t)cluster * sums->path_count + burst->code] += seconds;
		for (uint32_t m = 0; m < sums->metric_count; m++) {
			double value = fathom_burst_metric_value(data, &metrics->metrics[m], i);
			const struct fathom_cluster_metric one = { value, 0, value, value, 1 };

			if (isfinite(value))
				join_metric(&sums->metrics[(size_t)cluster * sums->metric_count + m], &one);
		}
	}
	fathom_point_tree_fini(&tree);
	free(metrics);
	free(last);
	return 0;
}

/* Sends or receives all sums. */
static int transfer(struct fathom_comm *comm, int partner, struct sums *sums, bool sends)
{
	size_t rows = (size_t)sums->cluster_count + 1;
	struct { void *data; size_t bytes; } parts[] = {
		{ &sums->missing_count, 2 * sizeof(uint64_t) + 2 * sizeof(double) },
		{ sums->clusters, rows * sizeof(*sums->clusters) },
		{ sums->metrics, rows * sums->metric_count * sizeof(*sums->metrics) },
		{ sums->path_seconds, rows * sums->path_count * sizeof(*sums->path_seconds) },
	};
	int err = 0;

	for (size_t p = 0; !err && p < sizeof(parts) / sizeof(*parts); p++)
		err = sends ? comm->send(comm, partner, parts[p].data, parts[p].bytes) :
		      comm->receive(comm, partner, parts[p].data, parts[p].bytes);
	return err;
}

static void add_sums(struct sums *sums, const struct sums *other)
{
	size_t rows = (size_t)sums->cluster_count + 1;

	sums->missing_count += other->missing_count;
	sums->short_count += other->short_count;
	sums->missing_seconds += other->missing_seconds;
	sums->short_seconds += other->short_seconds;
	for (size_t c = 0; c < rows; c++) {
		sums->clusters[c].count += other->clusters[c].count;
		sums->clusters[c].threads += other->clusters[c].threads;
		sums->clusters[c].seconds += other->clusters[c].seconds;
	}
	for (size_t i = 0; i < rows * sums->metric_count; i++)
		join_metric(&sums->metrics[i], &other->metrics[i]);
	for (size_t i = 0; i < rows * sums->path_count; i++)
		sums->path_seconds[i] += other->path_seconds[i];
}

static int collect(struct fathom_comm *comm, struct sums *sums)
{
	struct sums other;
	int err = comm->rank > 0 ? transfer(comm, 0, sums, true) : 0;

	for (int rank = 1; !err && comm->rank == 0 && rank < comm->size; rank++) {
		sums_init(&other, sums->cluster_count, sums->metric_count, sums->path_count);
		err = transfer(comm, rank, &other, false);
		if (!err)
			add_sums(sums, &other);
		sums_fini(&other);
	}
	return err;
}

/* --- the result --------------------------------------------------------------------------------------- */

static int by_seconds(const void *a, const void *b)
{
	const struct fathom_cluster *x = a, *y = b;

	return x->seconds > y->seconds ? -1 : x->seconds < y->seconds;
}

/* Replaces the values of a cluster, which are those of the sample, by those of all bursts. */
static void fill_cluster(struct fathom_cluster *cluster, const struct sums *sums, uint32_t number)
{
	const double *seconds = sums->path_seconds + (size_t)number * sums->path_count;

	cluster->count = sums->clusters[number].count;
	cluster->seconds = sums->clusters[number].seconds;
	cluster->threads = (uint32_t)sums->clusters[number].threads;
	cluster->score = -1;
	for (uint32_t m = 0; m < sums->metric_count; m++) {
		cluster->metrics[m] = sums->metrics[(size_t)number * sums->metric_count + m];
		cluster->metrics[m].deviation = cluster->metrics[m].count > 1 ?
			sqrt(cluster->metrics[m].deviation / (double)(cluster->metrics[m].count - 1)) : 0;
	}
	cluster->place_count = 0;
	for (uint32_t p = 0; p < sums->path_count; p++)
		fathom_cluster_add_place(cluster, p, seconds[p]);
}

static void fill_clustering(struct fathom_distributed_clustering *distributed, const struct sums *sums,
			    const struct totals *totals)
{
	struct fathom_clustering *clustering = &distributed->clustering;

	clustering->sample_count = distributed->sample_count;
	clustering->kept_seconds = 0;
	clustering->point_count = 0;
	for (uint32_t c = 0; c <= clustering->count; c++) {
		fill_cluster(&clustering->clusters[c], sums, c);
		clustering->kept_seconds += clustering->clusters[c].seconds;
		clustering->point_count += (uint32_t)clustering->clusters[c].count;
	}
	qsort(clustering->clusters + 1, clustering->count, sizeof(*clustering->clusters), by_seconds);
	clustering->missing_count = sums->missing_count;
	clustering->missing_seconds = sums->missing_seconds;
	clustering->short_count = sums->short_count + totals->dropped;
	clustering->short_seconds = sums->short_seconds +
		fathom_otf2_seconds(&clustering->data->trace.defs, (double)totals->dropped_ticks);
}

int fathom_distributed_clustering_make(struct fathom_distributed_clustering *distributed, struct fathom_comm *comm,
				       struct fathom_burst_data *data, const struct fathom_cluster_choice *given,
				       uint32_t sample_size)
{
	struct fathom_cluster_choice choice = *given;
	struct totals *totals = fathom_tool_alloc(1, sizeof(*totals));
	struct model *model = fathom_tool_alloc(1, sizeof(*model));
	uint32_t path_count = 0, *clusters = NULL;
	double *values = NULL;
	struct sums sums;
	int err = share_totals(comm, data, given, totals);

	if (!err)
		err = share_paths(comm, data, &path_count);
	if (!err)
		err = gather_sample(distributed, comm, data, totals, sample_size);
	choice.least_seconds = totals->least_seconds;
	if (!err && comm->rank == 0)
		model->err = fathom_clustering_make(&distributed->clustering, &distributed->sample, &choice);
	if (!err && comm->rank == 0 && !model->err)
		distributed->clustering.choice.least_is_chosen = given->least_seconds < 0;
	if (!err)
		err = share_model(distributed, comm, model, &values, &clusters);
	if (!err) {
		uint32_t metric_count = FATHOM_BURST_METRICS_MOST;

		if (comm->rank == 0)
			metric_count = distributed->clustering.metrics.count;
		err = comm->broadcast(comm, 0, &metric_count, sizeof(metric_count));
		sums_init(&sums, model->cluster_count, metric_count, path_count);
		if (!err)
			err = assign(data, model, values, clusters, totals->least_seconds, &sums);
		if (!err)
			err = collect(comm, &sums);
		if (!err && comm->rank == 0)
			fill_clustering(distributed, &sums, totals);
		sums_fini(&sums);
	}
	free(values);
	free(clusters);
	free(model);
	free(totals);
	return fathom_hosts_agree(comm, err);
}

void fathom_distributed_clustering_fini(struct fathom_distributed_clustering *distributed)
{
	fathom_clustering_fini(&distributed->clustering);
	fathom_burst_list_fini(&distributed->sample.list);
}
