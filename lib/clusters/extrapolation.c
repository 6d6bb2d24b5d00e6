#include "clusters/extrapolation.h"

#include <math.h>

void fathom_extrapolate(struct fathom_extrapolated *values, const struct fathom_measured_sums *sums, uint64_t size,
			double mean_reference)
{
	double count = (double)sums->count, mean = sums->sum / count, variance;

	*values = (struct fathom_extrapolated){ NAN, NAN, NAN };
	if (sums->count == 0)
		return;
	values->mean = sums->reference > 0 ? sums->sum / sums->reference * mean_reference : mean;
	values->total = values->mean * (double)size;
	if (sums->count < 2)
		return;
	variance = fmax(sums->squares - count * mean * mean, 0) / (count - 1);
	values->error = mean > 0 ? sqrt(variance / count) / mean : 0;
}

double fathom_weighted_error(double estimate, double real, double share)
{
	return fabs(estimate - real) / real * share;
}
