#ifndef FATHOM_TOOLS_RESTORE_STOPPED_CLOCK_H
#define FATHOM_TOOLS_RESTORE_STOPPED_CLOCK_H

#include <stdint.h>

/* From now on it is ticks o'clock, and a tick is worth so much (platform/clock.h). */
void stopped_clock_set(uint64_t ticks, uint64_t units_per_tick_q32);

#endif
