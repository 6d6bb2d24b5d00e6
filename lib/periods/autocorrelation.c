/*
 * The autocorrelation is the inverse Fourier transform of the power spectrum of the signal. The signal is extended by
 * zeros to twice its length, so that its end does not meet its begin.
 */
#include "periods/autocorrelation.h"

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Puts the numbers into the order in which transform combines them: by the reversed bits of their index. */
static void reorder(double complex *numbers, size_t count)
{
	for (size_t i = 1, reversed = 0; i < count; i++) {
		size_t bit = count >> 1;

		for (; reversed & bit; bit >>= 1)
			reversed ^= bit;
		reversed |= bit;
		if (i < reversed) {
			double complex number = numbers[i];

			numbers[i] = numbers[reversed];
			numbers[reversed] = number;
		}
	}
}

/* Replaces the numbers by their Fourier transform. count is a power of 2. */
static void transform(double complex *numbers, size_t count)
{
	reorder(numbers, count);
	for (size_t half = 1; half < count; half *= 2) {
		for (size_t k = 0; k < half; k++) {
			double complex factor = cexp(-I * M_PI * (double)k / (double)half);

			for (size_t i = k; i < count; i += 2 * half) {
				double complex odd = factor * numbers[i + half];

				numbers[i + half] = numbers[i] - odd;
				numbers[i] += odd;
			}
		}
	}
}

int fathom_autocorrelation(const double *signal, size_t count, double *correlation, size_t shifts)
{
	size_t padded = 2;
	double complex *numbers;
	double mean = 0, variance;

	while (padded < 2 * count)
		padded *= 2;
	numbers = calloc(padded, sizeof(*numbers));
	if (!numbers)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		mean += signal[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		numbers[i] = signal[i] - mean;
	transform(numbers, padded);
	for (size_t i = 0; i < padded; i++)
		numbers[i] *= conj(numbers[i]);
	transform(numbers, padded);	/* of a real spectrum, the inverse transform is the same up to a factor */
	variance = creal(numbers[0]) / (double)count;
	for (size_t k = 0; k < shifts; k++)
		correlation[k] = variance > 1e-12 * (double)padded * (mean * mean + 1e-300) ?
				 creal(numbers[k]) / (double)(count - k) / variance : 0;
	free(numbers);
	return 0;
}
