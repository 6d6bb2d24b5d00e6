#include "folding/monotone_fit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { STEPS = FATHOM_FIT_STEPS, LEAST = FATHOM_FIT_LEAST, MOST = FATHOM_FIT_SEGMENTS };

/* Points that are nearer to the curve than this do not ask for more segments. */
static const double least_error = 2e-3;

/* Points of an instance depend on each other, so more points than this are no more evidence for another segment. */
static const double most_evidence = 2000;

void fathom_fit_points_add(struct fathom_fit_points *points, double x, double y)
{
	size_t step;

	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return;
	step = x < 1 ? (size_t)(x * STEPS) : STEPS - 1;
	points->count[step]++;
	points->x[step] += x;
	points->y[step] += y;
	points->xx[step] += x * x;
	points->xy[step] += x * y;
	points->yy[step] += y * y;
	points->total++;
}

/* --- where the curve bends ---------------------------------------------------------------------------- */

struct sums {		/* of all points before a step */
	double count, x, y, xx, xy, yy;
};

static void sum_up(struct sums sums[STEPS + 1], const struct fathom_fit_points *points)
{
	memset(&sums[0], 0, sizeof(sums[0]));
	for (size_t i = 0; i < STEPS; i++)
		sums[i + 1] = (struct sums){
			sums[i].count + points->count[i], sums[i].x + points->x[i], sums[i].y + points->y[i],
			sums[i].xx + points->xx[i], sums[i].xy + points->xy[i], sums[i].yy + points->yy[i],
		};
}

/* Returns the sum of the squared distances of the points between two steps from their best straight line. */
static double cost_of(const struct sums *from, const struct sums *to)
{
	double count = to->count - from->count, x = to->x - from->x, y = to->y - from->y;
	double xx, xy, yy;

	if (count < 2)
		return 0;
	xx = to->xx - from->xx - x * x / count;
	xy = to->xy - from->xy - x * y / count;
	yy = to->yy - from->yy - y * y / count;
	return fmax(xx > 1e-15 ? yy - xy * xy / xx : yy, 0);
}

/* Fills in the steps at which the segments of the best curve end. Returns the number of segments. */
static uint32_t find_ends(uint32_t ends[MOST + 1], const struct sums sums[STEPS + 1], double count)
{
	static double costs[MOST + 1][STEPS + 1];
	static uint32_t before[MOST + 1][STEPS + 1];
	double evidence = fmin(count, most_evidence), lowest = HUGE_VAL;
	uint32_t segments = 1;

	for (uint32_t end = 0; end <= STEPS; end++)
		costs[0][end] = end == 0 ? 0 : HUGE_VAL;
	for (uint32_t k = 1; k <= MOST; k++) {
		double error, criterion;

		for (uint32_t end = 0; end <= STEPS; end++) {
			costs[k][end] = HUGE_VAL;
			for (uint32_t begin = 0; begin + LEAST <= end; begin++) {
				double cost = costs[k - 1][begin];

				if (cost >= costs[k][end])
					continue;
				cost += cost_of(&sums[begin], &sums[end]);
				if (cost < costs[k][end]) {
					costs[k][end] = cost;
					before[k][end] = begin;
				}
			}
		}
		error = costs[k][STEPS] / count + least_error * least_error;
		criterion = evidence * log(error) + 2 * k * log(evidence);
		if (criterion < lowest) {
			lowest = criterion;
			segments = k;
		}
	}
	ends[segments] = STEPS;
	for (uint32_t k = segments; k > 0; k--)
		ends[k - 1] = before[k][ends[k]];
	return segments;
}

/* --- the heights at the bends ------------------------------------------------------------------------- */

/* Solves a symmetric positive definite system of equations by elimination; the result takes the place of the right
 * side. */
static void solve(double matrix[MOST + 1][MOST + 1], double *right, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t row = i + 1; row < count; row++) {
			double factor = matrix[row][i] / matrix[i][i];

			for (uint32_t column = i; column < count; column++)
				matrix[row][column] -= factor * matrix[i][column];
			right[row] -= factor * right[i];
		}
	for (uint32_t i = count; i-- > 0; ) {
		for (uint32_t column = i + 1; column < count; column++)
			right[i] -= matrix[i][column] * right[column];
		right[i] /= matrix[i][i];
	}
}

