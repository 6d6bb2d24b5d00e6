/*
 * clock: time stamps in ticks, and what a tick is worth.
 *
 * A tick is a cycle of the invariant time stamp counter where the kernel itself trusts it
 * (what constant_tsc and nonstop_tsc in /proc/cpuinfo are made of), else a nanosecond of CLOCK_MONOTONIC.
 * How long a cycle lasts is measured over the run: between fathom_clock_init and the
 * moment somebody asks.
 */
#ifndef FATHOM_PLATFORM_CLOCK_H
#define FATHOM_PLATFORM_CLOCK_H

#include <stdint.h>

#include "platform/compiler.h"

enum fathom_clock_kind {
	FATHOM_CLOCK_AUTO,	/* the counter where it can be trusted, else the system's clock */
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
 * Choose the clock and take the first reading. -ENODEV: FATHOM_CLOCK_TSC was asked for and
 * this machine's counter cannot be trusted; the system's clock was taken.
 * Context: start.
 */
int fathom_clock_init(enum fathom_clock_kind kind);

/* Nanoseconds of CLOCK_MONOTONIC. Context: signal. */
FATHOM_API uint64_t fathom_clock_monotonic_ns(void);

/* For other libraries: the time in ticks, and whether that is fathom_clock_counter. Context: signal. */
FATHOM_API uint64_t fathom_clock_now(void);
FATHOM_API int fathom_clock_reads_counter(void);

/* True: fathom_clock_counter may be used, which is all that fathom_clock_ticks does then. Hooks ask
 * once and take another way if not, so that they need not save registers around a call. Context: hook. */
static inline int fathom_clock_is_counter(void)
{
#if defined(__x86_64__)
	return likely(fathom_clock.uses_tsc);
#else
	return 0;
#endif
}

/* Context: hook. */
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

/* Context: hook. */
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

/* The counter, read after everything that stands before it in the program. Context: hook. */
static inline uint64_t fathom_clock_counter_after(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lfence" ::: "memory");
#endif
	return fathom_clock_counter();
}

/* The same for the time. Context: hook. */
static inline uint64_t fathom_clock_ticks_after(void)
{
	return fathom_clock_is_counter() ? fathom_clock_counter_after() : fathom_clock_monotonic_ns();
}

/* The time, read before everything that stands behind it in the program, loads included. Context: hook. */
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

/* The scale as it can be known now: the longer the run, the better. Context: signal. */
FATHOM_API struct fathom_tick_scale fathom_clock_scale(void);

static inline uint64_t fathom_ticks_to_units(struct fathom_tick_scale scale, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * scale.units_per_tick_q32) >> 32);
}

/* Rounded up, for maxima: the maximum of n visits times n is never below their sum. */
static inline uint64_t fathom_ticks_to_units_up(struct fathom_tick_scale scale, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * scale.units_per_tick_q32 + 0xffffffffu) >> 32);
}

#endif
