#include "tools/clusters/counter_comparison.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/point_tree.h"
#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"

/* --- metrics of both runs ------------------------------------------------------------------------------ */

enum { NONE = UINT32_MAX };

static uint32_t find(const struct fathom_burst_metrics *metrics, const char *name)
{
	for (uint32_t m = 0; m < metrics->count; m++)
		if (strcmp(metrics->metrics[m].name, name) == 0)
			return m;
	return NONE;
}

/* The metrics of the other run: those of the dimensions, and by metric of this run. */
struct other_run {
	const struct fathom_burst_data *data;
	struct fathom_burst_metrics metrics;
	uint32_t dimensions[FATHOM_MOST_DIMENSIONS];
	uint32_t same[FATHOM_BURST_METRICS_MOST];
};

/* 0, or -EINVAL after an error message. */
static int find_metrics(struct other_run *other, const struct fathom_clustering *clustering,
			const struct fathom_counter_estimates *estimates)
{
	const char *path = other->data->trace.anchor;
	uint32_t known = 0;

	fathom_burst_metrics_find(&other->metrics, other->data);
	for (uint32_t m = 0; m < clustering->metrics.count; m++)
		other->same[m] = find(&other->metrics, clustering->metrics.metrics[m].name);
	for (uint32_t d = 0; d < clustering->choice.metric_count; d++) {
		const struct fathom_burst_metric *metric = &clustering->metrics.metrics[clustering->choice.metrics[d]];

		other->dimensions[d] = other->same[clustering->choice.metrics[d]];
		if (metric->kind == FATHOM_BURST_CALL || clustering->choice.principal_axes) {
			fathom_tool_error("--compare-counters: the kinds were found %s, which two runs do not share "
					  "(choose counters or duration with --metrics)",
					  metric->kind == FATHOM_BURST_CALL ? "by call" : "on principal axes");
			return -EINVAL;
		}
		if (other->dimensions[d] == NONE) {
			fathom_tool_error("%s: --compare-counters: there is no %s, by which the kinds were found", path,
					  metric->name);
			return -EINVAL;
		}
	}
	for (uint32_t i = 0; i < estimates->count; i++)
		known += other->same[estimates->list[i].metric] != NONE;
	if (!known) {
		fathom_tool_error("%s: --compare-counters: %s", path,
				  estimates->count ? "there is none of the extrapolated counters" :
						     "no counter of this run was extrapolated");
		return -EINVAL;
	}
	return 0;
}

/* --- comparison ---------------------------------------------------------------------------------------- */

/* Fills in the place of a burst of the other run among the points of this one. False: a metric was not measured. */
static bool place_of(const struct other_run *other, const struct fathom_clustering *clustering, size_t burst,
		     double *point)
{
	for (uint32_t d = 0; d < clustering->choice.metric_count; d++) {
		double value = fathom_burst_metric_value(other->data, &other->metrics.metrics[other->dimensions[d]],
							 burst);

		if (!isfinite(value))
			return false;
		point[d] = fathom_axis_place(&clustering->axes[d], value);
	}
	return true;
}

/* Adds the counters of a burst to the sums of its kind. */
static void add_burst(struct fathom_counter_comparison *comparison, const struct fathom_counter_estimates *estimates,
		      const struct other_run *other, size_t burst, uint32_t cluster)
{
	for (uint32_t i = 0; i < estimates->count; i++) {
		uint32_t metric = other->same[estimates->list[i].metric];
		double value;

		if (estimates->list[i].cluster != cluster || metric == NONE)
			continue;
		value = fathom_burst_metric_value(other->data, &other->metrics.metrics[metric], burst);
		if (isfinite(value)) {
			comparison->list[i].real += value;
			comparison->list[i].count++;
		}
	}
}

/* Puts the bursts of the other run into the kinds of this one. */
static void add_bursts(struct fathom_counter_comparison *comparison, const struct fathom_counter_estimates *estimates,
		       const struct fathom_clustering *clustering, const struct other_run *other)
{
	const struct fathom_points points = { clustering->values, clustering->point_count, clustering->dimensions };
	double radius = clustering->choice.method == FATHOM_DBSCAN ? clustering->choice.eps : HUGE_VAL;
	double point[FATHOM_MOST_DIMENSIONS];
	struct fathom_point_tree tree;

	if (fathom_point_tree_init(&tree, &points, HUGE_VAL))
		fathom_tool_out_of_memory(points.count * sizeof(point));
	for (size_t b = 0; b < other->data->list.count; b++) {
		uint32_t cluster = FATHOM_NOISE, nearest = UINT32_MAX;

		if (fathom_burst_seconds(other->data, b) >= clustering->choice.least_seconds &&
		    place_of(other, clustering, b, point))
			nearest = fathom_point_tree_nearest(&tree, point, radius);
		if (nearest != UINT32_MAX)
			cluster = clustering->numbers[clustering->bursts[nearest]];
		comparison->bursts += cluster != FATHOM_NOISE;
		comparison->others += cluster == FATHOM_NOISE;
		add_burst(comparison, estimates, other, b, cluster);
	}
	fathom_point_tree_fini(&tree);
}

