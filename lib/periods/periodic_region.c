/*
 * The search has three steps.
 *
 * 1. The region: the signal is divided into blocks. A block belongs to the region if the wavelets find at least half of
 *    the usual change in it. Gaps of up to a period are closed, and the longest region is kept. Because the period is
 *    not known yet, the first search closes gaps of a 32nd of the signal.
 * 2. The period: the first maximum of the autocorrelation of the region. If iterations are not equally long, the
 *    details of the signal do not meet when it is shifted, so the search is repeated with halved resolution until the
 *    correlation is high enough.
 * 3. The typical periods: each window of consecutive periods is compared with all others.
 */
#include "periods/periodic_region.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "periods/autocorrelation.h"
#include "periods/haar_transform.h"

enum {
	BLOCKS = 256,		/* of the search for the region */
	LEAST_LENGTH = 32,	/* of a signal with a period */
	LEAST_SHIFT = 3,	/* steps of a period, at the resolution at which it is found */
};

/* --- the region --------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Returns half of the median of the energies of the blocks in which the signal changes at all. scratch has room for
 * all blocks. */
static double least_energy(const double *energies, size_t blocks, double *scratch)
{
	double most = 0;
	size_t count = 0;

	for (size_t b = 0; b < blocks; b++)
		most = fmax(most, energies[b]);
	for (size_t b = 0; b < blocks; b++)
		if (energies[b] > 1e-4 * most)
			scratch[count++] = energies[b];
	if (count == 0)
		return HUGE_VAL;
	qsort(scratch, count, sizeof(*scratch), compare_numbers);
	return scratch[count / 2] / 2;
}

/* Finds the longest run of blocks with enough energy, in which gaps of at most `gap` blocks do not count. */
static void longest_run(const double *energies, size_t blocks, double least, size_t gap, size_t *from, size_t *to)
{
	size_t begin = 0, end = 0;	/* of the present run; end is behind its last block with energy */

	*from = *to = 0;
	for (size_t b = 0; b < blocks; b++) {
		if (energies[b] < least)
			continue;
		if (end == 0 || b - end > gap)
			begin = b;
		end = b + 1;
		if (end - begin > *to - *from) {
			*from = begin;
			*to = end;
		}
	}
}

/* Finds the region in which the signal changes; gap: steps without change that are still in it. */
static int find_region(const double *signal, size_t count, size_t gap, size_t *from, size_t *to)
{
	unsigned levels = 0;
	size_t blocks, padded;
	double *copy, *scratch;

	while (count >> (levels + 1) >= BLOCKS)
		levels++;
	if (levels == 0)
		levels = 1;
	blocks = (count + ((size_t)1 << levels) - 1) >> levels;
	padded = blocks << levels;
	copy = malloc(2 * padded * sizeof(*copy));
	scratch = copy + padded;
	if (!copy)
		return -ENOMEM;
	memcpy(copy, signal, count * sizeof(*copy));
	for (size_t i = count; i < padded; i++)
		copy[i] = signal[count - 1];
	fathom_haar_transform(copy, padded, levels, scratch);
	fathom_haar_energies(copy, padded, levels, scratch);
	longest_run(scratch, blocks, least_energy(scratch, blocks, copy), (gap >> levels) + 1, from, to);
	*from <<= levels;
	*to <<= levels;
	if (*to > count)
		*to = count;
	free(copy);
	return 0;
}

/* --- the period --------------------------------------------------------------------------------------- */

/* Returns the place of the maximum near shift: the top of the parabola through three values. */
static double top_of(const double *correlation, size_t shift)
{
	double left = correlation[shift - 1], middle = correlation[shift], right = correlation[shift + 1];
	double bend = left - 2 * middle + right;

	return bend < 0 ? (double)shift + 0.5 * (left - right) / bend : (double)shift;
}

/* Returns whether the autocorrelation has a maximum at shift, and a clearly lower value at a smaller shift, which is
 * the least so far. */
static bool is_maximum(const double *correlation, size_t shift, double lowest)
{
	return shift >= LEAST_SHIFT && correlation[shift] > correlation[shift - 1] &&
	       correlation[shift] >= correlation[shift + 1] && lowest < correlation[shift] - 0.1;
}

/* Returns the period of which the autocorrelation of `shifts` shifts has its first high maximum, 0: there is none. A
 * maximum that is much lower than a later one belongs to a repetition within the period. */
static size_t first_maximum(const double *correlation, size_t shifts)
{
	double lowest = 1, highest = 0;
	size_t first = 0;

	for (size_t k = 1; k + 1 < shifts; k++) {
		lowest = fmin(lowest, correlation[k]);
		if (is_maximum(correlation, k, lowest))
			highest = fmax(highest, correlation[k]);
	}
	lowest = 1;
	for (size_t k = 1; k + 1 < shifts && !first; k++) {
		lowest = fmin(lowest, correlation[k]);
		if (is_maximum(correlation, k, lowest) && correlation[k] >= highest - 0.1)
			first = k;
	}
	return first;
}

/* Makes the period more exact: 2, 4, 8, ... periods are a shift with a high correlation, too, and an error of a step is
 * a smaller part of it. */
static double refine(const double *correlation, size_t shifts, double period)
{
	for (size_t times = 2; (double)times * period + 2 < (double)shifts; times *= 2) {
		size_t around = (size_t)(period / 4) + 1, best;
		size_t middle = (size_t)llround((double)times * period);

		best = middle;
		for (size_t k = middle > around ? middle - around : 1; k < middle + around && k + 1 < shifts; k++)
			if (correlation[k] > correlation[best])
				best = k;
		if (best + 1 >= shifts || correlation[best] < FATHOM_SURE_PERIOD ||
		    fabs((double)best - (double)middle) > period / 8)
			break;
		period = top_of(correlation, best) / (double)times;
	}
	return period;
}

