#include "tools/common/score/field_size.h"

#include <math.h>

#include "otf2/records.h"

double fathom_score_field(double number)
{
	double bytes = 1;

	for (number = floor(number); number >= 1 && bytes < FATHOM_OTF2_NUMBER_MOST_BYTES; number = floor(number / 256))
		bytes++;
	return bytes;
}

double fathom_score_mean_field(double most)
{
	double bytes = 1, first = 1, sum = 0;

	most = floor(most < 1 ? 0 : fmin(most, FATHOM_SCORE_LARGEST_NUMBER));
	sum = 1;			/* of 0 */
	while (first <= most) {
		double end = fmin(first * 256, most + 1);

		bytes++;
		sum += (end - first) * bytes;
		first = end;
	}
	return sum / (most + 1);
}
