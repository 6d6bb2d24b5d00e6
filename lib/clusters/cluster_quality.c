#include "clusters/cluster_quality.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "clusters/point_tree.h"

enum { SAMPLE = 2000 };		/* points of which silhouettes are computed */

/* --- two clusterings ---------------------------------------------------------------------------------- */

static int by_pair(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The sums over groups of equal numbers: of the squares of their sizes, and of their pairs. */
struct sums {
	double squares, pairs;
};

static struct sums sum_up(uint64_t *numbers, uint32_t count)
{
	struct sums sums = { 0, 0 };

	qsort(numbers, count, sizeof(*numbers), by_pair);
	for (uint32_t first = 0, end; first < count; first = end) {
		double size;

		for (end = first + 1; end < count && numbers[end] == numbers[first]; end++)
			;
		size = end - first;
		sums.squares += size * size;
		sums.pairs += size * (size - 1) / 2;
	}
	return sums;
}

int fathom_clusterings_compare(const uint32_t *a, const uint32_t *b, uint32_t count,
			       struct fathom_clustering_difference *difference)
{
	uint64_t *numbers = calloc((size_t)count + 1, sizeof(*numbers));
	double all = (double)count * ((double)count - 1) / 2, expected, most;
	struct sums of_a, of_b, of_both;

	if (!numbers)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = a[i];
	of_a = sum_up(numbers, count);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = b[i];
	of_b = sum_up(numbers, count);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = (uint64_t)a[i] << 32 | b[i];
	of_both = sum_up(numbers, count);
	free(numbers);
	difference->mirkin = count ? (of_a.squares + of_b.squares - 2 * of_both.squares) /
			     ((double)count * count) : 0;
	expected = all > 0 ? of_a.pairs * of_b.pairs / all : 0;
	most = (of_a.pairs + of_b.pairs) / 2;
	difference->rand = most > expected ? (of_both.pairs - expected) / (most - expected) : 1;
	return 0;
}

/* --- silhouette --------------------------------------------------------------------------------------- */

/* The points that are looked at, and for one of them the sum of distances to each cluster. */
struct sample {
	uint32_t points[SAMPLE], count;
	double *sums;		/* by cluster */
	uint32_t *sizes;	/* by cluster: points of the sample */
	uint32_t clusters;	/* the highest number */
};

/* Returns the silhouette of a point of the sample. */
static double silhouette_of(const struct fathom_points *points, const uint32_t *clusters, struct sample *sample,
			    uint32_t point)
{
	const double *place = points->values + (size_t)point * points->dimensions;
	uint32_t home = clusters[point];
	double inside, outside = HUGE_VAL;

	for (uint32_t c = 1; c <= sample->clusters; c++)
		sample->sums[c] = 0;
	for (uint32_t i = 0; i < sample->count; i++)
		sample->sums[clusters[sample->points[i]]] += sqrt(fathom_square_of_points(place,
			points->values + (size_t)sample->points[i] * points->dimensions, points->dimensions));
	if (sample->sizes[home] < 2)
		return 0;
	inside = sample->sums[home] / (sample->sizes[home] - 1);
	for (uint32_t c = 1; c <= sample->clusters; c++)
		if (c != home && sample->sizes[c])
			outside = fmin(outside, sample->sums[c] / sample->sizes[c]);
	if (outside == HUGE_VAL || (inside == 0 && outside == 0))
		return 0;
	return (outside - inside) / fmax(outside, inside);
}

int fathom_silhouette(const struct fathom_points *points, const uint32_t *clusters, double *silhouette)
{
	struct sample sample = { .count = 0 };
	uint32_t clustered = 0, seen = 0;

	*silhouette = 0;
	for (uint32_t i = 0; i < points->count; i++) {
		clustered += clusters[i] != FATHOM_NOISE;
		if (clusters[i] > sample.clusters)
			sample.clusters = clusters[i];
	}
	sample.sums = calloc((size_t)sample.clusters + 1, sizeof(*sample.sums));
	sample.sizes = calloc((size_t)sample.clusters + 1, sizeof(*sample.sizes));
	if (!sample.sums || !sample.sizes) {
		free(sample.sums);
		free(sample.sizes);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < points->count; i++) {
		if (clusters[i] == FATHOM_NOISE)
			continue;
		/* Every clustered point if there are few, else the first behind each step. */
		if (clustered <= SAMPLE || (uint64_t)seen * SAMPLE / clustered >= sample.count)
			if (sample.count < SAMPLE) {
				sample.points[sample.count++] = i;
				sample.sizes[clusters[i]]++;
			}
		seen++;
	}
	for (uint32_t i = 0; sample.clusters > 1 && i < sample.count; i++)
		*silhouette += silhouette_of(points, clusters, &sample, sample.points[i]) / sample.count;
	free(sample.sums);
	free(sample.sizes);
	return 0;
}
