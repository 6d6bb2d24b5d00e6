/*
 * dbscan_scale: how long DBSCAN takes for many points in two dimensions, and how much memory.
 *
 *   dbscan_scale POINTS [EPS [MIN_POINTS]]
 *
 * A tenth of the points are noise; the others are in eight elongated clouds of different density. Without EPS, the knee
 * of the distance curve is taken.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "clusters/dbscan.h"
#include "clusters/distance_curve.h"

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

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
	uint32_t min_points = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 10;
	double eps = argc > 2 ? atof(argv[2]) : 0, begin, chosen, end;
	double *values = calloc(count, 2 * sizeof(*values));
	uint32_t *clusters = calloc(count, sizeof(*clusters));
	struct fathom_points points = { values, count, 2 };
	struct fathom_distance_curve curve = { 0 };
	uint32_t noise = 0;
	struct rusage usage;
	int found;

	if (!values || !clusters || count == 0)
		return 1;
	for (uint32_t i = 0; i < count; i++) {
		int cloud = (int)(i % 10);

		if (cloud >= 8) {
			values[2 * i] = next_random();
			values[2 * i + 1] = cloud == 8 ? next_random() : 0.9;
			continue;
		}
		values[2 * i] = 0.1 + 0.1 * cloud + 0.002 * (1 + cloud) * normal();
		values[2 * i + 1] = 0.2 + 0.08 * cloud + 0.03 * normal() * (cloud % 2 + 0.1);
	}
	begin = seconds();
	if (eps <= 0) {
		if (fathom_distance_curve_init(&curve, &points, min_points, HUGE_VAL))
			return 1;
		eps = fathom_distance_curve_eps(&curve);
		fathom_distance_curve_fini(&curve);
	}
	chosen = seconds();
	found = fathom_dbscan(&points, eps, min_points, clusters);
	end = seconds();
	for (uint32_t i = 0; i < count; i++)
		noise += clusters[i] == FATHOM_NOISE;
	getrusage(RUSAGE_SELF, &usage);
	printf("%u points, eps %.6f, min points %u: %d clusters, %.1f %% noise; eps chosen in %.2f s, clusters found in "
	       "%.2f s, %ld MB\n", count, eps, min_points, found, 100.0 * noise / count, chosen - begin, end - chosen,
	       usage.ru_maxrss / 1024);
	free(values);
	free(clusters);
	return found < 0;
}
