#include "tools/clusters/clustering.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/cluster_quality.h"
#include "clusters/dbscan.h"
#include "clusters/distance_curve.h"
#include "clusters/kmeans.h"
#include "tools/clusters/cluster_refinement.h"
#include "tools/clusters/cluster_values.h"
#include "tools/common/command.h"

enum {
	LEAST_POINTS = 4,	/* the least MinPts that is chosen */
	SHARE_OF_POINTS = 400,	/* MinPts is this part of all points: a kind with fewer bursts is not looked for */
	CURVE_SAMPLE = 20000,	/* points from which eps is chosen */
	BURSTS_OF_THREAD = 20,	/* the filter leaves at least so many on average: a few long bursts, of the begin of the
				 * program, may have nearly all of the time */
};

/* Other values of eps are not chosen: one per cent of an axis is no difference in kind, and ten per cent are one. */
static const double least_eps = 0.01, most_eps = 0.1;

/* Numbers of categories lie farther apart than any eps. */
static const double category_distance = 2;

/* --- metrics ------------------------------------------------------------------------------------------ */

static void read_names(struct fathom_clustering *clustering)
{
	struct fathom_cluster_choice *choice = &clustering->choice;
	const char *name = choice->names;

	for (;;) {
		size_t length = strcspn(name, ",");

		if (choice->metric_count == FATHOM_MOST_DIMENSIONS)
			fathom_tool_usage_error("--metrics %s: at most %d are possible", choice->names,
						FATHOM_MOST_DIMENSIONS);
		choice->metrics[choice->metric_count++] =
			fathom_burst_metrics_index(&clustering->metrics, name, length);
		if (!name[length])
			return;
		name += length + 1;
	}
}

/* Returns whether enough of the time of the bursts has a value of the metric. */
static bool is_measured(const struct fathom_clustering *clustering, uint32_t metric)
{
	double measured = 0, all = 0;

	for (size_t i = 0; i < clustering->data->list.count; i++) {
		double seconds = fathom_burst_seconds(clustering->data, i);

		all += seconds;
		if (isfinite(fathom_burst_metric_value(clustering->data, &clustering->metrics.metrics[metric], i)))
			measured += seconds;
	}
	return measured >= 0.9 * all;
}

static void use(struct fathom_cluster_choice *choice, uint32_t first, uint32_t second)
{
	choice->metrics[0] = first;
	choice->metrics[1] = second;
	choice->metric_count = 2;
}

/* --- points ------------------------------------------------------------------------------------------- */

/* Decides which bursts are clustered, and makes points of them. */
static void make_points(struct fathom_clustering *clustering)
{
	const struct fathom_burst_data *data = clustering->data;
	const struct fathom_cluster_choice *choice = &clustering->choice;
	uint32_t dimensions = choice->metric_count, count = 0;

	clustering->dimensions = dimensions;
	for (size_t i = 0; i < data->list.count; i++) {
		double *point = clustering->values + (size_t)count * dimensions;
		bool is_missing = false;

		clustering->numbers[i] = FATHOM_BURST_SHORT;
		if (fathom_burst_seconds(data, i) < choice->least_seconds)
			continue;
		for (uint32_t d = 0; d < dimensions; d++) {
			point[d] = fathom_burst_metric_value(data, &clustering->metrics.metrics[choice->metrics[d]],
							     i);
			is_missing |= !isfinite(point[d]);
		}
		clustering->numbers[i] = is_missing ? FATHOM_BURST_MISSING : FATHOM_NOISE;
		if (!is_missing)
			clustering->bursts[count++] = (uint32_t)i;
	}
	clustering->point_count = count;
	for (uint32_t d = 0; d < dimensions; d++) {
		bool is_category = clustering->metrics.metrics[choice->metrics[d]].kind == FATHOM_BURST_CALL;

		clustering->axes[d] = (struct fathom_axis){
			.is_kept = is_category, .factor = is_category ? category_distance : 1,
			.is_log = !is_category && fathom_axis_needs_log(clustering->values, count, dimensions, d),
		};
	}
	fathom_axes_scale(clustering->values, count, dimensions, clustering->axes);
	if (choice->principal_axes && count)
		clustering->dimensions = fathom_axes_reduce(clustering->values, count, dimensions, 0.95);
}

/* --- eps and MinPts ----------------------------------------------------------------------------------- */

