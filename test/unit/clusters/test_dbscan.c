/* Clusters of points: known answers, and a slow search that is obviously right on random points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "clusters/axes.h"
#include "clusters/cluster_quality.h"
#include "clusters/dbscan.h"
#include "clusters/distance_curve.h"
#include "clusters/kmeans.h"
#include "clusters/point_tree.h"

enum { MOST = 2000 };

static uint64_t seed = 1;

static double next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - next_random())) * cos(2 * 3.14159265358979 * next_random());
}

/* --- the same by definition --------------------------------------------------------------------------- */

static double square(const struct fathom_points *points, uint32_t a, uint32_t b)
{
	return fathom_square_of_points(points->values + (size_t)a * points->dimensions,
				       points->values + (size_t)b * points->dimensions, points->dimensions);
}

static void spread(const struct fathom_points *points, double eps, const uint32_t *near, uint32_t min, uint32_t core,
		   uint32_t *clusters)
{
	for (uint32_t i = 0; i < points->count; i++) {
		if (clusters[i] || square(points, core, i) > eps * eps)
			continue;
		clusters[i] = clusters[core];
		if (near[i] >= min)
			spread(points, eps, near, min, i, clusters);
	}
}

static int slow_dbscan(const struct fathom_points *points, double eps, uint32_t min, uint32_t *clusters)
{
	static uint32_t near[MOST];
	int count = 0;

	memset(near, 0, sizeof(near));
	memset(clusters, 0, points->count * sizeof(*clusters));
	for (uint32_t i = 0; i < points->count; i++)
		for (uint32_t j = 0; j < points->count; j++)
			near[i] += square(points, i, j) <= eps * eps;
	for (uint32_t i = 0; i < points->count; i++)
		if (!clusters[i] && near[i] >= min) {
			clusters[i] = (uint32_t)++count;
			spread(points, eps, near, min, i, clusters);
		}
	return count;
}

/* Clouds of different density, lines, equal points and a background, on a lattice in every other round so that many distances
 * are equal. */
static void random_points(void **state)
{
	static double values[MOST * 4];
	static uint32_t fast[MOST], slow[MOST];

	(void)state;
	for (int round = 0; round < 200; round++) {
		uint32_t dimensions = 1 + (uint32_t)(next_random() * 4), count = 1 + (uint32_t)(next_random() * 400);
		struct fathom_points points = { values, count, dimensions };
		double eps = 0.005 + 0.1 * next_random() * next_random(), lattice = round % 2 ? 0.01 : 0;
		uint32_t min = 1 + (uint32_t)(next_random() * 12);
		int clusters;

		for (uint32_t i = 0; i < count * dimensions; i++) {
			int kind = (int)(i / dimensions % 5);

			values[i] = kind == 0 ? next_random() : kind == 1 ? 0.3 + 0.01 * normal() :
				    kind == 2 ? 0.6 + 0.05 * normal() : kind == 3 ? 0.8 : i % dimensions == 0 ? next_random() : 0.5;
			if (lattice > 0)
				values[i] = floor(values[i] / lattice) * lattice;
		}
		/* No distance of two points is so close to eps that rounding decides. */
		if (lattice > 0)
			eps = floor(eps / lattice) * lattice + 0.0049;
		clusters = fathom_dbscan(&points, eps, min, fast);
		assert_int_equal(clusters, slow_dbscan(&points, eps, min, slow));
		assert_memory_equal(fast, slow, count * sizeof(*fast));
	}
}

static void known_answer(void **state)
{
	static const double line[] = { 0, .1, .2, .3, 1.0, 1.1, 1.2, 3.0 };
	static const uint32_t wanted[] = { 1, 1, 1, 1, 2, 2, 2, 0 };
	struct fathom_points points = { line, 8, 1 };
	uint32_t clusters[8];

	(void)state;
	assert_int_equal(fathom_dbscan(&points, .11, 3, clusters), 2);
	assert_memory_equal(clusters, wanted, sizeof(wanted));
	points.count = 0;
	assert_int_equal(fathom_dbscan(&points, .11, 3, clusters), 0);
}

