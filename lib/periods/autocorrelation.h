/*
 * autocorrelation: how much a signal resembles itself when it is shifted.
 */
#ifndef FATHOM_PERIODS_AUTOCORRELATION_H
#define FATHOM_PERIODS_AUTOCORRELATION_H

#include <stddef.h>

/*
 * Computes the autocorrelation of a signal for the shifts 0 to shifts - 1, which must be at most count: 1 where the
 * shifted signal equals the signal, about 0 where they have nothing in common. The sum of products of each shift is
 * divided by the number of products (unbiased form). A constant signal has 0 everywhere. Takes O(n log n) time.
 * 0 or -ENOMEM. Context: any that may allocate memory.
 */
int fathom_autocorrelation(const double *signal, size_t count, double *correlation, size_t shifts);

#endif
