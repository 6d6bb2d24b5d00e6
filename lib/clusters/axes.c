#include "clusters/axes.h"

#include <math.h>
#include <string.h>

/* --- range -------------------------------------------------------------------------------------------- */

static double logarithm(double value)
{
	return value > 0 ? log(value) : 0;
}

static void scale(double *values, uint32_t count, uint32_t dimensions, struct fathom_axis *axis)
{
	double range;

	axis->least = HUGE_VAL;
	axis->most = -HUGE_VAL;
	for (size_t i = 0; i < (size_t)count * dimensions; i += dimensions) {
		if (axis->is_log && !axis->is_kept)
			values[i] = logarithm(values[i]);
		axis->least = fmin(axis->least, values[i]);
		axis->most = fmax(axis->most, values[i]);
	}
	range = axis->most - axis->least;
	for (size_t i = 0; i < (size_t)count * dimensions; i += dimensions) {
		if (!axis->is_kept)
			values[i] = range > 0 ? (values[i] - axis->least) / range : 0;
		values[i] *= axis->factor;
	}
}

double fathom_axis_place(const struct fathom_axis *axis, double value)
{
	if (axis->is_kept)
		return value * axis->factor;
	if (axis->is_log)
		value = logarithm(value);
	return axis->most > axis->least ? (value - axis->least) / (axis->most - axis->least) * axis->factor : 0;
}

void fathom_axes_scale(double *values, uint32_t count, uint32_t dimensions, struct fathom_axis *axes)
{
	for (uint32_t d = 0; d < dimensions; d++)
		scale(values + d, count, dimensions, &axes[d]);
}

/* The values are counted in classes of their binary exponent, so that no sorting is necessary. */
bool fathom_axis_needs_log(const double *values, uint32_t count, uint32_t dimensions, uint32_t dimension)
{
	enum { CLASSES = 2200, MIDDLE = 1100 };
	static uint32_t classes[CLASSES];
	uint32_t low = 0, high = CLASSES - 1, passed = 0;

	memset(classes, 0, sizeof(classes));
	for (uint32_t i = 0; i < count; i++) {
		double value = values[(size_t)i * dimensions + dimension];
		int exponent;

		if (!(value > 0))
			return false;
		frexp(value, &exponent);
		classes[exponent + MIDDLE]++;
	}
	for (; low < high && passed + classes[low] <= count / 100; low++)
		passed += classes[low];
	for (passed = 0; high > low && passed + classes[high] <= count / 100; high--)
		passed += classes[high];
	return high - low >= 6;		/* 2^6: about 50 */
}

/* --- principal axes ----------------------------------------------------------------------------------- */

typedef double square_matrix[FATHOM_MOST_DIMENSIONS][FATHOM_MOST_DIMENSIONS];

/* Turns axes a and b such that the covariance of both becomes 0. */
static void rotate(square_matrix matrix, square_matrix vectors, uint32_t dimensions, uint32_t a, uint32_t b)
{
	double slope = (matrix[b][b] - matrix[a][a]) / (2 * matrix[a][b]);
	double tangent = (slope < 0 ? -1 : 1) / (fabs(slope) + sqrt(slope * slope + 1));
	double cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine;

	for (uint32_t i = 0; i < dimensions; i++) {
		double x = matrix[i][a], y = matrix[i][b];

		matrix[i][a] = cosine * x - sine * y;
		matrix[i][b] = sine * x + cosine * y;
	}
	for (uint32_t i = 0; i < dimensions; i++) {
		double x = matrix[a][i], y = matrix[b][i];

		matrix[a][i] = cosine * x - sine * y;
		matrix[b][i] = sine * x + cosine * y;
	}
	for (uint32_t i = 0; i < dimensions; i++) {
		double x = vectors[i][a], y = vectors[i][b];

		vectors[i][a] = cosine * x - sine * y;
		vectors[i][b] = sine * x + cosine * y;
	}
}

/* Finds the eigenvectors (columns of vectors) of a symmetric matrix, whose diagonal becomes the eigenvalues: Jacobi's
 * method. */
static void find_axes(square_matrix matrix, square_matrix vectors, uint32_t dimensions)
{
	for (uint32_t i = 0; i < dimensions; i++)
		for (uint32_t j = 0; j < dimensions; j++)
			vectors[i][j] = i == j;
	for (int sweep = 0; sweep < 30; sweep++)
		for (uint32_t a = 0; a < dimensions; a++)
			for (uint32_t b = a + 1; b < dimensions; b++)
				if (fabs(matrix[a][b]) > 1e-15 * sqrt(fabs(matrix[a][a] * matrix[b][b])))
					rotate(matrix, vectors, dimensions, a, b);
}

static void find_covariance(const double *values, uint32_t count, uint32_t dimensions, double *means,
			    square_matrix matrix)
{
	memset(means, 0, FATHOM_MOST_DIMENSIONS * sizeof(*means));
	memset(matrix, 0, sizeof(square_matrix));
	for (size_t i = 0; i < (size_t)count * dimensions; i++)
		means[i % dimensions] += values[i] / count;
	for (size_t i = 0; i < (size_t)count * dimensions; i += dimensions)
		for (uint32_t a = 0; a < dimensions; a++)
			for (uint32_t b = 0; b < dimensions; b++)
				matrix[a][b] += (values[i + a] - means[a]) * (values[i + b] - means[b]) / count;
}

uint32_t fathom_axes_reduce(double *values, uint32_t count, uint32_t dimensions, double share)
{
	square_matrix matrix, vectors;
	double means[FATHOM_MOST_DIMENSIONS], total = 0, kept = 0;
	uint32_t order[FATHOM_MOST_DIMENSIONS], left = 0;

	find_covariance(values, count, dimensions, means, matrix);
	find_axes(matrix, vectors, dimensions);
	for (uint32_t d = 0; d < dimensions; d++) {
		uint32_t place = d;

		for (; place > 0 && matrix[order[place - 1]][order[place - 1]] < matrix[d][d]; place--)
			order[place] = order[place - 1];
		order[place] = d;
		total += matrix[d][d];
	}
	while (left < dimensions && (left == 0 || kept < share * total)) {
		kept += matrix[order[left]][order[left]];
		left++;
	}
	for (uint32_t i = 0; i < count; i++) {
		const double *point = values + (size_t)i * dimensions;
		double turned[FATHOM_MOST_DIMENSIONS] = { 0 };

		for (uint32_t axis = 0; axis < left; axis++)
			for (uint32_t d = 0; d < dimensions; d++)
				turned[axis] += (point[d] - means[d]) * vectors[d][order[axis]];
		memcpy(values + (size_t)i * left, turned, left * sizeof(*turned));
	}
	return left;
}
