#include "tools/diff/changes.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/command.h"

static const double least_share = 0.001;	/* of the whole, with several runs of a side */
static const double single_least_share = 0.005;	/* of the whole, with one run of each side */
static const double single_run_share = 0.05;	/* of the value before, if there is one run of each side */
static const double level = 0.05;		/* the probability that anything is called a change without one */
static const double borrowed_degrees = 4;	/* weight of the spread of all regions, in runs */

/* --- Student's t distribution ---------------------------------------------------------------------- */

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

/* --- comparing ------------------------------------------------------------------------------------- */

/* The values of an item on one side. */
struct side {
	uint32_t count, present;
	double mean, squares;	/* squares: sum of squared deviations from the mean */
	double variance;	/* of the mean, because samples estimate values */
};

static double value_of(const struct fathom_run_value *value, enum fathom_change_values which)
{
	return which == FATHOM_CHANGE_OWN ? value->own : value->inclusive;
}

static struct side side_of(const struct fathom_matched_item *item, uint32_t first, uint32_t end,
			   enum fathom_change_values which)
{
	struct side side = { .count = end - first };

	for (uint32_t r = first; r < end; r++) {
		side.mean += value_of(&item->values[r], which) / side.count;
		side.variance += item->values[r].variance / ((double)side.count * side.count);
		side.present += item->values[r].is_present;
	}
	for (uint32_t r = first; r < end; r++) {
		double deviation = value_of(&item->values[r], which) - side.mean;

		side.squares += deviation * deviation;
	}
	return side;
}

static int by_number(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Returns the median of the relative standard deviations of the items that matter; at least 0.2 %. */
static double usual_spread(const struct fathom_matched_runs *matched, const struct fathom_matched_list *list,
			   uint32_t first_count, enum fathom_change_values which, double whole)
{
	double *spreads = fathom_tool_alloc(list->count, sizeof(*spreads)), median;
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct side a = side_of(&list->items[i], 0, first_count, which);
		struct side b = side_of(&list->items[i], first_count, matched->count, which);
		double mean = (a.mean + b.mean) / 2;

		if (mean >= least_share * whole)
			spreads[count++] = sqrt((a.squares + b.squares) / (matched->count - 2)) / mean;
	}
	qsort(spreads, count, sizeof(*spreads), by_number);
	median = count ? spreads[count / 2] : 0;
	free(spreads);
	return fmax(median, 0.002);
}

/* What the noise of a difference is computed from. */
struct noise {
	uint32_t runs;
	double spread;		/* usual_spread */
	double quantile;	/* of Student's distribution, or of the normal one for a single run of each side */
	double degrees;
};

static struct noise noise_of(const struct fathom_matched_runs *matched, const struct fathom_matched_list *list,
			     uint32_t first_count, enum fathom_change_values which, double whole)
{
	struct noise noise = { .runs = matched->count };
	double compared = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct side a = side_of(&list->items[i], 0, first_count, which);
		struct side b = side_of(&list->items[i], first_count, matched->count, which);

		compared += fmax(a.mean, b.mean) >= least_share * whole;
	}
	if (matched->count > 2)
		noise.spread = usual_spread(matched, list, first_count, which, whole);
	noise.degrees = matched->count > 2 ? matched->count - 2 + borrowed_degrees : 1e6;
	noise.quantile = fathom_student_quantile(level / 2 / fmax(compared, 1), noise.degrees);
	return noise;
}

static double noise_of_difference(const struct noise *noise, const struct side *a, const struct side *b)
{
	double mean = (a->mean + b->mean) / 2, variance;

	if (noise->runs == 2)	/* nothing but samples tells the noise */
		return fmax(single_run_share * a->mean, noise->quantile * sqrt(a->variance + b->variance));
	variance = (a->squares + b->squares + borrowed_degrees * noise->spread * noise->spread * mean * mean) /
		   (noise->runs - 2 + borrowed_degrees);
	variance *= 1.0 / a->count + 1.0 / b->count;
	/* The spread of several runs contains the error of samples, but three runs may be near each other by chance. */
	return noise->quantile * sqrt(fmax(variance, a->variance + b->variance));
}

static struct fathom_change compare(const struct fathom_matched_runs *matched, const struct fathom_matched_item *item,
				    uint32_t first_count, enum fathom_change_values which, const struct noise *noise,
				    double whole)
{
	struct side a = side_of(item, 0, first_count, which);
	struct side b = side_of(item, first_count, matched->count, which);
	double least = (matched->count > 2 ? least_share : single_least_share) * whole;
	struct fathom_change change = {
		.before = a.mean, .after = b.mean, .noise = noise_of_difference(noise, &a, &b),
	};

	change.is_new = !a.present;
	change.is_gone = !b.present;
	change.is_change = fabs(b.mean - a.mean) > change.noise && fabs(b.mean - a.mean) >= least;
	return change;
}

static double whole_of(const struct fathom_matched_runs *matched, uint32_t first_count)
{
	double whole = 0;

	for (uint32_t r = 0; r < first_count; r++)
		whole += matched->runs[r].total / first_count;
	return whole;
}

static int by_difference(const void *a, const void *b)
{
	const struct fathom_change *left = a, *right = b;
	double x = fabs(left->after - left->before), y = fabs(right->after - right->before);

	if (left->is_change != right->is_change)
		return left->is_change ? -1 : 1;
	return x != y ? (x < y ? 1 : -1) : left->item < right->item ? -1 : 1;
}

struct fathom_change *fathom_changes_find(const struct fathom_matched_runs *matched,
					  const struct fathom_matched_list *list, uint32_t first_count,
					  enum fathom_change_values which)
{
	struct fathom_change *changes = fathom_tool_alloc(list->count, sizeof(*changes));
	double whole = whole_of(matched, first_count);
	struct noise noise = noise_of(matched, list, first_count, which, whole);

	for (size_t i = 0; i < list->count; i++) {
		changes[i] = compare(matched, &list->items[i], first_count, which, &noise, whole);
		changes[i].item = (uint32_t)i;
	}
	qsort(changes, list->count, sizeof(*changes), by_difference);
	return changes;
}

struct fathom_change fathom_changes_total(const struct fathom_matched_runs *matched, uint32_t first_count)
{
	struct fathom_run_value values[FATHOM_MATCHED_RUNS_MOST] = { { 0 } };
	struct fathom_matched_item whole = { .values = values };
	struct noise noise = { .runs = matched->count, .spread = 0.002 };

	for (uint32_t r = 0; r < matched->count; r++) {
		values[r].own = matched->runs[r].total;
		values[r].is_present = true;
	}
	noise.degrees = matched->count > 2 ? matched->count - 2 + borrowed_degrees : 1e6;
	noise.quantile = fathom_student_quantile(level / 2, noise.degrees);
	return compare(matched, &whole, first_count, FATHOM_CHANGE_OWN, &noise, whole_of(matched, first_count));
}
