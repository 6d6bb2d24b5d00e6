/* events: checks that apply to every event, and the distribution of events to the parts. */
#ifndef FATHOM_TOOLS_CHECK_EVENTS_H
#define FATHOM_TOOLS_CHECK_EVENTS_H

#include "otf2/event_reader.h"

struct fathom_check;

/* Checks an event. fathom_otf2_read_events calls this function with a struct fathom_check as taker. */
bool fathom_check_event(void *taker, const struct fathom_otf2_event *event);

/* Compares the numbers of events with the numbers in the definitions of locations. */
void fathom_check_events_finish(struct fathom_check *check);

#endif
