/*
 * clock: time stamps in ticks, and the length of a tick.
 *
 * A tick is a cycle of the invariant time stamp counter where the kernel itself trusts it
 * (what constant_tsc and nonstop_tsc in /proc/cpuinfo are made of), else a nanosecond of CLOCK_MONOTONIC.
 * The length of a cycle is measured over the run, from fathom_clock_init to the call of fathom_clock_scale.
 */
#ifndef FATHOM_PLATFORM_CLOCK_H
#define FATHOM_PLATFORM_CLOCK_H

#include <stdint.h>

#include "platform/compiler.h"

enum fathom_clock_kind {
	FATHOM_CLOCK_AUTO,	/* the counter if it is reliable, else the clock of the system */
	FATHOM_CLOCK_TSC,
	FATHOM_CLOCK_MONOTONIC,
};

struct fathom_clock {
	int uses_tsc;
	uint64_t begin_ticks;	/* the two clocks, read together at the start */
	uint64_t begin_ns;
};

/* Written once by fathom_clock_init, before any event; afterwards only read. */
extern FATHOM_HIDDEN struct fathom_clock fathom_clock;

/*
 * Chooses the clock and takes the first reading. -ENODEV: kind is FATHOM_CLOCK_TSC, but the counter of this machine is
 * not reliable, so the clock of the system was chosen. Context: start.
 */
int fathom_clock_init(enum fathom_clock_kind kind);

/* Returns CLOCK_MONOTONIC in nanoseconds. Context: signal. */
FATHOM_API uint64_t fathom_clock_monotonic_ns(void);

/* For other libraries: return the time in ticks, and whether it is that of fathom_clock_counter. Context: signal. */
FATHOM_API uint64_t fathom_clock_now(void);
FATHOM_API int fathom_clock_reads_counter(void);

/* Returns whether fathom_clock_counter is the clock; fathom_clock_ticks then does nothing else. Hooks test this
 * once and otherwise take a slower path, so that they need not save registers around a call. Context: hook. */
static inline int fathom_clock_is_counter(void)
{
#if defined(__x86_64__)
	return likely(fathom_clock.uses_tsc);
#else
	return 0;
#endif
}

/* Reads the time stamp counter, without ordering. Context: hook. */
static inline uint64_t fathom_clock_counter(void)
{
#if defined(__x86_64__)
	uint64_t low, high;	/* their upper halves are cleared */

	/* Not serialising: a fence costs more than the reordering of a few instructions
	 * around it can hide. Where that reordering matters, see fathom_clock_counter_after. */
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return high << 32 | low;
#else
	return 0;
#endif
}

/* Returns the time in ticks. Context: hook. */
static inline uint64_t fathom_clock_ticks(void)
{
	return fathom_clock_is_counter() ? fathom_clock_counter() : fathom_clock_monotonic_ns();
}

/*
 * Readings that order threads. One thread releases something (a lock, a task, a message), another one acquires it, and
 * the time of the acquisition must not be before that of the release.
 *
 * The thread that releases reads the clock before the store that releases; a processor makes stores visible only after
 * everything before them in the program is done, so there fathom_clock_ticks will do. The thread that acquires reads
 * the clock behind the load that acquires, and the processor may read its counter while that load is still on its way:
 * there the reading needs a fence in front of it. On x86-64 lfence waits until all loads before it are done; it takes 6
 * ns. Other processors take the system's clock, whose reading is ordered.
 */

/* Reads the counter after all preceding instructions. Context: hook. */
static inline uint64_t fathom_clock_counter_after(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lfence" ::: "memory");
#endif
	return fathom_clock_counter();
}

/* Returns the time in ticks, read after all preceding instructions. Context: hook. */
static inline uint64_t fathom_clock_ticks_after(void)
{
	return fathom_clock_is_counter() ? fathom_clock_counter_after() : fathom_clock_monotonic_ns();
}

/* Returns the time in ticks, read before all following instructions, including loads. Context: hook. */
static inline uint64_t fathom_clock_ticks_before(void)
{
	uint64_t now = fathom_clock_ticks();

#if defined(__x86_64__)
	__asm__ volatile("lfence" ::: "memory");
#endif
	return now;
}

/*
 * Ticks in fixed-point seconds: units of 2^-32 s (0.23 ns), rounded down. Sums of such
 * numbers are exact in integers and, up to 2^53 units (24 days), in doubles; and because
 * floor(a) + floor(b) <= floor(a + b), no region can seem shorter than its children.
 */
struct fathom_tick_scale {
	uint64_t units_per_tick_q32;	/* units per tick, as a 32.32 fixed-point number */
};
#define FATHOM_UNITS_PER_SECOND 4294967296.0

/* Returns the scale as measured so far; it is the more exact the longer the run is. Context: signal. */
FATHOM_API struct fathom_tick_scale fathom_clock_scale(void);

/* Returns the number of ticks in that time, by the scale as measured so far. Context: signal. */
static inline uint64_t fathom_clock_ticks_in(uint64_t ns)
{
	const uint64_t ns_per_second = 1000000000;
	unsigned __int128 units = ((unsigned __int128)ns << 32) / ns_per_second;

	return (uint64_t)((units << 32) / fathom_clock_scale().units_per_tick_q32);
}

/* Converts ticks to units, rounded down. Context: signal. */
static inline uint64_t fathom_ticks_to_units(struct fathom_tick_scale scale, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * scale.units_per_tick_q32) >> 32);
}

/* Converts ticks to units, rounded up, for maxima: n times the maximum of n visits is never below their sum.
 * Context: signal. */
static inline uint64_t fathom_ticks_to_units_up(struct fathom_tick_scale scale, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * scale.units_per_tick_q32 + 0xffffffffu) >> 32);
}

#endif
