#include "stopped_clock.h"

#include "platform/clock.h"

struct fathom_clock fathom_clock;

static uint64_t now;
static struct fathom_tick_scale scale;

void stopped_clock_set(uint64_t ticks, uint64_t units_per_tick_q32)
{
	now = ticks;
	scale.units_per_tick_q32 = units_per_tick_q32;
}

int fathom_clock_init(enum fathom_clock_kind kind)
{
	(void)kind;
	return 0;
}

uint64_t fathom_clock_monotonic_ns(void)
{
	return now;
}

uint64_t fathom_clock_now(void)
{
	return now;
}

int fathom_clock_reads_counter(void)
{
	return 0;
}

struct fathom_tick_scale fathom_clock_scale(void)
{
	return scale;
}
