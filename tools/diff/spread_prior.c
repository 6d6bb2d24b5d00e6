#include "tools/diff/spread_prior.h"

#include <math.h>
#include <stdlib.h>

enum { REGIONS_LEAST = 5 };			/* fewer tell nothing about how regions differ */
static const double few_degrees = 2;		/* of the prior from fewer regions */
static const double degrees_most = 10;		/* regions differ in more ways than a fit of their spread shows */
static const double variance_least = 0.002 * 0.002;	/* no machine repeats times more exactly than 0.2 % */

/* Returns the derivative of the logarithm of the gamma function. x > 0. */
static double digamma(double x)
{
	double result = 0;

	for (; x < 10; x++)
		result -= 1 / x;
	return result + log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * x * x * x * x);
}

/* Returns the derivative of digamma. */
static double trigamma(double x)
{
	double result = 0;

	for (; x < 10; x++)
		result += 1 / (x * x);
	return result + 1 / x + 1 / (2 * x * x) + 1 / (6 * x * x * x) - 1 / (30 * x * x * x * x * x);
}

/* Returns the x > 0 with that trigamma. */
static double inverse_trigamma(double value)
{
	double low = 1e-3, high = 1e3;

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);

		if (trigamma(middle) > value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static int by_number(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

struct fathom_spread_prior fathom_spread_prior_fit(double *variances, size_t count, double degrees)
{
	struct fathom_spread_prior prior = { variance_least, few_degrees };
	double mean = 0, spread = 0, floor;

	if (!count)
		return prior;
	qsort(variances, count, sizeof(*variances), by_number);
	prior.variance = fmax(variances[count / 2], variance_least);
	if (count < REGIONS_LEAST)
		return prior;
	/* A variance of zero, of a counter that repeats exactly, has no logarithm. */
	floor = fmax(variances[count / 2] * 1e-5, 1e-300);
	for (size_t i = 0; i < count; i++)
		mean += log(fmax(variances[i], floor)) / (double)count;
	for (size_t i = 0; i < count; i++)
		spread += pow(log(fmax(variances[i], floor)) - mean, 2) / (double)(count - 1);
	/* What the few runs of each region explain of the spread of the logarithms is subtracted. */
	spread -= trigamma(degrees / 2);
	mean += log(degrees / 2) - digamma(degrees / 2);
	prior.degrees = spread > 0 ? fmin(2 * inverse_trigamma(spread), degrees_most) : degrees_most;
	prior.variance = fmax(exp(mean + digamma(prior.degrees / 2) - log(prior.degrees / 2)), variance_least);
	return prior;
}