/* Returns how good eps is for a sample: how well the clusters are apart, times the share of points that are in one. */
static double quality_of(const struct fathom_points *sample, double eps, uint32_t min_points, uint32_t *found)
{
	uint32_t clustered = 0;
	double silhouette = 0;
	int count = fathom_dbscan(sample, eps, min_points, found);

	if (count < 0 || fathom_silhouette(sample, found, &silhouette))
		fathom_tool_out_of_memory(sample->count * sizeof(double));
	for (uint32_t i = 0; i < sample->count; i++)
		clustered += found[i] != FATHOM_NOISE;
	return silhouette * clustered / sample->count;
}

/* Returns the best of the values of eps that the curve of distances proposes. */
static double choose_candidate(const struct fathom_points *sample, const struct fathom_distance_curve *curve,
			       uint32_t min_points)
{
	double candidates[FATHOM_CURVE_CANDIDATES], best = least_eps, most = -HUGE_VAL, last = 0;
	uint32_t count = fathom_distance_curve_candidates(curve, candidates);
	uint32_t *found = fathom_tool_alloc(sample->count, sizeof(*found));

	for (uint32_t c = 0; c < count; c++) {
		double eps = fmin(fmax(candidates[c], least_eps), most_eps), quality;

		if (eps == last)
			continue;
		last = eps;
		quality = quality_of(sample, eps, min_points, found);
		if (quality > most) {
			most = quality;
			best = eps;
		}
	}
	free(found);
	return best;
}

/* Fills in the values of eps that the curve proposes, within the limits and rising. Returns how many there are. */
static uint32_t list_candidates(const struct fathom_distance_curve *curve, double list[FATHOM_CURVE_CANDIDATES])
{
	double candidates[FATHOM_CURVE_CANDIDATES];
	uint32_t found = fathom_distance_curve_candidates(curve, candidates), count = 0;

	for (uint32_t c = 0; c < found; c++) {
		double eps = fmin(fmax(candidates[c], least_eps), most_eps);

		if (count == 0 || eps > list[count - 1])
			list[count++] = eps;
	}
	if (count == 0)
		list[count++] = most_eps;
	return count;
}

/* Chooses eps by a sample of the points. MinPts is the same share of the sample as of all points, so that both have the
 * same density. */
static int choose_eps(struct fathom_clustering *clustering)
{
	struct fathom_points sample = { clustering->values, clustering->point_count, clustering->dimensions };
	uint32_t count = clustering->point_count < CURVE_SAMPLE ? clustering->point_count : CURVE_SAMPLE;
	uint32_t min_points = (uint32_t)((uint64_t)clustering->choice.min_points * count / clustering->point_count);
	struct fathom_distance_curve curve;
	double *values = fathom_tool_alloc((size_t)count * sample.dimensions, sizeof(*values));
	int err;

	if (min_points < LEAST_POINTS)
		min_points = clustering->choice.min_points < LEAST_POINTS ? clustering->choice.min_points :
			     LEAST_POINTS;
	for (uint32_t i = 0; i < count; i++)
		memcpy(values + (size_t)i * sample.dimensions, clustering->values +
		       (uint64_t)i * clustering->point_count / count * sample.dimensions,
		       sample.dimensions * sizeof(*values));
	sample.values = values;
	sample.count = count;
	err = fathom_distance_curve_init(&curve, &sample, min_points, category_distance / 2);
	if (!err) {
		if (clustering->choice.method == FATHOM_REFINEMENT)
			clustering->choice.eps_count =
				list_candidates(&curve, clustering->choice.eps_list);
		else
			clustering->choice.eps = choose_candidate(&sample, &curve, min_points);
		fathom_distance_curve_fini(&curve);
	}
	free(values);
	return err;
}

/* Refinement begins with small clusters and joins them; a quarter of the threads is enough for one. */
static uint32_t choose_min_points(const struct fathom_clustering *clustering)
{
	uint32_t points = clustering->point_count / SHARE_OF_POINTS, threads = clustering->data->thread_count / 4;

	if (clustering->choice.method == FATHOM_REFINEMENT)
		return threads < 2 ? 2 : threads;
	return points < LEAST_POINTS ? LEAST_POINTS : points;
}

