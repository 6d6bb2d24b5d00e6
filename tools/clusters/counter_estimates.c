#include "tools/clusters/counter_estimates.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"

/* --- estimates ---------------------------------------------------------------------------------------- */

/* Returns the metric that all bursts should have: cycles if they are counted, else the duration. */
static uint32_t reference_of(const struct fathom_clustering *clustering, bool *is_cycles)
{
	const struct fathom_burst_metrics *metrics = &clustering->metrics;
	uint64_t count = 0;

	*is_cycles = false;
	if (metrics->cycles < 0)
		return 0;
	for (uint32_t c = 0; c <= clustering->count; c++)
		count += clustering->clusters[c].metrics[metrics->cycles].count;
	*is_cycles = count == clustering->point_count;
	return *is_cycles ? (uint32_t)metrics->cycles : 0;
}

static bool is_counter(const struct fathom_clustering *clustering, uint32_t metric)
{
	return clustering->metrics.metrics[metric].kind == FATHOM_BURST_COUNTER;
}

/* Returns whether some bursts have the counter, and others not. */
static bool is_partial(const struct fathom_clustering *clustering, uint32_t metric)
{
	uint64_t measured = 0;

	for (uint32_t c = 0; c <= clustering->count; c++)
		measured += clustering->clusters[c].metrics[metric].count;
	return is_counter(clustering, metric) && measured > 0 && measured < clustering->point_count;
}

/* Sums up the bursts that have each counter: sums[cluster][metric]. */
static void add_bursts(const struct fathom_clustering *clustering, uint32_t reference,
		       struct fathom_measured_sums *sums)
{
	const struct fathom_burst_metrics *metrics = &clustering->metrics;

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t burst = clustering->bursts[i];
		double base = fathom_burst_metric_value(clustering->data, &metrics->metrics[reference], burst);

		for (uint32_t m = 0; m < metrics->count; m++) {
			double value = fathom_burst_metric_value(clustering->data, &metrics->metrics[m], burst);
			struct fathom_measured_sums *sum = &sums[clustering->numbers[burst] * metrics->count + m];

			if (!is_counter(clustering, m) || !isfinite(value))
				continue;
			sum->count++;
			sum->sum += value;
			sum->squares += value * value;
			sum->reference += base;
		}
	}
}

void fathom_counter_estimates_make(struct fathom_counter_estimates *estimates,
				   const struct fathom_clustering *clustering)
{
	uint32_t metrics = clustering->metrics.count, reference;
	struct fathom_measured_sums *sums = fathom_tool_alloc(((size_t)clustering->count + 1) * metrics, sizeof(*sums));
	double whole = 0;

	*estimates = (struct fathom_counter_estimates){ 0 };
	estimates->list = fathom_tool_alloc(((size_t)clustering->count + 1) * metrics, sizeof(*estimates->list));
	reference = reference_of(clustering, &estimates->has_cycles);
	add_bursts(clustering, reference, sums);
	for (uint32_t c = 0; c <= clustering->count; c++)
		whole += clustering->clusters[c].metrics[reference].mean * (double)clustering->clusters[c].count;
	for (uint32_t c = 1; c <= clustering->count; c++) {
		const struct fathom_cluster *cluster = &clustering->clusters[c];
		double mean = cluster->metrics[reference].mean, share = mean * (double)cluster->count / whole;

		for (uint32_t m = 0; m < metrics; m++) {
			struct fathom_counter_estimate *estimate = &estimates->list[estimates->count];

			if (!is_partial(clustering, m))
				continue;
			estimate->cluster = c;
			estimate->metric = m;
			estimate->measured = sums[c * metrics + m].count;
			fathom_extrapolate(&estimate->values, &sums[c * metrics + m], cluster->count, mean);
			estimate->share = share;
			estimate->weighted_error = estimate->values.error * share;
			estimates->count++;
		}
	}
	free(sums);
}

void fathom_counter_estimates_fini(struct fathom_counter_estimates *estimates)
{
	free(estimates->list);
	*estimates = (struct fathom_counter_estimates){ 0 };
}

void fathom_counter_estimates_print(const struct fathom_counter_estimates *estimates,
				    const struct fathom_clustering *clustering, struct fathom_page *page)
{
	char text[FATHOM_NUMBER_BYTES];

	if (!estimates->count)
		return;
	fathom_page_heading(page, "Extrapolated counters", "measured in a part of the bursts of each kind");
	printf(" kind    measured        mean       total   error  weighted  counter\n");
	for (uint32_t i = 0; i < estimates->count; i++) {
		const struct fathom_counter_estimate *one = &estimates->list[i];
		const struct fathom_burst_metric *metric = &clustering->metrics.metrics[one->metric];
		uint64_t size = clustering->clusters[one->cluster].count;

		printf("%5u %5" PRIu64 " of %-5" PRIu64, one->cluster, one->measured, size);
		if (!one->measured) {
			printf("%10s %11s %7s %9s  ", "-", "-", "-", "-");
		} else {
			printf("%9s ", fathom_number_with_unit(text, one->values.mean, metric->unit));
			printf("%11s ", fathom_number_with_unit(text, one->values.total, metric->unit));
			if (one->measured > 1)
				printf("%6.2f%% %8.2f%%  ", 100 * one->values.error, 100 * one->weighted_error);
			else
				printf("%7s %9s  ", "-", "-");
		}
		fathom_page_text(page, metric->name, page->width - 60);
		printf("\n");
	}
	printf("Error: standard error of the mean; weighted: times the share in all %s.\n",
	       estimates->has_cycles ? "cycles" : "time");
}

