/*
 * waiting: how wrappers report that a thread of a team waits for others, in a barrier or for tasks.
 */
#ifndef FATHOM_EVENT_WAITING_H
#define FATHOM_EVENT_WAITING_H

#include "platform/compiler.h"

/* The calling thread waits for other threads of its team in the innermost region, which it has just entered; or it
 * waits no longer, and is about to leave the region. Do nothing outside of teams. Context: hook. */
FATHOM_API void fathom_event_wait_begin(void);
FATHOM_API void fathom_event_wait_end(void);

#endif
