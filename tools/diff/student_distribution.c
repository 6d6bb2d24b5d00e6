#include "tools/diff/student_distribution.h"

#include <math.h>

/* Returns the continued fraction of the incomplete beta function (modified Lentz's method). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;

	d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
	result = d;
	for (int m = 1; m < 300; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), factor;

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		result *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		factor = c * d;
		result *= factor;
		if (fabs(factor - 1) < 1e-14)
			break;
	}
	return result;
}

/* Returns the regularised incomplete beta function. */
static double incomplete_beta(double a, double b, double x)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Returns the probability that t is exceeded. */
static double student_tail(double t, double degrees)
{
	return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
}

double fathom_student_quantile(double p, double degrees)
{
	double low = 0, high = 1;

	while (student_tail(high, degrees) > p && high < 1e9)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (student_tail(middle, degrees) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double fathom_variance_ratio_tail(double ratio, double degrees_above, double degrees_below)
{
	return incomplete_beta(degrees_below / 2, degrees_above / 2,
			       degrees_below / (degrees_below + degrees_above * ratio));
}
