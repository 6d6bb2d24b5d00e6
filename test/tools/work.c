/*
 * work: does pieces of work that say how far they are.
 *
 *   work DELAY_MS STEPS [error]    two pieces: STEPS steps, and 3 steps whose number is not known before
 *   work default STEPS             one piece of STEPS steps that take 50 ms each, with the delay of the commands
 *
 * With error, an error message comes in the middle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/common/command.h"
#include "tools/common/progress.h"

static int work_slowly(long steps)
{
	const struct timespec step = { .tv_nsec = 50000000 };

	fathom_progress_begin("counting", (uint64_t)steps);
	for (long i = 0; i < steps; i++) {
		nanosleep(&step, NULL);
		fathom_progress_step();
	}
	fathom_progress_end();
	puts("done");
	return fathom_tool_end();
}

int main(int argc, char **argv)
{
	long delay = argc > 1 ? atol(argv[1]) : 0, steps = argc > 2 ? atol(argv[2]) : 4;

	fathom_tool_begin("work");
	if (argc > 1 && strcmp(argv[1], "default") == 0)
		return work_slowly(steps);
	fathom_progress_set_delay((uint64_t)delay * 1000000);
	fathom_progress_step();		/* no work was begun: nothing is shown */
	fathom_progress_begin("counting", (uint64_t)steps);
	for (long i = 0; i < steps; i++) {
		fathom_progress_step();
		if (argc > 3 && i == steps / 2)
			fathom_tool_error("half of it");
	}
	fathom_progress_end();
	fathom_progress_begin("guessing", 0);
	for (int i = 0; i < 3; i++)
		fathom_progress_step();
	fathom_progress_end();
	puts("done");
	return fathom_tool_end();
}