static void knee(void **state)
{
	static const double wanted[] = { .1920, .2254, .2645, .3104, .3642, .4274, .5016, .5886, .6907, .8106 };
	double distances[1000], candidates[FATHOM_CURVE_CANDIDATES];
	struct fathom_distance_curve curve;

	(void)state;
	for (int i = 0; i < 1000; i++)
		distances[(i * 7) % 1000] = exp(-((i * 7) % 1000) / 100.0);
	assert_int_equal(fathom_distance_curve_of(&curve, distances, 1000), 0);
	assert_int_equal(curve.first, 5);
	assert_int_equal(curve.knee, 165);
	assert_true(fabs(fathom_distance_curve_eps(&curve) - .192050) < 1e-6);
	assert_int_equal(fathom_distance_curve_candidates(&curve, candidates), 10);
	for (int i = 0; i < 10; i++)
		assert_true(fabs(candidates[i] - wanted[i]) < 1e-4);
	fathom_distance_curve_fini(&curve);
	/* Short curves. */
	for (uint32_t count = 0; count < 30; count++) {
		uint32_t found;

		assert_int_equal(fathom_distance_curve_of(&curve, distances, count), 0);
		found = fathom_distance_curve_candidates(&curve, candidates);
		assert_true(found <= FATHOM_CURVE_CANDIDATES && (count == 0) == (found == 0));
		fathom_distance_curve_fini(&curve);
	}
}

static void neighbours(void **state)
{
	static double values[3 * 500];
	struct fathom_points points = { values, 500, 3 };
	struct fathom_point_tree tree;

	(void)state;
	for (int i = 0; i < 1500; i++)
		values[i] = next_random();
	assert_int_equal(fathom_point_tree_init(&tree, &points, HUGE_VAL), 0);
	for (uint32_t p = 0; p < 500; p += 7) {
		double kth = fathom_point_tree_kth_distance(&tree, values + 3 * p, 5, p), radius = 0.1;
		uint32_t nearer = 0, nearest = UINT32_MAX;

		for (uint32_t i = 0; i < 500; i++) {
			nearer += i != p && square(&points, i, p) <= kth * kth * (1 + 1e-12);
			if (square(&points, i, (p + 1) % 500) <= radius * radius) {
				radius = sqrt(square(&points, i, (p + 1) % 500));
				nearest = i;
			}
		}
		assert_int_equal(nearer, 5);
		assert_int_equal(nearest, (p + 1) % 500);
		assert_int_equal(fathom_point_tree_nearest(&tree, values + 3 * ((p + 1) % 500), 0.1), nearest);
	}
	assert_true(fathom_point_tree_kth_distance(&tree, values, 5, 0) < 1);
	assert_int_equal(fathom_point_tree_nearest(&tree, (const double[]){ 9, 9, 9 }, 1), UINT32_MAX);
	fathom_point_tree_fini(&tree);
	points.count = 3;
	assert_int_equal(fathom_point_tree_init(&tree, &points, HUGE_VAL), 0);
	assert_true(fathom_point_tree_kth_distance(&tree, values, 3, 0) == HUGE_VAL);
	fathom_point_tree_fini(&tree);
}

static void compared_clusterings(void **state)
{
	static const uint32_t two[] = { 1, 1, 2, 2 }, one[] = { 1, 1, 1, 1 }, same[] = { 7, 7, 3, 3 };
	struct fathom_clustering_difference difference;

	(void)state;
	assert_int_equal(fathom_clusterings_compare(two, one, 4, &difference), 0);
	assert_true(fabs(difference.mirkin - .5) < 1e-12 && fabs(difference.rand) < 1e-12);
	assert_int_equal(fathom_clusterings_compare(two, same, 4, &difference), 0);
	assert_true(difference.mirkin == 0 && fabs(difference.rand - 1) < 1e-12);
}

