/*
 * waiting: how wrappers report that a thread of a team waits for others, in a barrier or for tasks.
 */
#ifndef FATHOM_EVENT_WAITING_H
#define FATHOM_EVENT_WAITING_H

#include <stdbool.h>

#include "platform/compiler.h"

/* Returns true if the blame for idle threads is recorded. Otherwise fathom_event_wait_begin does nothing, and
 * fathom_event_wait_end only something in explicit tasks. Context: start. */
FATHOM_API bool fathom_event_blames_for_waiting(void);

/* The calling thread waits for other threads of its team in the innermost region, which it has just entered; or it
 * waits no longer, and is about to leave the region. Do nothing outside of teams. Context: hook. */
FATHOM_API void fathom_event_wait_begin(void);
FATHOM_API void fathom_event_wait_end(void);

#endif
