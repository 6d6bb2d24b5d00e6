/*
 * periodic_region: the part of a signal in which it repeats itself, its period, and the two periods that are most like
 * all others.
 *
 * The signal says for equal steps of time how many threads compute. Where a program iterates, this number goes up and
 * down in short steps; while it starts and ends, it hardly changes. Context of all functions: any that may allocate
 * memory.
 */
#ifndef FATHOM_PERIODS_PERIODIC_REGION_H
#define FATHOM_PERIODS_PERIODIC_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* A correlation from which on a shift of the signal is a period for certain, and one below which it is none. */
#define FATHOM_SURE_PERIOD 0.8
#define FATHOM_LEAST_PERIOD 0.4

struct fathom_periodic_region {
	double begin, end;	/* in steps of the signal; end - begin is a whole number of periods, nearly */
	double period;		/* in steps; 0: the signal has none */
	double correlation;	/* of the region and itself shifted by a period */
	size_t count;		/* periods in the region */
	size_t typical;		/* of `window` consecutive periods that are most like all others: the first, from 0 */
	double likeness;	/* mean correlation of these periods with the others */
	size_t calmest;	/* steps from the begin of a typical period to the lowest value of the signal in it */
};

/* Finds the longest periodic region of a signal. window: how many consecutive periods are looked for in it. Period 0 if
 * there is none with at least window + 1 periods. 0 or -ENOMEM. */
int fathom_periodic_region_find(struct fathom_periodic_region *region, const double *signal, size_t count,
				size_t window);

/* Returns the correlation of two parts of a signal of that length; 0 if one of them is constant. */
double fathom_signal_likeness(const double *a, const double *b, size_t length);

#endif