/* Two elongated clouds: DBSCAN keeps each whole, x-means cuts them; two round ones are found by all. */
static void elongated(void **state)
{
	static double values[2 * 1000];
	static uint32_t planted[1000], found[1000];
	struct fathom_points points = { values, 1000, 2 };
	struct fathom_clustering_difference difference;
	double silhouette;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		planted[i] = 1 + i % 2;
		values[2 * i] = next_random();
		values[2 * i + 1] = 0.3 * (i % 2) + 0.1 * values[2 * i] + 0.005 * normal();
	}
	assert_int_equal(fathom_dbscan(&points, 0.03, 4, found), 2);
	fathom_clusterings_compare(planted, found, 1000, &difference);
	assert_true(difference.rand > 0.99);
	assert_true(fathom_xmeans(&points, 50, found) > 2);
	fathom_clusterings_compare(planted, found, 1000, &difference);
	assert_true(difference.rand < 0.8);
	for (uint32_t i = 0; i < 1000; i++) {
		values[2 * i] = 0.2 + 0.6 * (i % 2) + 0.02 * normal();
		values[2 * i + 1] = 0.2 + 0.6 * (i % 2) + 0.02 * normal();
	}
	assert_int_equal(fathom_xmeans(&points, 50, found), 2);
	fathom_clusterings_compare(planted, found, 1000, &difference);
	assert_true(difference.rand == 1);
	assert_int_equal(fathom_silhouette(&points, found, &silhouette), 0);
	assert_true(silhouette > 0.9 && silhouette < 1);
	assert_int_equal(fathom_kmeans(&points, 2, found), 2);
	fathom_clusterings_compare(planted, found, 1000, &difference);
	assert_true(difference.rand == 1);
	points.count = 1;
	assert_int_equal(fathom_kmeans(&points, 2, found), 1);
}

static void axes(void **state)
{
	static double values[2 * 1000], turned[2 * 1000];
	double small[] = { 10, 5, -1, 20, 5, 0, 1000, 5, 4 };
	struct fathom_axis scales[] = { { .is_log = true, .factor = 1 }, { .factor = 2 }, { .factor = 2 } };

	(void)state;
	fathom_axes_scale(small, 3, 3, scales);
	assert_true(small[0] == 0 && small[6] == 1 && fabs(small[3] - log(2) / log(100)) < 1e-12);
	assert_true(small[1] == 0 && small[4] == 0 && small[7] == 0);
	assert_true(small[2] == 0 && small[8] == 2 && fabs(small[5] - 0.4) < 1e-12);
	/* On a line in two dimensions: one axis is enough. */
	for (int i = 0; i < 1000; i++) {
		values[2 * i] = 3.0 * i / 1000;
		values[2 * i + 1] = 4.0 * i / 1000;
	}
	memcpy(turned, values, sizeof(values));
	assert_int_equal(fathom_axes_reduce(turned, 1000, 2, 0.95), 1);
	assert_true(fabs(fabs(turned[999] - turned[0]) - 5 * 0.999) < 1e-9);
	assert_false(fathom_axis_needs_log(values, 1000, 2, 0));
	for (int i = 0; i < 1000; i++)
		values[2 * i] = exp(10 * next_random());
	assert_true(fathom_axis_needs_log(values, 1000, 2, 0));
	values[0] = 0;
	assert_false(fathom_axis_needs_log(values, 1000, 2, 0));
	for (int i = 0; i < 2000; i++)
		values[i] = next_random();
	assert_int_equal(fathom_axes_reduce(values, 1000, 2, 0.95), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answer), cmocka_unit_test(random_points), cmocka_unit_test(knee),
		cmocka_unit_test(neighbours),
		cmocka_unit_test(compared_clusterings), cmocka_unit_test(elongated), cmocka_unit_test(axes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
