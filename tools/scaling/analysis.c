#include "tools/scaling/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/command.h"

/* --- the expectation ----------------------------------------------------------------------------------------- */

/* Returns with which power of the size a quantity per thread grows from the smallest to the largest size: 0 if the work
 * of each thread stays the same, -1 if the work of all threads together does. */
static double power_of(const struct fathom_scaling *scaling, double first, double last)
{
	double size = (double)scaling->sizes[scaling->count - 1].threads / scaling->sizes[0].threads;

	return size > 1 ? log(last / first) / log(size) : 0;
}

/* Finds out which scaling the runs are. Instructions are the best sign, because they do not take longer when threads
 * share memory; then comes the time of computation. */
static void recognise(struct fathom_scaling *scaling)
{
	const struct fathom_size *first = &scaling->sizes[0], *last = &scaling->sizes[scaling->count - 1];
	double power, limit = -0.5;

	if (scaling->expectation != FATHOM_EXPECT_AUTO)
		return;
	scaling->is_recognised = true;
	if (first->instructions > 0 && last->instructions > 0) {
		scaling->recognised_by = "instructions";
		power = power_of(scaling, first->instructions / first->threads, last->instructions / last->threads);
	} else if (first->useful > 0 && last->useful > 0) {
		scaling->recognised_by = "computation";
		power = power_of(scaling, first->useful / first->threads, last->useful / last->threads);
	} else {
		scaling->recognised_by = scaling->matched.title;
		power = first->total > 0 && last->total > 0 ? power_of(scaling, first->total, last->total) : -1;
	}
	scaling->expectation = power > limit ? FATHOM_EXPECT_WEAK : FATHOM_EXPECT_STRONG;
}

static void set_coefficients(struct fathom_scaling *scaling)
{
	for (uint32_t s = 0; s < scaling->count; s++) {
		struct fathom_size *size = &scaling->sizes[s];

		size->coefficient = size->reference_coefficient = 1;
		if (scaling->expectation == FATHOM_EXPECT_STRONG) {
			size->coefficient = size->threads;
			size->reference_coefficient = scaling->sizes[0].threads;
		} else if (scaling->expectation == FATHOM_EXPECT_COEFFICIENTS) {
			size->coefficient = scaling->a;
			size->reference_coefficient = scaling->b;
		}
	}
}

/* --- factors ------------------------------------------------------------------------------------------------- */

/* Returns reference / value, for the work that is expected: in strong scaling the sum over all threads stays the same,
 * otherwise the sum divided by the number of threads. Negative if one is not known. */
static double scaling_of(const struct fathom_scaling *scaling, const struct fathom_size *size, double reference,
			 double value)
{
	double work = scaling->expectation == FATHOM_EXPECT_STRONG ? 1 :
		      (double)size->threads / scaling->sizes[0].threads;

	return reference > 0 && value > 0 ? reference * work / value : -1;
}

static void compute_factors(struct fathom_scaling *scaling, struct fathom_size *size)
{
	const struct fathom_size *reference = &scaling->sizes[0];
	double *factors = size->factors;

	size->speed_up = reference->run_time > 0 && size->run_time > 0 ? reference->run_time / size->run_time : -1;
	factors[FATHOM_FACTOR_COMPUTATION] = scaling_of(scaling, size, reference->useful, size->useful);
	factors[FATHOM_FACTOR_INSTRUCTIONS] = scaling_of(scaling, size, reference->instructions, size->instructions);
	factors[FATHOM_FACTOR_IPC] = factors[FATHOM_FACTOR_FREQUENCY] = -1;
	if (factors[FATHOM_FACTOR_INSTRUCTIONS] > 0 && reference->cycles > 0 && size->cycles > 0) {
		factors[FATHOM_FACTOR_IPC] = size->instructions / size->cycles /
					     (reference->instructions / reference->cycles);
		if (reference->useful > 0 && size->useful > 0)
			factors[FATHOM_FACTOR_FREQUENCY] = size->cycles / size->useful /
							   (reference->cycles / reference->useful);
	}
	factors[FATHOM_FACTOR_GLOBAL] = -1;
	if (factors[FATHOM_FACTOR_PARALLEL] >= 0 && factors[FATHOM_FACTOR_COMPUTATION] >= 0)
		factors[FATHOM_FACTOR_GLOBAL] = factors[FATHOM_FACTOR_PARALLEL] * factors[FATHOM_FACTOR_COMPUTATION];
}

/* Returns whether a factor is divided into others that are known at this size. */
static bool is_product(const struct fathom_size *size, enum fathom_factor factor)
{
	if (factor == FATHOM_FACTOR_COMMUNICATION)
		return size->factors[FATHOM_FACTOR_SERIALISATION] >= 0;
	if (factor == FATHOM_FACTOR_COMPUTATION)
		return size->factors[FATHOM_FACTOR_FREQUENCY] >= 0;
	return fathom_factor_table[factor].is_product;
}

/* Finds the least factor at the smallest size at which one is below the limit. */
static void find_broken(struct fathom_scaling *scaling)
{
	scaling->first_broken = FATHOM_FACTOR_COUNT;
	for (uint32_t s = 0; s < scaling->count && scaling->first_broken == FATHOM_FACTOR_COUNT; s++) {
		double least = fathom_factor_limit;

		for (enum fathom_factor f = 0; f < FATHOM_FACTOR_COUNT; f++) {
			double factor = scaling->sizes[s].factors[f];

			if (factor < 0 || factor >= least || is_product(&scaling->sizes[s], f))
				continue;
			least = factor;
			scaling->first_broken = f;
			scaling->broken_at = s;
		}
	}
}

