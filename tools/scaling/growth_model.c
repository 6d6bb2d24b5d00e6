#include "tools/scaling/growth_model.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A pair of exponents, and the factor of its error when pairs are compared. */
struct hypothesis {
	int8_t numerator, denominator, log_power;
	double factor;
};

#define SIMPLE 1.0
#define RARE 1.5
#define ODD 2.5

/* The constant comes first. Of pairs that are equally good, the first is chosen. */
static const struct hypothesis hypotheses[] = {
	{ 0, 1, 0, 0.7 },
	{ 1, 1, 0, SIMPLE },	{ 0, 1, 1, SIMPLE },	{ -1, 1, 0, SIMPLE },	{ 1, 2, 0, SIMPLE },
	{ 2, 1, 0, SIMPLE },	{ 1, 1, 1, SIMPLE },	{ 3, 1, 0, SIMPLE },	{ 0, 1, 2, RARE },
	{ -1, 2, 0, RARE },	{ -2, 1, 0, RARE },	{ -1, 3, 0, RARE },	{ -2, 3, 0, RARE },
	{ -1, 1, 1, RARE },	{ 1, 4, 0, RARE },	{ 1, 3, 0, RARE },	{ 2, 3, 0, RARE },
	{ 3, 4, 0, RARE },	{ 5, 4, 0, RARE },	{ 4, 3, 0, RARE },	{ 3, 2, 0, RARE },
	{ 5, 3, 0, RARE },	{ 7, 4, 0, RARE },	{ 5, 2, 0, RARE },	{ 1, 4, 1, ODD },
	{ 1, 3, 1, ODD },	{ 1, 2, 1, ODD },	{ 2, 3, 1, ODD },	{ 3, 2, 1, ODD },
	{ 2, 1, 1, RARE },	{ 3, 1, 1, ODD },	{ 1, 2, 2, ODD },	{ 1, 1, 2, ODD },
	{ 2, 1, 2, ODD },	{ 3, 1, 2, ODD },
};

enum { HYPOTHESES = sizeof(hypotheses) / sizeof(*hypotheses) };

/* Errors below this are rounding. */
static const double rounding = 1e-9;

static double term_of(const struct hypothesis *hypothesis, double size)
{
	return pow(size, (double)hypothesis->numerator / hypothesis->denominator) *
	       pow(log2(size), hypothesis->log_power);
}

/* Constant and coefficient of a fit. */
struct line {
	double constant, coefficient;
};

/* Fits a line to all sizes except the one with number left_out (count: none is left out). */
static struct line fit_line(const struct hypothesis *hypothesis, const double *sizes, const double *values,
			    uint32_t count, uint32_t left_out)
{
	double mean_term = 0, mean_value = 0, products = 0, squares = 0;
	uint32_t used = count - (left_out < count);

	for (uint32_t i = 0; i < count; i++) {
		if (i == left_out)
			continue;
		mean_term += term_of(hypothesis, sizes[i]) / used;
		mean_value += values[i] / used;
	}
	for (uint32_t i = 0; i < count; i++) {
		double deviation = term_of(hypothesis, sizes[i]) - mean_term;

		if (i == left_out)
			continue;
		products += deviation * (values[i] - mean_value);
		squares += deviation * deviation;
	}
	if (squares <= 0)	/* the constant, whose term is the same everywhere */
		return (struct line){ mean_value, 0 };
	return (struct line){ mean_value - products / squares * mean_term, products / squares };
}

static double value_of(const struct hypothesis *hypothesis, struct line line, double size)
{
	return line.constant + (line.coefficient != 0 ? line.coefficient * term_of(hypothesis, size) : 0);
}

/* Returns the root mean square of the errors of the predictions. */
static double cross_validate(const struct hypothesis *hypothesis, const double *sizes, const double *values,
			     uint32_t count)
{
	double squares = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct line line = fit_line(hypothesis, sizes, values, count, i);
		double error = value_of(hypothesis, line, sizes[i]) - values[i];

		squares += error * error / count;
	}
	return sqrt(squares);
}

/* Returns whether a value that is never negative would become negative at the size `at`. */
static bool is_impossible(const struct hypothesis *hypothesis, const double *sizes, const double *values,
			  uint32_t count, double at)
{
	struct line line = fit_line(hypothesis, sizes, values, count, count);
	double least = DBL_MAX, most = 0;

	for (uint32_t i = 0; i < count; i++) {
		least = fmin(least, values[i]);
		most = fmax(most, values[i]);
	}
	return least >= 0 && value_of(hypothesis, line, at) < -rounding * most;
}

