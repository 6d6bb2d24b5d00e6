/*
 * meter: the stage that reads the counters of FATHOM_METRICS before the substrate gets the event (stage.h).
 */
#ifndef FATHOM_EVENT_METER_H
#define FATHOM_EVENT_METER_H

#include "event/substrate.h"

/* Returns the substrate with the stage of readings in front of its chain. Only one can exist. Context: start. */
const struct fathom_substrate *fathom_meter_before(const struct fathom_substrate *substrate);

/* The program begins to run: reads the counters, so that only the differences from now on belong to the program.
 * Context: start. */
void fathom_meter_begin(void);

/* The program's work ends: reads the counters; the active regions of the calling thread end with these values.
 * Context: finish. */
void fathom_meter_end(void);

/* Crash saving begins (true) or ends (false). In between no counters are opened, and fathom_meter_end reads none,
 * because the source of the counters may have caused the crash. Context: signal. */
void fathom_meter_pause(bool pause);

#endif
