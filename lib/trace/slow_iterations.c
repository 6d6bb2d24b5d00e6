#include "trace/slow_iterations.h"

#include <stddef.h>

/* Returns the median of the noted iterations: the one that half of the others do not exceed. */
static uint64_t median(const struct fathom_slow_iterations *iterations)
{
	const uint64_t *ticks = iterations->ticks;

	for (int i = 0; i < FATHOM_SLOW_ITERATIONS; i++) {
		int smaller = 0;

		for (int k = 0; k < FATHOM_SLOW_ITERATIONS; k++)
			smaller += ticks[k] < ticks[i] || (ticks[k] == ticks[i] && k < i);
		if (smaller == FATHOM_SLOW_ITERATIONS / 2)
			return ticks[i];
	}
	return UINT64_MAX;	/* not reached */
}

bool fathom_slow_iterations_begin(struct fathom_slow_iterations *iterations, const struct fathom_region *phase,
				  uint64_t now, uint64_t factor)
{
	uint64_t ticks = now - iterations->begin_ticks;
	bool is_slow = false;

	if (!iterations->phase) {
		iterations->phase = phase;
		iterations->begin_ticks = now;
		return false;
	}
	if (phase != iterations->phase)
		return false;
	if (iterations->count >= FATHOM_SLOW_ITERATIONS)
		is_slow = ticks / factor >= median(iterations);
	iterations->ticks[iterations->count++ % FATHOM_SLOW_ITERATIONS] = ticks;
	iterations->begin_ticks = now;
	return is_slow;
}
