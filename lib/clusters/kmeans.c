#include "clusters/kmeans.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/point_tree.h"

enum { ROUNDS = 300 };		/* of Lloyd's method, at most */

static const double pi = 3.14159265358979323846;

/* The means of a set of points, while they are moved. */
struct means {
	const struct fathom_points *points;
	const uint32_t *members;	/* numbers of the points */
	uint32_t member_count;
	double *centres;		/* [cluster][dimension] */
	uint32_t *sizes;		/* by cluster */
	uint32_t count, room;
	uint32_t *nearest;		/* by member: cluster from 0 */
	double *squares;		/* by member: of the distance to the nearest centre */
	uint64_t random;
};

static void means_fini(struct means *means)
{
	free(means->centres);
	free(means->sizes);
	free(means->nearest);
	free(means->squares);
}

static int means_init(struct means *means, const struct fathom_points *points, const uint32_t *members,
		      uint32_t member_count, uint32_t room)
{
	*means = (struct means){ .points = points, .members = members, .member_count = member_count, .room = room,
				 .random = 88172645463325252u };
	means->centres = calloc(room, points->dimensions * sizeof(*means->centres));
	means->sizes = calloc(room, sizeof(*means->sizes));
	means->nearest = calloc(member_count, sizeof(*means->nearest));
	means->squares = calloc(member_count, sizeof(*means->squares));
	if (means->centres && means->sizes && means->nearest && means->squares)
		return 0;
	means_fini(means);
	return -ENOMEM;
}

/* Returns a random number from 0 to less than 1 (Marsaglia's xorshift). */
static double next_random(struct means *means)
{
	means->random ^= means->random << 13;
	means->random ^= means->random >> 7;
	means->random ^= means->random << 17;
	return (double)(means->random >> 11) / 9007199254740992.0;
}

static const double *point_of(const struct means *means, uint32_t member)
{
	return means->points->values + (size_t)means->members[member] * means->points->dimensions;
}

static double *centre_of(const struct means *means, uint32_t cluster)
{
	return means->centres + (size_t)cluster * means->points->dimensions;
}

/* Adds a point as a centre, and updates the distances to the nearest centre. */
static void add_centre(struct means *means, uint32_t member)
{
	uint32_t dimensions = means->points->dimensions, cluster = means->count++;

	memcpy(centre_of(means, cluster), point_of(means, member), dimensions * sizeof(double));
	for (uint32_t i = 0; i < means->member_count; i++) {
		double square = fathom_square_of_points(point_of(means, i), centre_of(means, cluster), dimensions);

		if (cluster == 0 || square < means->squares[i])
			means->squares[i] = square;
	}
}

/* Chooses points as the first centres, each with a probability that grows with its distance from the others. */
static void choose_centres(struct means *means)
{
	add_centre(means, (uint32_t)(next_random(means) * means->member_count));
	while (means->count < means->room) {
		double sum = 0, wanted;
		uint32_t member = 0;

		for (uint32_t i = 0; i < means->member_count; i++)
			sum += means->squares[i];
		wanted = next_random(means) * sum;
		while (member + 1 < means->member_count && (wanted -= means->squares[member]) >= 0)
			member++;
		add_centre(means, member);
	}
}

static bool assign(struct means *means)
{
	uint32_t dimensions = means->points->dimensions;
	bool is_changed = false;

	for (uint32_t i = 0; i < means->member_count; i++) {
		uint32_t nearest = 0;
		double least = HUGE_VAL;

		for (uint32_t c = 0; c < means->count; c++) {
			double square = fathom_square_of_points(point_of(means, i), centre_of(means, c), dimensions);

			if (square < least) {
				least = square;
				nearest = c;
			}
		}
		is_changed |= means->nearest[i] != nearest;
		means->nearest[i] = nearest;
		means->squares[i] = least;
	}
	return is_changed;
}

/* Moves each centre to the mean of its points; one without points stays. */
static void move_centres(struct means *means)
{
	uint32_t dimensions = means->points->dimensions;

	memset(means->sizes, 0, means->count * sizeof(*means->sizes));
	for (uint32_t i = 0; i < means->member_count; i++)
		if (means->sizes[means->nearest[i]]++ == 0)
			memset(centre_of(means, means->nearest[i]), 0, dimensions * sizeof(double));
	for (uint32_t i = 0; i < means->member_count; i++)
		for (uint32_t d = 0; d < dimensions; d++)
			centre_of(means, means->nearest[i])[d] += point_of(means, i)[d] /
								  means->sizes[means->nearest[i]];
}