void fathom_growth_model_fit(struct fathom_growth_model *model, const double *sizes, const double *values,
			     uint32_t count, double at)
{
	const struct hypothesis *best = NULL;
	double best_score = DBL_MAX, mean = 0;
	struct line line;

	*model = (struct fathom_growth_model){ .denominator = 1 };
	if (count < FATHOM_GROWTH_SIZES_LEAST)
		return;
	for (uint32_t i = 0; i < count; i++)
		mean += fabs(values[i]) / count;
	for (int h = 0; h < HYPOTHESES; h++) {
		double error = mean > 0 ? cross_validate(&hypotheses[h], sizes, values, count) / mean : 0;
		double score = (error + rounding) * hypotheses[h].factor;

		if (score >= best_score * (1 - 1e-6) || is_impossible(&hypotheses[h], sizes, values, count, at))
			continue;
		best = &hypotheses[h];
		best_score = score;
		model->error = error < rounding ? 0 : error;
	}
	if (!best)	/* values that are no numbers */
		return;
	line = fit_line(best, sizes, values, count, count);
	model->is_there = true;
	model->constant = line.constant;
	model->coefficient = line.coefficient;
	model->numerator = best->numerator;
	model->denominator = best->denominator;
	model->log_power = best->log_power;
	model->predicted = value_of(best, line, at);
	model->low = model->high = model->predicted;
	for (uint32_t i = 0; i < count; i++) {
		double predicted = value_of(best, fit_line(best, sizes, values, count, i), at);

		model->low = fmin(model->low, predicted);
		model->high = fmax(model->high, predicted);
	}
}

double fathom_growth_model_value(const struct fathom_growth_model *model, double size)
{
	struct hypothesis hypothesis = { (int8_t)model->numerator, (int8_t)model->denominator,
					 (int8_t)model->log_power, 1 };

	return value_of(&hypothesis, (struct line){ model->constant, model->coefficient }, size);
}

const char *fathom_growth_model_term(const struct fathom_growth_model *model, char text[FATHOM_GROWTH_TERM_BYTES])
{
	int length = 0;

	if (model->numerator == 0 && model->log_power == 0)
		return strcpy(text, "constant");
	text[0] = '\0';
	if (model->numerator == 1 && model->denominator == 1)
		length = sprintf(text, "p");
	else if (model->denominator > 1)
		length = sprintf(text, "p^(%d/%d)", model->numerator, model->denominator);
	else if (model->numerator != 0)
		length = sprintf(text, "p^%d", model->numerator);
	if (model->log_power)
		length += sprintf(text + length, "%slog2(p)", length ? " " : "");
	if (model->log_power > 1)
		sprintf(text + length, "^%d", model->log_power);
	return text;
}

/* --- factors of the efficiency ------------------------------------------------------------------------------- */

/* Returns the sum of squares of the best fit with this f; sets *a. */
static double fit_factor(const double *x, const double *values, uint32_t count, double f, double *a)
{
	double products = 0, squares = 0, error = 0;

	for (uint32_t i = 0; i < count; i++) {
		double weight = i == 0 ? 100 : 1, shape = 1 / (f + (1 - f) * x[i]);

		products += weight * shape * values[i];
		squares += weight * shape * shape;
	}
	*a = products / squares;
	for (uint32_t i = 0; i < count; i++) {
		double weight = i == 0 ? 100 : 1, rest = *a / (f + (1 - f) * x[i]) - values[i];

		error += weight * rest * rest;
	}
	return error;
}

double fathom_factor_projection(const double *x, const double *values, uint32_t count, double at, double *f)
{
	enum { STEPS = 1000 };
	double best = 0, least = DBL_MAX, a, low, high;

	if (count < 3)
		return NAN;
	for (int s = 0; s <= STEPS; s++) {
		double error = fit_factor(x, values, count, (double)s / STEPS, &a);

		if (error < least) {
			least = error;
			best = (double)s / STEPS;
		}
	}
	low = fmax(0, best - 1.0 / STEPS);
	high = fmin(1, best + 1.0 / STEPS);
	for (int i = 0; i < 100; i++) {		/* ternary search around the best step */
		double left = low + (high - low) / 3, right = high - (high - low) / 3;

		if (fit_factor(x, values, count, left, &a) <= fit_factor(x, values, count, right, &a))
			high = right;
		else
			low = left;
	}
	best = (low + high) / 2;
	fit_factor(x, values, count, best, &a);
	if (f)
		*f = best;
	return a / (best + (1 - best) * at);
}
