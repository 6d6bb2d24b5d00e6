/*
 * meter: reads the counters of FATHOM_METRICS before the events that substrates take them with.
 *
 * Where there are any, this stands before the substrate, as a table of its own; without them it is not there.
 */
#ifndef FATHOM_EVENT_METER_H
#define FATHOM_EVENT_METER_H

#include "event/substrate.h"

/* The same substrate behind the meter. Context: start. */
const struct fathom_substrate *fathom_meter_before(const struct fathom_substrate *substrate);

/* The program's work begins: what counters stand at from here on is its own. Context: start. */
void fathom_meter_begin(void);

/* The program's work ends: what is active on the calling thread ends with what its counters stand at now.
 * Context: finish. */
void fathom_meter_end(void);

/* A crash is about to be recorded, and is over: nothing is opened in between, nor read but by who goes on.
 * Context: signal. */
void fathom_meter_pause(bool pause);

#endif
