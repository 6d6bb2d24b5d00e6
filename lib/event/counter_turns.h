/*
 * counter_turns: the stage that changes the group of counters of a thread, FATHOM_METRICS_ROTATE (stage.h).
 */
#ifndef FATHOM_EVENT_COUNTER_TURNS_H
#define FATHOM_EVENT_COUNTER_TURNS_H

#include "event/stage.h"

/* Returns a chain in which the stage is in front of the stages after. Context: start. */
struct fathom_stage fathom_counter_turns_before(struct fathom_stage after);

#endif
