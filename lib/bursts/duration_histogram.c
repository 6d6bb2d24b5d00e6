#include "bursts/duration_histogram.h"

#include <math.h>

static unsigned bin_of(double seconds)
{
	double bin = floor(log10(seconds * 1e9) * FATHOM_DURATION_BINS_PER_DECADE + 1e-9);

	if (!(bin > 0))
		return 0;
	return bin < FATHOM_DURATION_BINS ? (unsigned)bin : FATHOM_DURATION_BINS - 1;
}

void fathom_duration_histogram_add(struct fathom_duration_histogram *histogram, double seconds)
{
	unsigned bin = bin_of(seconds);

	histogram->counts[bin]++;
	histogram->seconds[bin] += seconds;
	histogram->count++;
	histogram->total_seconds += seconds;
}

double fathom_duration_bin_begin(unsigned bin)
{
	return bin ? pow(10, (double)bin / FATHOM_DURATION_BINS_PER_DECADE - 9) : 0;
}

double fathom_duration_histogram_least(const struct fathom_duration_histogram *histogram, double share, uint64_t count)
{
	double seconds = 0;
	uint64_t kept = 0;
	unsigned bin = FATHOM_DURATION_BINS;

	if (!histogram->count)
		return 0;
	/* The rounding of sums must not keep the last bin if all of the time is wanted. */
	while (bin > 0 && (seconds < share * histogram->total_seconds * (1 - 1e-12) ||
			   (kept < count && kept < histogram->count))) {
		seconds += histogram->seconds[--bin];
		kept += histogram->counts[bin];
	}
	return fathom_duration_bin_begin(bin);
}
