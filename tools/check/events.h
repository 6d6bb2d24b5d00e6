/*
 * events: checks of every event, which then goes to the part that it belongs to; and how faults are reported.
 */
#ifndef FATHOM_TOOLS_CHECK_EVENTS_H
#define FATHOM_TOOLS_CHECK_EVENTS_H

#include "otf2/event_reader.h"
#include "otf2/faults.h"
#include "platform/compiler.h"

struct fathom_check;

/* Reports a fault at an event. */
void fathom_check_fault(struct fathom_check *check, enum fathom_fault kind, const struct fathom_otf2_event *event,
			const char *format, ...) FATHOM_PRINTF(4, 5);

/* Reports a fault at an earlier moment, or, if time is UINT64_MAX, of a location as a whole. */
void fathom_check_fault_at(struct fathom_check *check, enum fathom_fault kind, uint32_t location, uint64_t time,
			   const char *format, ...) FATHOM_PRINTF(5, 6);

/* The process (index) of a location (index); UINT32_MAX: it is not defined. */
uint32_t fathom_check_process(const struct fathom_check *check, uint32_t location);

/* The definition that an event refers to; the caller has made sure that it exists. */
void *fathom_check_definition(const struct fathom_check *check, const struct fathom_otf2_event *event);

/* Name of a region by its id; valid until the second next call. */
const char *fathom_check_region_name(struct fathom_check *check, uint64_t region);

/* Looks at an event; the function that fathom_otf2_read_events calls, with a struct fathom_check. */
bool fathom_check_event(void *taker, const struct fathom_otf2_event *event);

/* Compares the numbers of events with those that the definitions of locations announce. */
void fathom_check_events_finish(struct fathom_check *check);

#endif
