/* fault_reports: reports faults at events and locations, and finds the definitions that their texts name. */
#ifndef FATHOM_TOOLS_CHECK_FAULT_REPORTS_H
#define FATHOM_TOOLS_CHECK_FAULT_REPORTS_H

#include "otf2/event_reader.h"
#include "otf2/faults.h"
#include "platform/compiler.h"

struct fathom_check;

/* Reports a fault at an event. */
void fathom_check_fault(struct fathom_check *check, enum fathom_fault kind, const struct fathom_otf2_event *event,
			const char *format, ...) FATHOM_PRINTF(4, 5);

/* Reports a fault at an earlier time. If time is UINT64_MAX, the fault concerns a location as a whole. */
void fathom_check_fault_at(struct fathom_check *check, enum fathom_fault kind, uint32_t location, uint64_t time,
			   const char *format, ...) FATHOM_PRINTF(5, 6);

/* Returns the index of the process of a location, which is given by its index; UINT32_MAX: it is not defined. */
uint32_t fathom_check_process(const struct fathom_check *check, uint32_t location);

/* Returns the definition that an event refers to. The caller has made sure that it exists. */
void *fathom_check_definition(const struct fathom_check *check, const struct fathom_otf2_event *event);

/* Returns the name of a region by its id; valid until the second next call. */
const char *fathom_check_region_name(struct fathom_check *check, uint64_t region);

#endif
