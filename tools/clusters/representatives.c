#include "tools/clusters/representatives.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"

enum { MOST = 64 };		/* representatives of a cluster */

static const double wanted_error = 0.05;	/* standard error of the mean duration, relative */

struct candidate {
	uint32_t cluster, burst;
	double distance;
};

static int by_distance(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->cluster != y->cluster)
		return x->cluster < y->cluster ? -1 : 1;
	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return x->burst < y->burst ? -1 : x->burst > y->burst;
}

/* --- the choice --------------------------------------------------------------------------------------- */

/* Returns the centres of all clusters: [cluster][dimension]. The caller frees them. */
static double *find_centres(const struct fathom_clustering *clustering)
{
	uint32_t dimensions = clustering->dimensions;
	double *centres = fathom_tool_alloc(((size_t)clustering->count + 1) * dimensions, sizeof(*centres));

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t number = clustering->numbers[clustering->bursts[i]];

		for (uint32_t d = 0; d < dimensions; d++)
			centres[(size_t)number * dimensions + d] +=
				clustering->values[(size_t)i * dimensions + d] /
				(double)clustering->clusters[number].count;
	}
	return centres;
}

/* Returns all points, by cluster and distance. The caller frees them. */
static struct candidate *sort_points(const struct fathom_clustering *clustering)
{
	struct candidate *candidates = fathom_tool_alloc(clustering->point_count, sizeof(*candidates));
	double *centres = find_centres(clustering);

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t number = clustering->numbers[clustering->bursts[i]];
		double sum = 0;

		for (uint32_t d = 0; d < clustering->dimensions; d++) {
			double difference = clustering->values[(size_t)i * clustering->dimensions + d] -
					    centres[(size_t)number * clustering->dimensions + d];

			sum += difference * difference;
		}
		candidates[i] = (struct candidate){ number, clustering->bursts[i], sqrt(sum) };
	}
	qsort(candidates, clustering->point_count, sizeof(*candidates), by_distance);
	free(centres);
	return candidates;
}

/* Returns how many representatives a cluster needs. */
static uint32_t count_wanted(const struct fathom_cluster *cluster)
{
	const struct fathom_cluster_metric *duration = &cluster->metrics[0];
	double ratio = duration->mean > 0 ? duration->deviation / duration->mean / wanted_error : 0;
	double wanted = fmin(fmax(ceil(ratio * ratio), 1), MOST);

	return wanted < (double)cluster->count ? (uint32_t)wanted : (uint32_t)cluster->count;
}

static uint32_t process_of(const struct fathom_clustering *clustering, uint32_t burst)
{
	const struct fathom_otf2_location *location =
		fathom_otf2_at(&clustering->data->trace.defs, FATHOM_OTF2_LOCATION,
			       clustering->data->list.bursts[burst].location);

	return location->process;
}

/* Takes the nearest candidates of a cluster: in each round, at most one of a process. */
static void choose(struct fathom_representatives *representatives, const struct fathom_clustering *clustering,
		   struct candidate *candidates, uint32_t count, uint32_t wanted, uint32_t *taken)
{
	size_t processes = fathom_otf2_count(&clustering->data->trace.defs, FATHOM_OTF2_PROCESS);
	uint32_t chosen = 0;

	memset(taken, 0, processes * sizeof(*taken));
	for (uint32_t round = 1; chosen < wanted; round++) {
		for (uint32_t i = 0; i < count && chosen < wanted; i++) {
			uint32_t process = process_of(clustering, candidates[i].burst);

			if (taken[process] >= round || candidates[i].cluster == FATHOM_NOISE)
				continue;
			taken[process]++;
			representatives->list[representatives->count++] = (struct fathom_representative){
				candidates[i].cluster, candidates[i].burst, candidates[i].distance,
				(double)count / wanted,
			};
			candidates[i].cluster = FATHOM_NOISE;	/* not again in the next round */
			chosen++;
		}
	}
}

static double instructions_of(const struct fathom_clustering *clustering, uint32_t burst)
{
	const struct fathom_burst_metrics *metrics = &clustering->metrics;

	return metrics->instructions < 0 ? NAN :
	       fathom_burst_metric_value(clustering->data, &metrics->metrics[metrics->instructions], burst);
}

