/* stopped_clock: replaces platform/clock.c by a clock that always shows the time at which the copy of a process's
 * memory was made. */
#ifndef FATHOM_TOOLS_RESTORE_STOPPED_CLOCK_H
#define FATHOM_TOOLS_RESTORE_STOPPED_CLOCK_H

#include <stdint.h>

/* Sets the time, in ticks, and the scale of a tick (platform/clock.h). Until then both are 0. */
void stopped_clock_set(uint64_t ticks, uint64_t units_per_tick_q32);

#endif