static void settle(struct means *means)
{
	assign(means);
	for (int round = 0; round < ROUNDS; round++) {
		move_centres(means);
		if (!assign(means))
			return;
	}
}

/* --- the Bayesian information criterion --------------------------------------------------------------- */

/* Returns the criterion of the clusters, as normal distributions with one variance in all directions. */
static double criterion(const struct means *means)
{
	double dimensions = means->points->dimensions, count = means->member_count, clusters = means->count;
	double variance = 0, likelihood = 0;
	double parameters = (clusters - 1) + clusters * dimensions + 1;

	for (uint32_t i = 0; i < means->member_count; i++)
		variance += means->squares[i];
	if (count <= clusters)
		return -HUGE_VAL;
	variance /= (count - clusters) * dimensions;
	variance = fmax(variance, 1e-18);
	for (uint32_t c = 0; c < means->count; c++) {
		double size = means->sizes[c];

		if (size > 0)
			likelihood += size * log(size / count) - size * dimensions / 2 * log(2 * pi * variance) -
				      (size - 1) * dimensions / 2;
	}
	return likelihood - parameters / 2 * log(count);
}

/* Decides whether the members are better described by two clusters. Returns 1: yes, halves tells which member is in the
 * second one; 0: no; or -ENOMEM. */
static int divide(const struct fathom_points *points, const uint32_t *members, uint32_t count, uint32_t *halves)
{
	struct means whole, parts;
	int result = 0, err;

	if (count < 4)
		return 0;
	err = means_init(&whole, points, members, count, 1);
	if (err)
		return err;
	err = means_init(&parts, points, members, count, 2);
	if (!err) {
		choose_centres(&whole);
		settle(&whole);
		choose_centres(&parts);
		settle(&parts);
		result = parts.sizes[0] && parts.sizes[1] && criterion(&parts) > criterion(&whole);
		memcpy(halves, parts.nearest, count * sizeof(*halves));
		means_fini(&parts);
	}
	means_fini(&whole);
	return err ? err : result;
}

int fathom_kmeans(const struct fathom_points *points, uint32_t k, uint32_t *clusters)
{
	uint32_t *members = calloc((size_t)points->count + 1, sizeof(*members));
	struct means means;
	int err;

	if (k > points->count)
		k = points->count;
	if (!members)
		return -ENOMEM;
	for (uint32_t i = 0; i < points->count; i++)
		members[i] = i;
	if (k == 0) {
		free(members);
		return 0;
	}
	err = means_init(&means, points, members, points->count, k);
	if (!err) {
		choose_centres(&means);
		settle(&means);
		for (uint32_t i = 0; i < points->count; i++)
			clusters[i] = means.nearest[i] + 1;
		means_fini(&means);
	}
	free(members);
	return err ? err : (int)k;
}

int fathom_xmeans(const struct fathom_points *points, uint32_t most, uint32_t *clusters)
{
	uint32_t *members = calloc((size_t)points->count + 1, sizeof(*members));
	uint32_t *halves = calloc((size_t)points->count + 1, sizeof(*halves));
	int count = members && halves ? fathom_kmeans(points, most < 2 ? most : 2, clusters) : -ENOMEM;

	/* A cluster that was divided is tried again; clusters behind it are new. */
	for (uint32_t c = 1; count > 0 && c <= (uint32_t)count; ) {
		uint32_t size = 0;
		int divided;

		for (uint32_t i = 0; i < points->count; i++)
			if (clusters[i] == c)
				members[size++] = i;
		divided = (uint32_t)count < most ? divide(points, members, size, halves) : 0;
		if (divided < 0)
			count = divided;
		if (divided <= 0) {
			c++;
			continue;
		}
		count++;
		for (uint32_t i = 0; i < size; i++)
			if (halves[i])
				clusters[members[i]] = (uint32_t)count;
	}
	free(members);
	free(halves);
	return count;
}
