/*
 * growth_model: how a value grows with the size of a run, as a function that is fitted to the values at several sizes:
 *
 *	f(p) = constant + coefficient * p^i * log2(p)^j
 *
 * The exponents i and j are those of a fixed list. For each pair, each size is left out once, the other sizes
 * determine constant and coefficient by least squares, and the value at the size that was left out is predicted
 * (cross-validation). The error of a pair is the root mean square of the errors of these predictions, relative to the
 * mean of the values. The pair with the smallest error is chosen. Pairs that are rare in programs are hard to tell
 * from simple ones at few sizes (p^(2/3) log2(p) from p); they must have a clearly smaller error to be preferred.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_SCALING_GROWTH_MODEL_H
#define FATHOM_TOOLS_SCALING_GROWTH_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FATHOM_GROWTH_SIZES_LEAST = 4 };		/* with fewer sizes there is no model */

struct fathom_growth_model {
	bool is_there;
	double constant, coefficient;	/* in the unit of the values; coefficient 0: the value does not grow */
	int numerator, denominator;	/* i = numerator / denominator */
	int log_power;			/* j */
	double error;			/* of the predictions, relative: 0.05 is 5 % */
	double predicted;		/* the value at the size `at` */
	double low, high;		/* the least and the greatest prediction with one size left out */
};

/* Fits a model to count values, at different sizes, which are positive. at: the size for which a value is predicted. */
void fathom_growth_model_fit(struct fathom_growth_model *model, const double *sizes, const double *values,
			     uint32_t count, double at);

/* Returns the value of the model at a size. */
double fathom_growth_model_value(const struct fathom_growth_model *model, double size);

/* Writes the function without its numbers: "constant", "p", "p^(1/2) log2(p)". Returns text. */
enum { FATHOM_GROWTH_TERM_BYTES = 48 };
const char *fathom_growth_model_term(const struct fathom_growth_model *model, char text[FATHOM_GROWTH_TERM_BYTES]);

/*
 * Fits a / (f + (1 - f) x), 0 <= f <= 1, to the values of a factor of the efficiency at the relative sizes x, and
 * returns its value at the relative size `at`. The first size, whose x is 1, is trusted ten times as much as the
 * others. Sets *f, if f is not NULL. count is at least 3; the result is NAN for fewer.
 */
double fathom_factor_projection(const double *x, const double *values, uint32_t count, double at, double *f);

#endif
