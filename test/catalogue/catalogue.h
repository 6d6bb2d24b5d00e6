/*
 * catalogue: what the programs of the catalogue share. Each program has exactly one bottleneck, which its head describes
 * as the first finding of fathom report must describe it.
 *
 * The programs sleep in place of work, so that the size of the bottleneck does not depend on other programs on the
 * machine. Where processors matter, they compute.
 */
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include <time.h>

#define PLAIN __attribute__((no_instrument_function, unused, noinline))

/* Takes that many seconds, without a processor. */
PLAIN static void spend(double seconds)
{
	struct timespec duration = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

	nanosleep(&duration, NULL);
}

/* Takes that many seconds of the thread's processor time. */
PLAIN static void compute(double seconds)
{
	struct timespec begin, now;
	volatile double sum = 0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 2000; i++)
			sum += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9 < seconds);
}

#endif
