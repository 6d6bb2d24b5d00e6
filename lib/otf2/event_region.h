/*
 * event_region: the region that an event enters, leaves or is a sample of. A trace with samples has calling contexts in
 * place of regions, and a calling context is a place in a region. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_EVENT_REGION_H
#define FATHOM_OTF2_EVENT_REGION_H

#include "otf2/definition_index.h"
#include "otf2/event_reader.h"

/* Returns the id of the region that an Enter or a Leave, or a record of a calling context (enter, leave or sample), is
 * about; OTF2_UNDEFINED_REGION: its calling context is not defined. */
uint32_t fathom_otf2_event_region_id(const struct fathom_otf2_defs *defs, const struct fathom_otf2_event *event);

/* The same as an index; -1: the region is not defined. */
int64_t fathom_otf2_event_region(const struct fathom_otf2_defs *defs, const struct fathom_otf2_event *event);

#endif
