#include "platform/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct fathom_clock fathom_clock;

uint64_t fathom_clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
/* Returns whether the time stamp counter runs at a constant rate, also while the processor sleeps. The kernel derives
 * its flags constant_tsc and nonstop_tsc from the same bit. Reading the flags in /proc/cpuinfo would take longer than
 * the rest of the start, and on some machines the read interrupts other processors. */
static bool tsc_is_invariant(void)
{
	enum { POWER_LEAF = 0x80000007, INVARIANT_TSC = 1 << 8 };
	unsigned int a, b, c, d;

	return __get_cpuid((unsigned int)POWER_LEAF, &a, &b, &c, &d) && d & INVARIANT_TSC;
}

static uint64_t read_tsc(void)
{
	return __builtin_ia32_rdtsc();
}
#else
static bool tsc_is_invariant(void)
{
	return false;
}

static uint64_t read_tsc(void)
{
	return 0;
}
#endif

/* Reads both clocks at one moment. The function reads the counter before and after the other clock, several times, and
 * takes the attempt with the shortest time between its two counter readings. So an interrupt in one attempt does no
 * harm. */
static void read_together(uint64_t *ticks, uint64_t *ns)
{
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t before = read_tsc();
		uint64_t now = fathom_clock_monotonic_ns();
		uint64_t after = read_tsc();

		if (after - before < shortest) {
			shortest = after - before;
			*ticks = before + (after - before) / 2;
			*ns = now;
		}
	}
}

int fathom_clock_init(enum fathom_clock_kind kind)
{
	bool invariant = kind != FATHOM_CLOCK_MONOTONIC && tsc_is_invariant();

	fathom_clock.uses_tsc = invariant;
	if (invariant) {
		read_together(&fathom_clock.begin_ticks, &fathom_clock.begin_ns);
	} else {
		fathom_clock.begin_ns = fathom_clock_monotonic_ns();
		fathom_clock.begin_ticks = fathom_clock.begin_ns;
	}
	return kind == FATHOM_CLOCK_TSC && !invariant ? -ENODEV : 0;
}

struct fathom_tick_scale fathom_clock_scale(void)
{
	/* 2^32 units a second over 10^9 ns a second, as 32.32 fixed point. */
	const double units_per_ns_q32 = FATHOM_UNITS_PER_SECOND / 1e9 * FATHOM_UNITS_PER_SECOND;
	struct fathom_tick_scale scale = { (uint64_t)units_per_ns_q32 };
	uint64_t ticks = 0, ns = 0;

	if (!fathom_clock.uses_tsc)
		return scale;
	read_together(&ticks, &ns);
	if (ticks <= fathom_clock.begin_ticks || ns <= fathom_clock.begin_ns)
		return scale;
	scale.units_per_tick_q32 = (uint64_t)(units_per_ns_q32 * (double)(ns - fathom_clock.begin_ns) /
					      (double)(ticks - fathom_clock.begin_ticks));
	return scale;
}

uint64_t fathom_clock_now(void)
{
	return fathom_clock_ticks();
}

int fathom_clock_reads_counter(void)
{
	return fathom_clock_is_counter();
}
