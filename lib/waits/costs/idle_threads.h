/*
 * idle_threads: the time in which worker threads have nothing to do, charged to what the initial thread does meanwhile.
 */
#ifndef FATHOM_WAITS_IDLE_THREADS_H
#define FATHOM_WAITS_IDLE_THREADS_H

#include "waits/search_state.h"

/* Adds the time of idle workers of all hosted processes to the results. 0 or -ENOMEM. Context: finish. */
int fathom_waits_idle_find(struct fathom_waits_state *state);

#endif
