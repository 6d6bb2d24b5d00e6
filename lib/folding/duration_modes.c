#include "folding/duration_modes.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 100 };

/* Median deviations; 1.4826 of them are a standard deviation of a normal distribution. */
static const double most_deviations = 3 * 1.4826;

/* Instances with equal durations have no deviation; differences below this share of the median are none. */
static const double equal_share = 0.01;

struct instance {
	double duration;
	size_t index;
};

static int by_duration(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	if (x->duration != y->duration)
		return x->duration < y->duration ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

struct modes {
	const struct instance *sorted;
	double *scratch;	/* as many as instances */
	uint32_t *modes;
	uint32_t count;
};

/* Makes a mode of the instances from first to end, without those far from the median. */
static void add_mode(struct modes *modes, size_t first, size_t end)
{
	double median = modes->sorted[first + (end - first) / 2].duration, limit;
	size_t kept = 0;

	for (size_t i = first; i < end; i++)
		modes->scratch[i] = fabs(modes->sorted[i].duration - median);
	qsort(modes->scratch + first, end - first, sizeof(double), compare_numbers);
	limit = fmax(most_deviations * modes->scratch[first + (end - first) / 2], equal_share * median);
	for (size_t i = first; i < end; i++)
		kept += fabs(modes->sorted[i].duration - median) <= limit;
	if (kept < FATHOM_LEAST_INSTANCES)
		return;
	modes->count++;
	for (size_t i = first; i < end; i++)
		if (fabs(modes->sorted[i].duration - median) <= limit)
			modes->modes[modes->sorted[i].index] = modes->count;
}

/* Returns the first instance behind a gap of more than a bucket; end: there is no gap. */
static size_t find_gap(const struct modes *modes, size_t first, size_t end)
{
	size_t buckets = (end - first) / 4 < MOST_BUCKETS ? (end - first) / 4 : MOST_BUCKETS;
	double least = modes->sorted[first].duration, most = modes->sorted[end - 1].duration, width;

	/* Durations that hardly differ are of one mode. */
	if (buckets < 2 || most - least <= 2 * equal_share * most)
		return end;
	width = (most - least) / (double)buckets;
	for (size_t i = first + 1; i < end; i++)
		if (modes->sorted[i].duration - modes->sorted[i - 1].duration > 2 * width)
			return i;
	return end;
}

/* Divides the instances from first to end, until there are no gaps. Each division shortens the part. */
static void divide(struct modes *modes, size_t first, size_t end)
{
	while (end - first >= FATHOM_LEAST_INSTANCES) {
		size_t gap = find_gap(modes, first, end);

		if (gap == end) {
			add_mode(modes, first, end);
			return;
		}
		if (gap - first >= FATHOM_LEAST_INSTANCES && find_gap(modes, first, gap) != gap)
			divide(modes, first, gap);
		else if (gap - first >= FATHOM_LEAST_INSTANCES)
			add_mode(modes, first, gap);
		first = gap;
	}
}

int fathom_duration_modes_find(const double *durations, size_t count, uint32_t *modes, uint32_t *mode_count)
{
	struct instance *sorted = malloc((count + 1) * sizeof(*sorted));
	struct modes result = { sorted, malloc((count + 1) * sizeof(double)), modes, 0 };
	int err = sorted && result.scratch ? 0 : -ENOMEM;

	if (!err) {
		for (size_t i = 0; i < count; i++)
			sorted[i] = (struct instance){ durations[i], i };
		qsort(sorted, count, sizeof(*sorted), by_duration);
		memset(modes, 0, count * sizeof(*modes));
		divide(&result, 0, count);
	}
	*mode_count = result.count;
	free(sorted);
	free(result.scratch);
	return err;
}
