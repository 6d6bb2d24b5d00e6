/*
 * One thread that works.
 * run: 1 thread, profile
 * first: none
 */
#include "catalogue.h"

static void solve(void) { compute(0.1); }

int main(void)
{
	for (int i = 0; i < 3; i++)
		solve();
	return 0;
}