/* Projects a factor to the target from the sizes at which it is known. */
static double project(const struct fathom_scaling *scaling, enum fathom_factor factor)
{
	double x[FATHOM_MATCHED_RUNS_MOST], values[FATHOM_MATCHED_RUNS_MOST];
	uint32_t count = 0, first = 0;

	for (uint32_t s = 0; s < scaling->count; s++) {
		if (scaling->sizes[s].factors[factor] < 0)
			continue;
		if (!count)
			first = scaling->sizes[s].threads;
		x[count] = (double)scaling->sizes[s].threads / first;
		values[count++] = scaling->sizes[s].factors[factor];
	}
	return first ? fathom_factor_projection(x, values, count, scaling->target / first, NULL) : NAN;
}

static void project_factors(struct fathom_scaling *scaling)
{
	static const enum fathom_factor parts[] = { FATHOM_FACTOR_BALANCE, FATHOM_FACTOR_COMMUNICATION,
						    FATHOM_FACTOR_THREADS };
	double *projected = scaling->projected, parallel = 1;
	bool is_known = false;

	for (enum fathom_factor f = 0; f < FATHOM_FACTOR_COUNT; f++)
		projected[f] = project(scaling, f);
	/* Products are products of what was projected. */
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		is_known |= !isnan(projected[parts[i]]);
		parallel *= isnan(projected[parts[i]]) ? 1 : projected[parts[i]];
	}
	if (is_known)
		projected[FATHOM_FACTOR_PARALLEL] = parallel;
	projected[FATHOM_FACTOR_GLOBAL] = projected[FATHOM_FACTOR_PARALLEL] * projected[FATHOM_FACTOR_COMPUTATION];
}

/* --- losses and models --------------------------------------------------------------------------------------- */

static int by_loss(const void *a, const void *b)
{
	const struct fathom_scaled_item *left = a, *right = b;

	if (left->loss != right->loss)
		return left->loss > right->loss ? -1 : 1;
	return left->item < right->item ? -1 : 1;
}

static int by_growth(const void *a, const void *b)
{
	const struct fathom_scaled_item *left = a, *right = b;

	if (left->growth != right->growth)
		return left->growth > right->growth ? -1 : 1;
	return left->item < right->item ? -1 : 1;
}

static struct fathom_scaled_item *compute_items(const struct fathom_scaling *scaling,
						const struct fathom_matched_list *list)
{
	struct fathom_scaled_item *items = fathom_tool_alloc(list->count + 1, sizeof(*items));
	double sizes[FATHOM_MATCHED_RUNS_MOST], values[FATHOM_MATCHED_RUNS_MOST];
	uint32_t last = scaling->count - 1;

	for (size_t i = 0; i < list->count; i++) {
		const struct fathom_matched_item *item = &list->items[i];

		for (uint32_t s = 0; s < scaling->count; s++) {
			sizes[s] = scaling->sizes[s].threads;
			values[s] = fathom_scaling_own(scaling, item, s);
		}
		items[i].item = (uint32_t)i;
		items[i].loss = fathom_scaling_loss(scaling, values[last], values[0], last);
		items[i].inclusive_loss = fathom_scaling_loss(scaling, fathom_scaling_inclusive(scaling, item, last),
							      fathom_scaling_inclusive(scaling, item, 0), last);
		fathom_growth_model_fit(&items[i].model, sizes, values, scaling->count, scaling->target);
		if (items[i].model.is_there)
			items[i].growth = items[i].model.predicted -
					  fathom_growth_model_value(&items[i].model, sizes[last]);
	}
	return items;
}

/* Fits a model to the value of the whole run, and sorts the call paths that have models by their growth. */
static void compute_growth(struct fathom_scaling *scaling)
{
	double sizes[FATHOM_MATCHED_RUNS_MOST], values[FATHOM_MATCHED_RUNS_MOST];
	size_t count = scaling->matched.call_paths.count;

	for (uint32_t s = 0; s < scaling->count; s++) {
		sizes[s] = scaling->sizes[s].threads;
		values[s] = scaling->sizes[s].total;
	}
	fathom_growth_model_fit(&scaling->whole, sizes, values, scaling->count, scaling->target);
	scaling->growing = fathom_tool_alloc(count + 1, sizeof(*scaling->growing));
	for (size_t i = 0; i < count; i++)
		if (scaling->paths[i].model.is_there)
			scaling->growing[scaling->growing_count++] = scaling->paths[i];
	qsort(scaling->growing, scaling->growing_count, sizeof(*scaling->growing), by_growth);
}

void fathom_scaling_analyse(struct fathom_scaling *scaling)
{
	const struct fathom_matched_runs *matched = &scaling->matched;

	recognise(scaling);
	set_coefficients(scaling);
	scaling->target = 10.0 * scaling->sizes[scaling->count - 1].threads;
	for (uint32_t s = 0; s < scaling->count; s++) {
		struct fathom_size *size = &scaling->sizes[s];

		size->loss = fathom_scaling_share(scaling, fathom_scaling_loss(scaling, size->total,
									      scaling->sizes[0].total, s), s);
		compute_factors(scaling, size);
	}
	find_broken(scaling);
	project_factors(scaling);
	scaling->regions = compute_items(scaling, &matched->regions);
	scaling->paths = compute_items(scaling, &matched->call_paths);
	compute_growth(scaling);
	qsort(scaling->regions, matched->regions.count, sizeof(*scaling->regions), by_loss);
	qsort(scaling->paths, matched->call_paths.count, sizeof(*scaling->paths), by_loss);
}
