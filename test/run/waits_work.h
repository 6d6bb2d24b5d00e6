/* What the programs of the tests of wait states share (test/run/waits-lib.sh). */
#ifndef FATHOM_TEST_WAITS_WORK_H
#define FATHOM_TEST_WAITS_WORK_H

#include <time.h>

/* Sleeps, so that the other process of this machine waits although it has no processor of its own. */
static void work(double seconds)
{
	struct timespec time = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

	while (nanosleep(&time, &time))
		;
}

#endif