static void find_errors(struct fathom_counter_comparison *comparison, const struct fathom_counter_estimates *estimates)
{
	uint32_t count = 0;

	comparison->weighted_error = 0;
	for (uint32_t i = 0; i < estimates->count; i++) {
		struct fathom_compared_counter *one = &comparison->list[i];
		const struct fathom_counter_estimate *estimate = &estimates->list[i];
		double mean = estimate->values.mean;

		one->real = one->count ? one->real / (double)one->count : NAN;
		one->error = one->weighted_error = NAN;
		if (!one->count || !isfinite(mean) || (one->real == 0 && mean != 0))
			continue;
		one->error = mean == one->real ? 0 : fathom_weighted_error(mean, one->real, 1);
		one->weighted_error = one->error * estimate->share;
		comparison->weighted_error += one->weighted_error;
		count++;
	}
	comparison->weighted_error = count ? comparison->weighted_error / count : NAN;
}

int fathom_counter_comparison_make(struct fathom_counter_comparison *comparison,
				   const struct fathom_counter_estimates *estimates,
				   const struct fathom_clustering *clustering, const struct fathom_burst_data *other)
{
	struct other_run *run = fathom_tool_alloc(1, sizeof(*run));
	int err;

	*comparison = (struct fathom_counter_comparison){ 0 };
	run->data = other;
	err = find_metrics(run, clustering, estimates);
	if (!err) {
		comparison->list = fathom_tool_alloc(estimates->count, sizeof(*comparison->list));
		add_bursts(comparison, estimates, clustering, run);
		find_errors(comparison, estimates);
	}
	free(run);
	return err;
}

void fathom_counter_comparison_fini(struct fathom_counter_comparison *comparison)
{
	free(comparison->list);
	*comparison = (struct fathom_counter_comparison){ 0 };
}

/* --- output -------------------------------------------------------------------------------------------- */

void fathom_counter_comparison_print(const struct fathom_counter_comparison *comparison,
				     const struct fathom_counter_estimates *estimates,
				     const struct fathom_clustering *clustering, struct fathom_page *page)
{
	char text[FATHOM_NUMBER_BYTES];

	fathom_page_heading(page, "Extrapolated and measured counters", "in the bursts of the other run");
	printf(" kind   bursts  extrapolated    measured    error  weighted  counter\n");
	for (uint32_t i = 0; i < estimates->count; i++) {
		const struct fathom_counter_estimate *estimate = &estimates->list[i];
		const struct fathom_burst_metric *metric = &clustering->metrics.metrics[estimate->metric];
		const struct fathom_compared_counter *one = &comparison->list[i];

		if (!one->count || !estimate->measured)
			continue;
		printf("%5u %8" PRIu64 " ", estimate->cluster, one->count);
		printf("%13s ", fathom_number_with_unit(text, estimate->values.mean, metric->unit));
		printf("%11s ", fathom_number_with_unit(text, one->real, metric->unit));
		if (isfinite(one->error))
			printf("%7.2f%% %8.2f%%  ", 100 * one->error, 100 * one->weighted_error);
		else
			printf("%8s %9s  ", "-", "-");
		fathom_page_text(page, metric->name, page->width - 62);
		printf("\n");
	}
	printf("%" PRIu64 " bursts of the other run have a kind, %" PRIu64 " have none.\n", comparison->bursts,
	       comparison->others);
	if (isfinite(comparison->weighted_error))
		printf("Mean weighted error: %.2f%%.\n", 100 * comparison->weighted_error);
	else
		printf("No error can be given.\n");
}

json_t *fathom_counter_comparison_json(const struct fathom_counter_comparison *comparison,
				       const struct fathom_counter_estimates *estimates,
				       const struct fathom_clustering *clustering)
{
	json_t *object = json_object(), *list = json_array();

	for (uint32_t i = 0; i < estimates->count; i++) {
		const struct fathom_compared_counter *one = &comparison->list[i];
		json_t *counter = json_object();

		json_object_set_new(counter, "cluster", json_integer(estimates->list[i].cluster));
		fathom_json_set_text(counter, "counter",
				     clustering->metrics.metrics[estimates->list[i].metric].name);
		json_object_set_new(counter, "bursts", json_integer((json_int_t)one->count));
		fathom_json_set_known(counter, "measured_mean", one->count, one->real);
		fathom_json_set_known(counter, "error", isfinite(one->error), one->error);
		fathom_json_set_known(counter, "weighted_error", isfinite(one->weighted_error), one->weighted_error);
		json_array_append_new(list, counter);
	}
	json_object_set_new(object, "counters", list);
	json_object_set_new(object, "bursts", json_integer((json_int_t)comparison->bursts));
	json_object_set_new(object, "other_bursts", json_integer((json_int_t)comparison->others));
	fathom_json_set_known(object, "mean_weighted_error", isfinite(comparison->weighted_error),
			      comparison->weighted_error);
	return object;
}