json_t *fathom_counter_estimates_json(const struct fathom_counter_estimates *estimates,
				      const struct fathom_clustering *clustering)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < estimates->count; i++) {
		const struct fathom_counter_estimate *one = &estimates->list[i];
		json_t *object = json_object();

		json_object_set_new(object, "cluster", json_integer(one->cluster));
		fathom_json_set_text(object, "counter", clustering->metrics.metrics[one->metric].name);
		json_object_set_new(object, "measured", json_integer((json_int_t)one->measured));
		fathom_json_set_known(object, "mean", one->measured, one->values.mean);
		fathom_json_set_known(object, "total", one->measured, one->values.total);
		fathom_json_set_known(object, "standard_error", one->measured > 1, one->values.error);
		fathom_json_set_known(object, "weighted_error", one->measured > 1, one->weighted_error);
		json_array_append_new(list, object);
	}
	return list;
}

/* --- causes of cycles --------------------------------------------------------------------------------- */

/* Counters of cycles in which a processor makes no progress; they do not overlap, except for the last one, which is all
 * such cycles and is used if the others are not there. */
static const char *const stalls[] = {
	"perf::STALLED-CYCLES-FRONTEND", "perf::STALLED-CYCLES-BACKEND", "PAPI_MEM_SCY", "PAPI_MEM_RCY", "PAPI_MEM_WCY",
	"PAPI_FP_STAL", "PAPI_BRU_IDL", "PAPI_RES_STL",
};

enum { MOST_CAUSES = sizeof(stalls) / sizeof(*stalls) };

/* Fills in which metrics are causes. Returns their number; 0: nothing can be said. */
static uint32_t find_causes(const struct fathom_clustering *clustering, uint32_t causes[MOST_CAUSES])
{
	const struct fathom_burst_metrics *metrics = &clustering->metrics;
	uint32_t count = 0;

	if (metrics->instructions < 0 || metrics->cycles < 0)
		return 0;
	for (uint32_t s = 0; s < MOST_CAUSES; s++)
		for (uint32_t m = 0; m < metrics->count; m++)
			if (strcmp(metrics->metrics[m].name, stalls[s]) == 0 && (s + 1 < MOST_CAUSES || count == 0))
				causes[count++] = m;
	return count;
}

/* Returns the cycles for each instruction that a metric counts in a cluster; not a number: unknown. */
static double for_instruction(const struct fathom_clustering *clustering, uint32_t cluster, uint32_t metric)
{
	const struct fathom_cluster_metric *values = clustering->clusters[cluster].metrics;
	const struct fathom_cluster_metric *instructions = &values[clustering->metrics.instructions];

	return values[metric].count && instructions->count && instructions->mean > 0 ?
	       values[metric].mean / instructions->mean : NAN;
}

void fathom_cycle_causes_print(const struct fathom_clustering *clustering, struct fathom_page *page)
{
	uint32_t causes[MOST_CAUSES], count = find_causes(clustering, causes);

	if (!count)
		return;
	fathom_page_heading(page, "Cycles for each instruction", "cycles without progress by their cause");
	for (uint32_t c = 1; c <= clustering->count; c++) {
		double all = for_instruction(clustering, c, (uint32_t)clustering->metrics.cycles), rest = all;

		if (!isfinite(all))
			continue;
		printf("kind %u: %.3f\n", c, all);
		for (uint32_t i = 0; i < count; i++) {
			double part = for_instruction(clustering, c, causes[i]);

			if (!isfinite(part))
				continue;
			rest -= part;
			printf("  %8.3f  %-34s", part, clustering->metrics.metrics[causes[i]].name);
			fathom_page_bar(page, part / all, page->width - 48);
			printf("\n");
		}
		printf("  %8.3f  %-34s", fmax(rest, 0), "completing");
		fathom_page_bar(page, fmax(rest, 0) / all, page->width - 48);
		printf("\n");
	}
}

json_t *fathom_cycle_causes_json(const struct fathom_clustering *clustering)
{
	uint32_t causes[MOST_CAUSES], count = find_causes(clustering, causes);
	json_t *list = json_array();

	for (uint32_t c = 1; count && c <= clustering->count; c++) {
		double rest = for_instruction(clustering, c, (uint32_t)clustering->metrics.cycles);
		json_t *object = json_object(), *parts = json_object();

		json_object_set_new(object, "cluster", json_integer(c));
		fathom_json_set_known(object, "cycles_per_instruction", isfinite(rest), rest);
		for (uint32_t i = 0; i < count; i++) {
			double part = for_instruction(clustering, c, causes[i]);

			fathom_json_set_known(parts, clustering->metrics.metrics[causes[i]].name, isfinite(part), part);
			rest -= isfinite(part) ? part : 0;
		}
		fathom_json_set_known(parts, "completing", isfinite(rest), fmax(rest, 0));
		json_object_set_new(object, "parts", parts);
		json_array_append_new(list, object);
	}
	return list;
}