/* Finds the period of a signal in steps, and its correlation; 0: it has none. Halves the resolution as long as the
 * correlation is not high. */
static int find_period(const double *signal, size_t count, double *period, double *found_correlation)
{
	double *values = malloc(2 * count * sizeof(*values)), *correlation = values + count;
	int err = 0;

	*period = *found_correlation = 0;
	if (!values)
		return -ENOMEM;
	memcpy(values, signal, count * sizeof(*values));
	for (size_t scale = 1; count >= LEAST_LENGTH; scale *= 2, count /= 2) {
		size_t shifts = count / 2 + 2, shift;

		err = fathom_autocorrelation(values, count, correlation, shifts);
		shift = err ? 0 : first_maximum(correlation, shifts);
		/* 4 / sqrt(count): noise hardly ever has so high a correlation. */
		if (shift && correlation[shift] > *found_correlation && correlation[shift] > 4 / sqrt((double)count)) {
			*found_correlation = correlation[shift];
			*period = (double)scale * refine(correlation, shifts, top_of(correlation, shift));
		}
		if (err || *found_correlation > FATHOM_SURE_PERIOD)
			break;
		for (size_t i = 0; i < count / 2; i++)
			values[i] = (values[2 * i] + values[2 * i + 1]) / 2;
	}
	free(values);
	return err;
}

/* --- the typical periods ------------------------------------------------------------------------------ */

double fathom_signal_likeness(const double *a, const double *b, size_t length)
{
	double mean_a = 0, mean_b = 0, squares_a = 0, squares_b = 0, products = 0;

	for (size_t i = 0; i < length; i++) {
		mean_a += a[i] / (double)length;
		mean_b += b[i] / (double)length;
	}
	for (size_t i = 0; i < length; i++) {
		squares_a += (a[i] - mean_a) * (a[i] - mean_a);
		squares_b += (b[i] - mean_b) * (b[i] - mean_b);
		products += (a[i] - mean_a) * (b[i] - mean_b);
	}
	return squares_a > 0 && squares_b > 0 ? products / sqrt(squares_a * squares_b) : 0;
}

/* Returns the mean correlation of the periods from first on with others: of many, with a sample of 64. */
static double likeness_of(const struct fathom_periodic_region *region, const double *signal, size_t count,
			  size_t first, size_t window)
{
	size_t length = (size_t)((double)window * region->period), step = region->count / 64 + 1, compared = 0;
	size_t begin = (size_t)(region->begin + (double)first * region->period);
	double sum = 0;

	for (size_t p = 0; p + window <= region->count; p += step) {
		size_t other = (size_t)(region->begin + (double)p * region->period);

		if (p == first || other + length > count || begin + length > count)
			continue;
		sum += fathom_signal_likeness(signal + begin, signal + other, length);
		compared++;
	}
	return compared ? sum / (double)compared : 0;
}

/* Fills in where in the typical periods the signal is lowest. */
static void find_calmest(struct fathom_periodic_region *region, const double *signal, size_t count, size_t window)
{
	size_t begin = (size_t)(region->begin + (double)region->typical * region->period);
	double lowest = HUGE_VAL;

	for (size_t i = 0; i < (size_t)region->period; i++) {
		double sum = 0;

		for (size_t p = 0; p <= window; p++) {
			size_t step = begin + (size_t)((double)p * region->period) + i;

			sum += step < count ? signal[step] : 0;
		}
		if (sum < lowest) {
			lowest = sum;
			region->calmest = i;
		}
	}
}

static void find_typical(struct fathom_periodic_region *region, const double *signal, size_t count, size_t window)
{
	size_t step = region->count / 512 + 1;

	region->likeness = -2;
	for (size_t p = 0; p + window <= region->count; p += step) {
		double likeness = likeness_of(region, signal, count, p, window);

		if (likeness > region->likeness) {
			region->likeness = likeness;
			region->typical = p;
		}
	}
}

int fathom_periodic_region_find(struct fathom_periodic_region *region, const double *signal, size_t count,
				size_t window)
{
	size_t gap = count / 32, from, to;
	int err = 0;

	*region = (struct fathom_periodic_region){ 0 };
	for (int round = 0; round < 3 && count >= LEAST_LENGTH; round++) {
		double before = region->period;

		err = find_region(signal, count, gap, &from, &to);
		if (!err && round == 0 && to - from < count / 4) {	/* the iterations are perhaps long */
			from = 0;
			to = count;
		}
		if (err || to - from < LEAST_LENGTH)
			break;
		err = find_period(signal + from, to - from, &region->period, &region->correlation);
		if (err || region->correlation < FATHOM_LEAST_PERIOD)
			break;
		region->begin = (double)from;
		region->end = (double)to;
		gap = (size_t)region->period;
		if (fabs(region->period - before) < 0.01 * region->period)
			break;
	}
	region->count = region->period > 0 ? (size_t)((region->end - region->begin) / region->period + 0.05) : 0;
	if (err || region->correlation < FATHOM_LEAST_PERIOD || region->count < window + 1) {
		region->period = 0;
		return err;
	}
	region->end = fmin(region->begin + (double)region->count * region->period, (double)count);
	find_typical(region, signal, count, window);
	find_calmest(region, signal, count, window);
	return 0;
}
