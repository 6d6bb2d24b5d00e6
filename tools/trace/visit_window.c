#include "tools/trace/visit_window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/event_region.h"
#include "tools/common/command.h"

struct span {
	uint64_t from, to;
	bool is_found;
};

struct place {			/* a location */
	uint64_t visits, depth;	/* visits of the region, and how often it is open now */
	uint64_t enter_time;	/* of the outermost open visit */
	bool just_entered;	/* the last event was the enter */
	/* The open visit is the wanted one by its count, or by its number as an iteration. */
	bool is_counted, is_numbered;
};

struct search {
	const struct fathom_otf2_defs *defs;
	const char *name;
	uint64_t number;
	bool *regions;		/* by index: has the name */
	struct place *places;
	struct span counted, numbered;
	bool has_iterations;
	uint64_t most;		/* visits of a location */
};

static bool is_wanted(const struct search *search, const struct fathom_otf2_event *event)
{
	int64_t index = fathom_otf2_event_region(search->defs, event);

	return index >= 0 && search->regions[index];
}

static void extend(struct span *span, uint64_t from, uint64_t to)
{
	if (!span->is_found || from < span->from)
		span->from = from;
	if (!span->is_found || to > span->to)
		span->to = to;
	span->is_found = true;
}

static void enter(struct search *search, struct place *place, uint64_t time)
{
	if (place->depth++ > 0)
		return;
	place->enter_time = time;
	place->just_entered = true;
	place->is_counted = ++place->visits == search->number;
	place->is_numbered = false;
	if (place->visits > search->most)
		search->most = place->visits;
}

static void leave(struct search *search, struct place *place, uint64_t time)
{
	if (place->depth == 0 || --place->depth > 0)
		return;
	if (place->is_counted)
		extend(&search->counted, place->enter_time, time);
	if (place->is_numbered)
		extend(&search->numbered, place->enter_time, time);
}

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct search *search = data;
	struct place *place = &search->places[event->location];
	const struct fathom_otf2_typed *parameter;

	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		place->just_entered = false;
		if (is_wanted(search, event))
			enter(search, place, event->time);
		break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		place->just_entered = false;
		if (is_wanted(search, event))
			leave(search, place, event->time);
		break;
	case FATHOM_RECORD_PARAMETER_INT:
	case FATHOM_RECORD_PARAMETER_UNSIGNED_INT:
		parameter = fathom_otf2_find(search->defs, FATHOM_OTF2_PARAMETER, event->ref);
		if (!place->just_entered || !parameter ||
		    strcmp(fathom_otf2_text(search->defs, parameter->name), "iteration") != 0)
			break;
		search->has_iterations = true;
		place->is_numbered = event->id == search->number;
		break;
	default: break;
	}
	return true;
}

int fathom_visit_window_find(struct fathom_time_window *window, const char *visit, struct fathom_otf2_archive *trace)
{
	size_t length = (size_t)(strrchr(visit, '#') - visit), count = fathom_otf2_count(&trace->defs,
											 FATHOM_OTF2_REGION);
	struct search search = { .defs = &trace->defs };
	const struct span *span;
	bool is_known = false;
	size_t i;
	int err;

	errno = 0;
	search.number = strtoull(visit + length + 1, NULL, 10);
	search.regions = fathom_tool_alloc(count, sizeof(bool));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(&trace->defs, FATHOM_OTF2_REGION, i);
		const char *name = fathom_otf2_text(&trace->defs, region->name);

		search.regions[i] = strlen(name) == length && strncmp(name, visit, length) == 0;
		is_known |= search.regions[i];
	}
	search.places = fathom_tool_alloc(fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION),
					  sizeof(*search.places));
	err = is_known ? fathom_otf2_read_events(trace, NULL, take_event, &search) : 0;
	span = search.has_iterations ? &search.numbered : &search.counted;
	if (err) {
		fathom_tool_error("%s", trace->error);
	} else if (!is_known) {
		fathom_tool_error("--cut %s: the trace has no region of that name (fathom trace --info lists them)",
				  visit);
		err = -EINVAL;
	} else if (!span->is_found) {
		fathom_tool_error("--cut %s: there is no such %s; the region has %" PRIu64
				  " visits of a location at most",
				  visit, search.has_iterations ? "iteration" : "visit", search.most);
		err = -EINVAL;
	}
	window->from = span->from;
	window->to = span->to;
	free(search.regions);
	free(search.places);
	return err;
}
