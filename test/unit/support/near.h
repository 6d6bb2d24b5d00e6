/* near: numbers that a computation may have rounded. Included after unit_test.h. */
#ifndef FATHOM_TEST_NEAR_H
#define FATHOM_TEST_NEAR_H

#include <math.h>

/* Fails the test unless value is wanted, to nine digits; numbers below 1 to 1e-9. */
#define NEAR(value, wanted) near_enough((value), (wanted), #value, __LINE__)

static inline void near_enough(double value, double wanted, const char *text, int line)
{
	if (fabs(value - wanted) <= 1e-9 * fmax(1, fabs(wanted)))
		return;
	print_error("line %d: %s is %.12g, not %.12g\n", line, text, value, wanted);
	fail();
}

#endif
