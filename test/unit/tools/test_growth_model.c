/* The models of fathom scaling: known functions are recognised, noise is not taken for growth, factors are projected. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tools/scaling/growth_model.h"

static const double sizes[] = { 1, 2, 4, 8, 16, 32 };

static void check(double constant, double coefficient, int numerator, int denominator, int log_power, uint32_t count)
{
	struct fathom_growth_model model;
	double values[6];
	double exponent = (double)numerator / denominator;

	for (uint32_t i = 0; i < count; i++)
		values[i] = constant + coefficient * pow(sizes[i], exponent) * pow(log2(sizes[i]), log_power);
	fathom_growth_model_fit(&model, sizes, values, count, 320);
	assert_true(model.is_there);
	assert_int_equal(model.numerator, numerator);
	assert_int_equal(model.denominator, denominator);
	assert_int_equal(model.log_power, log_power);
	assert_true(fabs(model.constant - constant) < 1e-6 * (fabs(constant) + fabs(coefficient)));
	assert_true(fabs(model.coefficient - coefficient) < 1e-6 * fabs(coefficient) + 1e-12);
	assert_true(model.error < 1e-6);
	assert_true(fabs(fathom_growth_model_value(&model, 320) - model.predicted) < 1e-9 * fabs(model.predicted));
	assert_true(model.low <= model.predicted && model.predicted <= model.high);
}

static void known_functions(void **state)
{
	(void)state;
	for (uint32_t count = 4; count <= 6; count++) {
		check(5, 0, 0, 1, 0, count);
		check(5, 2, 1, 1, 0, count);
		check(-1, 1, 1, 1, 0, count);	/* one message to each other rank */
		check(0, 3, 2, 1, 0, count);
		check(1, 0.5, 0, 1, 1, count);
		check(2, 7, -1, 1, 0, count);	/* strong scaling */
		check(1, 1, 1, 1, 1, count);
		check(3, 1, 1, 2, 0, count);
		check(4, -4, -1, 1, 0, count);	/* (p - 1) / p */
	}
	check(1, 2, 3, 2, 0, 6);
	check(1, 2, 2, 1, 1, 6);
}

static void too_few_sizes(void **state)
{
	static const double values[] = { 1, 2, 3 };
	struct fathom_growth_model model;

	(void)state;
	fathom_growth_model_fit(&model, sizes, values, 3, 40);
	assert_false(model.is_there);
}

/* Values that differ by 1 % without order have no growth; a value that is 0 everywhere is constant. */
static void noise(void **state)
{
	static const double noisy[] = { 10, 10.1, 9.9, 10.05, 9.95, 10 }, none[6] = { 0 };
	struct fathom_growth_model model;

	(void)state;
	fathom_growth_model_fit(&model, sizes, noisy, 6, 320);
	assert_true(model.is_there);
	assert_true(fabs(model.predicted - 10) < 0.5);
	fathom_growth_model_fit(&model, sizes, none, 6, 320);
	assert_int_equal(model.numerator, 0);
	assert_int_equal(model.log_power, 0);
	assert_true(model.predicted == 0 && model.error == 0);
}

/* Linear growth with 2 % noise is still linear, and nothing that is never negative is predicted to become so. */
static void noisy_growth(void **state)
{
	static const double factors[] = { 1.02, 0.98, 1.01, 0.99, 1.02, 0.99 };
	struct fathom_growth_model model;
	double values[6];

	(void)state;
	for (int i = 0; i < 6; i++)
		values[i] = 3 * sizes[i] * factors[i];
	fathom_growth_model_fit(&model, sizes, values, 6, 320);
	assert_true(model.numerator == 1 && model.denominator == 1 && model.log_power == 0);
	assert_true(model.error > 0 && model.error < 0.1);
	assert_true(fabs(model.predicted / 960 - 1) < 0.05);
	for (int i = 0; i < 6; i++)
		values[i] = 100 - 3 * sizes[i];
	fathom_growth_model_fit(&model, sizes, values, 6, 320);
	assert_true(model.is_there && model.predicted >= -1e-6);
}

static void terms(void **state)
{
	static const struct { int numerator, denominator, log_power; const char *text; } cases[] = {
		{ 0, 1, 0, "constant" }, { 1, 1, 0, "p" }, { 1, 2, 1, "p^(1/2) log2(p)" }, { 0, 1, 2, "log2(p)^2" },
		{ -1, 1, 0, "p^-1" }, { 3, 1, 0, "p^3" },
	};
	char text[FATHOM_GROWTH_TERM_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fathom_growth_model model = { .numerator = cases[i].numerator,
						     .denominator = cases[i].denominator,
						     .log_power = cases[i].log_power };

		assert_string_equal(fathom_growth_model_term(&model, text), cases[i].text);
	}
}

/* The known answer of the load balance: 1.0, 0.8, 0.5 lie exactly on the curve with f = 0.5556. */
static void projection(void **state)
{
	static const double x[] = { 1, 1.5625, 3.25 }, balance[] = { 1.0, 0.8, 0.5 }, even[] = { 0.9, 0.9, 0.9 };
	double f;

	(void)state;
	assert_true(fabs(fathom_factor_projection(x, balance, 3, 10, &f) - 0.2) < 1e-6);
	assert_true(fabs(f - 5.0 / 9) < 1e-6);
	assert_true(fabs(fathom_factor_projection(x, even, 3, 10, NULL) - 0.9) < 1e-6);
	assert_true(isnan(fathom_factor_projection(x, balance, 2, 10, NULL)));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_functions), cmocka_unit_test(too_few_sizes), cmocka_unit_test(noise),
		cmocka_unit_test(noisy_growth), cmocka_unit_test(terms), cmocka_unit_test(projection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