/* Computes the heights at the ends of the segments such that the curve is nearest to the means of the steps. A height
 * with few points near to it is drawn towards the straight line between its neighbours. */
static void find_heights(struct fathom_fit *fit, const struct fathom_fit_points *points)
{
	double matrix[MOST + 1][MOST + 1] = { { 0 } }, right[MOST + 1] = { 0 };
	uint32_t k = fit->segments, s = 0;
	double weak = 1e-6 * (double)points->total;

	for (uint32_t i = 0; i < STEPS; i++) {
		double count = points->count[i], x, width, upper;

		if (count <= 0)
			continue;
		x = points->x[i] / count;
		while (s + 1 < k && x > fit->x[s + 1])
			s++;
		width = fit->x[s + 1] - fit->x[s];
		upper = (x - fit->x[s]) / width;
		matrix[s][s] += count * (1 - upper) * (1 - upper);
		matrix[s][s + 1] += count * upper * (1 - upper);
		matrix[s + 1][s] += count * upper * (1 - upper);
		matrix[s + 1][s + 1] += count * upper * upper;
		right[s] += points->y[i] * (1 - upper);
		right[s + 1] += points->y[i] * upper;
	}
	for (uint32_t i = 1; i < k; i++) {
		matrix[i][i] += 2 * weak;
		matrix[i][i - 1] -= weak;
		matrix[i][i + 1] -= weak;
	}
	/* The curve begins at (0, 0) and ends at (1, 1), whatever the points say. */
	memset(matrix[0], 0, sizeof(matrix[0]));
	memset(matrix[k], 0, sizeof(matrix[k]));
	matrix[0][0] = matrix[k][k] = 1;
	right[0] = 0;
	right[k] = 1;
	solve(matrix, right, k + 1);
	memcpy(fit->y, right, (k + 1) * sizeof(*right));
}

/* Makes heights that fall equal: neighbours get their mean until no height is below the one before. */
static void make_monotone(struct fathom_fit *fit)
{
	double sums[MOST + 1];
	uint32_t sizes[MOST + 1], blocks = 0, place = 0;

	for (uint32_t i = 1; i < fit->segments; i++) {
		sums[blocks] = fmin(fmax(fit->y[i], 0), 1);
		sizes[blocks++] = 1;
		while (blocks > 1 && sums[blocks - 1] * sizes[blocks - 2] < sums[blocks - 2] * sizes[blocks - 1]) {
			blocks--;
			sums[blocks - 1] += sums[blocks];
			sizes[blocks - 1] += sizes[blocks];
		}
	}
	for (uint32_t b = 0; b < blocks; b++)
		for (uint32_t i = 0; i < sizes[b]; i++)
			fit->y[++place] = sums[b] / sizes[b];
}

/* Returns the root of the mean square distance of the points from the curve. */
static double error_of(const struct fathom_fit *fit, const struct fathom_fit_points *points)
{
	double sum = 0;
	uint32_t s = 0;

	for (uint32_t i = 0; i < STEPS; i++) {
		double middle = (i + 0.5) / STEPS, slope, height;

		while (s + 1 < fit->segments && middle > fit->x[s + 1])
			s++;
		slope = fathom_fit_slope(fit, s);
		height = fit->y[s] - slope * fit->x[s];		/* of the line of the segment, at x = 0 */
		sum += points->yy[i] - 2 * (height * points->y[i] + slope * points->xy[i]) +
		       height * height * points->count[i] + 2 * height * slope * points->x[i] +
		       slope * slope * points->xx[i];
	}
	return sqrt(fmax(sum, 0) / (double)points->total);
}

void fathom_monotone_fit(struct fathom_fit *fit, const struct fathom_fit_points *points)
{
	struct sums sums[STEPS + 1];
	uint32_t ends[MOST + 1];

	*fit = (struct fathom_fit){ 0 };
	if (points->total < 8)
		return;
	sum_up(sums, points);
	fit->segments = find_ends(ends, sums, (double)points->total);
	for (uint32_t s = 0; s <= fit->segments; s++)
		fit->x[s] = (double)ends[s] / STEPS;
	find_heights(fit, points);
	make_monotone(fit);
	fit->error = error_of(fit, points);
}

double fathom_fit_slope(const struct fathom_fit *fit, uint32_t s)
{
	return (fit->y[s + 1] - fit->y[s]) / (fit->x[s + 1] - fit->x[s]);
}
