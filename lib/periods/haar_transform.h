/*
 * haar_transform: how much a signal changes within each of its blocks, by the wavelets of Haar.
 */
#ifndef FATHOM_PERIODS_HAAR_TRANSFORM_H
#define FATHOM_PERIODS_HAAR_TRANSFORM_H

#include <stddef.h>

/*
 * Replaces a signal by its discrete wavelet transform in `levels` levels: behind the first count >> levels numbers,
 * which are the means of blocks (times the square root of their length), come the details, the coarsest level first.
 * The sum of squares does not change. count is a multiple of 1 << levels. scratch has count numbers. Context: any.
 */
void fathom_haar_transform(double *signal, size_t count, unsigned levels, double *scratch);

/*
 * Computes for each block of 1 << levels numbers of a transformed signal the energy of its details: the sum of their
 * squares. energies has count >> levels numbers. Context: any.
 */
void fathom_haar_energies(const double *transformed, size_t count, unsigned levels, double *energies);

#endif
