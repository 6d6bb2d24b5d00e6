#include "clusters/distance_curve.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/point_tree.h"

static int falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x > y ? -1 : x < y;
}

/* Finds the place at which the curve lies deepest below the line from its begin to 0 at half of its length. */
static void find_knee(struct fathom_distance_curve *curve)
{
	uint32_t low = (uint32_t)((uint64_t)curve->count * 5 / 1000);
	uint32_t half = (uint32_t)((uint64_t)curve->count * 995 / 1000) / 2;
	double deepest = -HUGE_VAL;

	curve->first = curve->knee = low;
	for (uint32_t i = low; half && i <= half && i < curve->count; i++) {
		double depth = curve->distances[low] * (1 - (double)i / half) - curve->distances[i];

		if (depth > deepest) {
			deepest = depth;
			curve->knee = i;
		}
	}
}

int fathom_distance_curve_of(struct fathom_distance_curve *curve, const double *distances, uint32_t count)
{
	*curve = (struct fathom_distance_curve){ .count = count };
	curve->distances = reallocarray(NULL, (size_t)count + 1, sizeof(*curve->distances));
	if (!curve->distances)
		return -ENOMEM;
	memcpy(curve->distances, distances, count * sizeof(*distances));
	qsort(curve->distances, count, sizeof(*distances), falling);
	find_knee(curve);
	return 0;
}

int fathom_distance_curve_init(struct fathom_distance_curve *curve, const struct fathom_points *points, uint32_t k,
			       double most)
{
	uint32_t wanted = points->count < FATHOM_CURVE_POINTS ? points->count : FATHOM_CURVE_POINTS, count = 0;
	struct fathom_point_tree tree;
	double *distances;
	int err;

	if (points->count == 0)
		return fathom_distance_curve_of(curve, NULL, 0);
	*curve = (struct fathom_distance_curve){ 0 };
	err = fathom_point_tree_init(&tree, points, HUGE_VAL);
	if (err)
		return err;
	distances = reallocarray(NULL, wanted, sizeof(*distances));
	if (!distances) {
		fathom_point_tree_fini(&tree);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < wanted; i++) {
		uint32_t point = (uint32_t)((uint64_t)i * points->count / wanted);
		double distance = fathom_point_tree_kth_distance(&tree, points->values + (size_t)point *
								 points->dimensions, k, point);

		if (distance < most)
			distances[count++] = distance;
	}
	err = fathom_distance_curve_of(curve, distances, count);
	free(distances);
	fathom_point_tree_fini(&tree);
	return err;
}

void fathom_distance_curve_fini(struct fathom_distance_curve *curve)
{
	free(curve->distances);
	*curve = (struct fathom_distance_curve){ 0 };
}

double fathom_distance_curve_eps(const struct fathom_distance_curve *curve)
{
	return curve->count ? curve->distances[curve->knee] : 0;
}

uint32_t fathom_distance_curve_candidates(const struct fathom_distance_curve *curve,
					  double candidates[FATHOM_CURVE_CANDIDATES])
{
	uint32_t between = curve->knee - curve->first, count = 0;
	bool has_few = between < FATHOM_CURVE_CANDIDATES;
	uint32_t last = has_few ? between : FATHOM_CURVE_CANDIDATES;

	/* From the knee, which has the smallest distance, to the begin; equal distances are one candidate. */
	for (uint32_t j = last + 1; curve->count && j-- > (has_few ? 0 : 1); ) {
		uint32_t offset = has_few ? j : (uint32_t)((uint64_t)j * between / FATHOM_CURVE_CANDIDATES);
		double eps = curve->distances[curve->first + offset];

		if (count == 0 || eps > candidates[count - 1])
			candidates[count++] = eps;
	}
	return count;
}