void fathom_representatives_make(struct fathom_representatives *representatives,
				 const struct fathom_clustering *clustering)
{
	struct candidate *candidates = sort_points(clustering);
	uint32_t *taken = fathom_tool_alloc(fathom_otf2_count(&clustering->data->trace.defs, FATHOM_OTF2_PROCESS) + 1,
					    sizeof(*taken));
	uint32_t first = (uint32_t)clustering->clusters[FATHOM_NOISE].count;

	*representatives = (struct fathom_representatives){ 0 };
	representatives->list = fathom_tool_alloc((size_t)clustering->count * MOST + 1, sizeof(*representatives->list));
	for (uint32_t i = first; i < clustering->point_count; i++) {
		representatives->all_seconds += fathom_burst_seconds(clustering->data, candidates[i].burst);
		representatives->all_instructions += instructions_of(clustering, candidates[i].burst);
	}
	for (uint32_t c = 1; c <= clustering->count; c++) {
		uint32_t count = (uint32_t)clustering->clusters[c].count;

		choose(representatives, clustering, candidates + first, count,
		       count_wanted(&clustering->clusters[c]), taken);
		first += count;
	}
	for (uint32_t i = 0; i < representatives->count; i++) {
		representatives->seconds += fathom_burst_seconds(clustering->data, representatives->list[i].burst);
		representatives->instructions += instructions_of(clustering, representatives->list[i].burst);
	}
	free(candidates);
	free(taken);
}

void fathom_representatives_fini(struct fathom_representatives *representatives)
{
	free(representatives->list);
	*representatives = (struct fathom_representatives){ 0 };
}

/* --- output ------------------------------------------------------------------------------------------- */

void fathom_representatives_print(const struct fathom_representatives *representatives,
				  const struct fathom_clustering *clustering, struct fathom_page *page)
{
	char text[FATHOM_NUMBER_BYTES];

	fathom_page_heading(page, "Representatives", "a few bursts that stand for all of their kind");
	printf(" kind       stands for  process thread           begin  duration  distance\n");
	for (uint32_t i = 0; i < representatives->count; i++) {
		const struct fathom_representative *one = &representatives->list[i];
		const struct fathom_listed_burst *burst = &clustering->data->list.bursts[one->burst];
		uint32_t thread, process = fathom_burst_process(clustering->data, burst->location, &thread);

		printf("%5u %9.1f bursts %8u %6u %13.6f s", one->cluster, one->weight, process, thread,
		       fathom_burst_time(clustering->data, burst->begin));
		printf(" %9s %9.3f\n", fathom_number_seconds(text, fathom_burst_seconds(clustering->data, one->burst)),
		       one->distance);
	}
	printf("%u burst%s", representatives->count, representatives->count == 1 ? "" : "s");
	if (representatives->seconds > 0)
		printf(" with %.0f times less time", representatives->all_seconds / representatives->seconds);
	if (representatives->instructions > 0)
		printf(" and %.0f times fewer instructions",
		       representatives->all_instructions / representatives->instructions);
	printf(" than all bursts of these kinds\n");
}

json_t *fathom_representatives_json(const struct fathom_representatives *representatives,
				    const struct fathom_clustering *clustering)
{
	json_t *object = json_object(), *list = json_array();

	for (uint32_t i = 0; i < representatives->count; i++) {
		const struct fathom_representative *one = &representatives->list[i];
		const struct fathom_listed_burst *burst = &clustering->data->list.bursts[one->burst];
		uint32_t thread, process = fathom_burst_process(clustering->data, burst->location, &thread);
		json_t *values = json_object();

		json_object_set_new(values, "cluster", json_integer(one->cluster));
		json_object_set_new(values, "process", json_integer(process));
		json_object_set_new(values, "thread", json_integer(thread));
		fathom_json_set_number(values, "begin", fathom_burst_time(clustering->data, burst->begin));
		fathom_json_set_number(values, "end", fathom_burst_time(clustering->data, burst->end));
		fathom_json_set_number(values, "distance", one->distance);
		fathom_json_set_number(values, "weight", one->weight);
		json_array_append_new(list, values);
	}
	json_object_set_new(object, "bursts", list);
	fathom_json_set_known(object, "time_reduction", representatives->seconds > 0,
			      representatives->all_seconds / representatives->seconds);
	fathom_json_set_known(object, "instruction_reduction", representatives->instructions > 0,
			      representatives->all_instructions / representatives->instructions);
	return object;
}
