#include "periods/haar_transform.h"

#include <math.h>
#include <string.h>

void fathom_haar_transform(double *signal, size_t count, unsigned levels, double *scratch)
{
	for (unsigned level = 0; level < levels; level++) {
		size_t half = (count >> level) / 2;

		for (size_t i = 0; i < half; i++) {
			scratch[i] = (signal[2 * i] + signal[2 * i + 1]) * M_SQRT1_2;
			scratch[half + i] = (signal[2 * i] - signal[2 * i + 1]) * M_SQRT1_2;
		}
		memcpy(signal, scratch, 2 * half * sizeof(*signal));
	}
}

void fathom_haar_energies(const double *transformed, size_t count, unsigned levels, double *energies)
{
	size_t blocks = count >> levels;

	memset(energies, 0, blocks * sizeof(*energies));
	for (unsigned level = 0; level < levels; level++) {
		const double *details = transformed + (blocks << level);	/* of each block: 1 << level */

		for (size_t i = 0; i < blocks << level; i++)
			energies[i >> level] += details[i] * details[i];
	}
}
