/*
 * delay_costs: finds out what made late locations late, and which waiting caused other waiting.
 *
 * Each location goes through its operations from the last to the first. A location that waited sends its time map,
 * since the last synchronisation with the cause, to the cause; the cause compares it with its own, charges the
 * differences, and passes the rest on to its own earlier waiting. A location goes on behind an operation only when all
 * that waited for the operation have reported, because only then is it known what its earlier waiting caused.
 */
#ifndef FATHOM_WAITS_DELAY_COSTS_H
#define FATHOM_WAITS_DELAY_COSTS_H

#include "waits/search_state.h"

/* Called by all hosts together, when the causes are known. 0 or -errno. Context: finish. */
int fathom_waits_delays_find(struct fathom_waits_state *state);

#endif
