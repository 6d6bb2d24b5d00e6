#include "otf2/event_region.h"

uint32_t fathom_otf2_event_region_id(const struct fathom_otf2_defs *defs, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_plain *context;

	if (event->kind == FATHOM_RECORD_ENTER || event->kind == FATHOM_RECORD_LEAVE)
		return (uint32_t)event->ref;
	context = fathom_otf2_find(defs, FATHOM_OTF2_CONTEXT, event->ref);
	return context ? context->number : OTF2_UNDEFINED_REGION;
}

int64_t fathom_otf2_event_region(const struct fathom_otf2_defs *defs, const struct fathom_otf2_event *event)
{
	return fathom_otf2_index(defs, FATHOM_OTF2_REGION, fathom_otf2_event_region_id(defs, event));
}
