#include "tools/diff/changes.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/diff/spread_prior.h"
#include "tools/diff/student_distribution.h"

static const double least_share = 0.001;	/* of the whole, with several runs of a side */
static const double single_least_share = 0.005;	/* of the whole, with one run of each side */
static const double single_run_share = 0.05;	/* of the value before, if there is one run of each side */
static const double level = 0.01;		/* the probability that anything is called a change without one */
static const double unusual = 0.01;		/* the probability of a spread by which a region counts as noisier */

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

/* What the noise of differences is computed from. */
struct noise {
	uint32_t runs;
	double degrees;		/* of the runs of one region; only if there are several runs */
	struct fathom_spread_prior prior;
	/* Quantiles for the items that are compared: of their own spread alone, and together with the prior. With one
	 * run of each side, that of the normal distribution. */
	double own_quantile, quantile;
};

/* Sets the quantiles for a level that is divided among that many items. */
static void set_quantiles(struct noise *noise, double items)
{
	double p = level / 2 / fmax(items, 1);

	if (noise->runs == 2) {
		noise->quantile = fathom_student_quantile(p, 1e6);
		return;
	}
	noise->own_quantile = fathom_student_quantile(p, noise->degrees);
	noise->quantile = fathom_student_quantile(p, noise->degrees + noise->prior.degrees);
}

/* Finds the prior from the items that matter, and counts these. */
static struct noise noise_of(const struct fathom_matched_runs *matched, const struct fathom_matched_list *list,
			     uint32_t first_count, enum fathom_change_values which, double whole, size_t *compared)
{
	struct noise noise = { .runs = matched->count, .degrees = matched->count - 2.0 };
	double *variances = fathom_tool_alloc(list->count, sizeof(*variances));
	size_t count = 0;

	*compared = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct side a = side_of(&list->items[i], 0, first_count, which);
		struct side b = side_of(&list->items[i], first_count, matched->count, which);
		double mean = (a.mean + b.mean) / 2;

		*compared += fmax(a.mean, b.mean) >= least_share * whole;
		if (noise.degrees > 0 && mean >= least_share * whole)
			variances[count++] = (a.squares + b.squares) / noise.degrees / (mean * mean);
	}
	if (noise.degrees > 0)
		noise.prior = fathom_spread_prior_fit(variances, count, noise.degrees);
	free(variances);
	return noise;
}

static double noise_of_difference(const struct noise *noise, const struct side *a, const struct side *b)
{
	double mean = (a->mean + b->mean) / 2, usual = noise->prior.variance * mean * mean, own, variance, quantile;

	if (noise->runs == 2)	/* nothing but samples tells the noise */
		return fmax(single_run_share * a->mean, noise->quantile * sqrt(a->variance + b->variance));
	own = (a->squares + b->squares) / noise->degrees;
	variance = (own * noise->degrees + usual * noise->prior.degrees) / (noise->degrees + noise->prior.degrees);
	quantile = noise->quantile;
	if (usual > 0 && fathom_variance_ratio_tail(own / usual, noise->degrees, noise->prior.degrees) < unusual) {
		/* The prior would make the noise of this item too small. */
		variance = own;
		quantile = noise->own_quantile;
	}
	variance *= 1.0 / a->count + 1.0 / b->count;
	/* The spread of several runs contains the error of samples, but three runs may be near each other by chance. */
	return quantile * sqrt(fmax(variance, a->variance + b->variance));
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
	size_t compared, count = 0, before;
	struct noise noise = noise_of(matched, list, first_count, which, whole, &compared);

	/* Holm: the level is divided among the items that are not yet known to have changed. */
	do {
		before = count;
		set_quantiles(&noise, (double)compared - (double)before);
		count = 0;
		for (size_t i = 0; i < list->count; i++) {
			changes[i] = compare(matched, &list->items[i], first_count, which, &noise, whole);
			changes[i].item = (uint32_t)i;
			count += changes[i].is_change;
		}
	} while (count > before);
	qsort(changes, list->count, sizeof(*changes), by_difference);
	return changes;
}

struct fathom_change fathom_changes_total(const struct fathom_matched_runs *matched, uint32_t first_count)
{
	struct fathom_run_value values[FATHOM_MATCHED_RUNS_MOST] = { { 0 } };
	struct fathom_matched_item whole = { .values = values };
	struct noise noise = { .runs = matched->count, .degrees = matched->count - 2.0 };

	for (uint32_t r = 0; r < matched->count; r++) {
		values[r].own = matched->runs[r].total;
		values[r].is_present = true;
	}
	noise.prior = fathom_spread_prior_fit(NULL, 0, noise.degrees);
	set_quantiles(&noise, 1);
	return compare(matched, &whole, first_count, FATHOM_CHANGE_OWN, &noise, whole_of(matched, first_count));
}