/* Fills in the cluster of each point. Returns the number of clusters, or -errno. */
static int find_clusters(struct fathom_clustering *clustering, uint32_t *found)
{
	const struct fathom_points points = { clustering->values, clustering->point_count, clustering->dimensions };
	struct fathom_cluster_choice *choice = &clustering->choice;
	int err;

	if (choice->method == FATHOM_KMEANS)
		return fathom_kmeans(&points, choice->means, found);
	if (choice->method == FATHOM_XMEANS)
		return fathom_xmeans(&points, 64, found);
	choice->min_points_is_chosen = choice->min_points == 0;
	if (choice->min_points_is_chosen)
		choice->min_points = choose_min_points(clustering);
	choice->eps_is_chosen = choice->eps_count == 0;
	if (choice->eps_is_chosen) {
		err = choose_eps(clustering);
		if (err)
			return err;
	}
	if (choice->method == FATHOM_REFINEMENT)
		return (int)fathom_cluster_refinement_make(clustering, found);
	if (!choice->eps_is_chosen)
		choice->eps = choice->eps_list[0];
	return fathom_dbscan(&points, choice->eps, choice->min_points, found);
}

/* --- all of it ---------------------------------------------------------------------------------------- */

/* Clusters the bursts in the dimensions that are chosen. 0, or -errno. */
static int cluster(struct fathom_clustering *clustering)
{
	uint32_t *found;
	int count;

	free(clustering->values);
	clustering->values = fathom_tool_alloc((clustering->data->list.count + 1) * clustering->choice.metric_count,
					       sizeof(*clustering->values));
	make_points(clustering);
	if (clustering->point_count == 0) {
		fathom_tool_error("%s: no burst is long enough and has all metrics", clustering->data->trace.anchor);
		return -ENODATA;
	}
	found = fathom_tool_alloc(clustering->point_count, sizeof(*found));
	count = find_clusters(clustering, found);
	if (count < 0) {
		fathom_tool_out_of_memory(clustering->point_count * sizeof(double));
	} else {
		const struct fathom_points points = { clustering->values, clustering->point_count,
						      clustering->dimensions };

		fathom_cluster_values_find(clustering, found, (uint32_t)count);
		for (uint32_t i = 0; i < clustering->point_count; i++)
			found[i] = clustering->numbers[clustering->bursts[i]];
		if (fathom_silhouette(&points, found, &clustering->silhouette))
			fathom_tool_out_of_memory(points.count);
	}
	free(found);
	return 0;
}

/* Clusters with the duration and each counter in turn; keeps the counter with which clusters are best apart and hold
 * most of the time. */
static int choose_counter(struct fathom_clustering *clustering)
{
	const struct fathom_cluster_choice given = clustering->choice;
	uint32_t best = 1;
	double most = -HUGE_VAL;

	for (uint32_t m = 2; m < clustering->metrics.count; m++) {
		double quality;

		if (!is_measured(clustering, m))
			continue;
		clustering->choice = given;
		use(&clustering->choice, 0, m);
		if (cluster(clustering))
			return -ENODATA;
		quality = clustering->silhouette * (1 - clustering->clusters[0].seconds / clustering->kept_seconds);
		if (quality > most) {
			most = quality;
			best = m;
		}
	}
	clustering->choice = given;
	use(&clustering->choice, 0, best);
	return 0;
}

int fathom_clustering_make(struct fathom_clustering *clustering, const struct fathom_burst_data *data,
			   const struct fathom_cluster_choice *given)
{
	struct fathom_cluster_choice *choice = &clustering->choice;
	const struct fathom_burst_metrics *metrics = &clustering->metrics;
	int err = 0;

	*clustering = (struct fathom_clustering){ .data = data, .choice = *given, .score = -1 };
	clustering->seconds = data->histogram.total_seconds;
	fathom_burst_metrics_find(&clustering->metrics, data);
	choice->least_is_chosen = choice->least_seconds < 0;
	if (choice->least_is_chosen)
		choice->least_seconds = fathom_duration_histogram_least(&data->histogram, choice->share,
				(uint64_t)BURSTS_OF_THREAD * data->thread_count);
	clustering->numbers = fathom_tool_alloc(data->list.count, sizeof(*clustering->numbers));
	clustering->bursts = fathom_tool_alloc(data->list.count, sizeof(*clustering->bursts));
	if (choice->names)
		read_names(clustering);
	else if (metrics->ipc >= 0 && is_measured(clustering, (uint32_t)metrics->ipc))
		use(choice, (uint32_t)metrics->instructions, (uint32_t)metrics->ipc);
	else
		err = choose_counter(clustering);
	return err ? err : cluster(clustering);
}

void fathom_clustering_fini(struct fathom_clustering *clustering)
{
	fathom_cluster_values_fini(clustering);
	fathom_refinement_fini(&clustering->tree);
	free(clustering->numbers);
	free(clustering->bursts);
	free(clustering->values);
}
