/*
 * meter: the stage that reads the counters of FATHOM_METRICS, before the substrate sees the event.
 *
 * It is a table of functions in front of the substrate's table. Without counters it is not there.
 */
#ifndef FATHOM_EVENT_METER_H
#define FATHOM_EVENT_METER_H

#include "event/substrate.h"

/* Returns the table of substrate with the reading of counters in front. Context: start. */
const struct fathom_substrate *fathom_meter_before(const struct fathom_substrate *substrate);

/* The program's work begins: reads the counters, so that only what they count from here on is the program's.
 * Context: start. */
void fathom_meter_begin(void);

/* The program's work ends: reads the counters, with which the active regions of the calling thread end.
 * Context: finish. */
void fathom_meter_end(void);

/* Crash saving begins (true) or is over (false). In between no counters are opened, and
 * fathom_meter_end reads none, because their source may be what crashed. Context: signal. */
void fathom_meter_pause(bool pause);

#endif
