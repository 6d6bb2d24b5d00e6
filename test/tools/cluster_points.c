/*
 * cluster_points: the clusters of points that a test gives.
 *
 *   cluster_points EPS MIN_POINTS DIMENSIONS < POINTS
 *
 * POINTS are numbers, a point after the other; the output is the cluster of each, one a line, 0: noise.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clusters/dbscan.h"

int main(int argc, char **argv)
{
	double eps = argc == 4 ? atof(argv[1]) : 0, value, *values = NULL;
	uint32_t min_points = argc == 4 ? (uint32_t)atoi(argv[2]) : 0, *clusters;
	struct fathom_points points = { .dimensions = argc == 4 ? (uint32_t)atoi(argv[3]) : 0 };
	size_t count = 0, room = 0;

	if (eps <= 0 || min_points < 1 || points.dimensions < 1 || points.dimensions > FATHOM_MOST_DIMENSIONS)
		return 2;
	while (scanf("%lf", &value) == 1) {
		if (count == room) {
			room = room ? 2 * room : 1024;
			values = reallocarray(values, room, sizeof(*values));
			if (!values)
				return 1;
		}
		values[count++] = value;
	}
	points.values = values;
	points.count = (uint32_t)(count / points.dimensions);
	clusters = calloc((size_t)points.count + 1, sizeof(*clusters));
	if (!clusters || fathom_dbscan(&points, eps, min_points, clusters) < 0)
		return 1;
	for (uint32_t i = 0; i < points.count; i++)
		printf("%u\n", clusters[i]);
	free(values);
	free(clusters);
	return 0;
}
