#include "tools/check/events.h"

#include <inttypes.h>

#include "tools/check/check.h"
#include "tools/check/collectives.h"
#include "tools/check/fault_reports.h"
#include "tools/check/files.h"
#include "tools/check/general.h"
#include "tools/check/locks.h"
#include "tools/check/messages.h"
#include "tools/check/teams.h"
#include "tools/check/windows.h"
#include "tools/common/progress.h"

static void check_time(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &check->trace.defs;
	struct fathom_check_location *location = &check->locations[event->location];

	if (location->began && event->time < location->last && !location->said_time) {
		location->said_time = true;
		fathom_check_fault(check, FATHOM_FAULT_TIME, event, "%" PRIu64 " ticks before the event before it",
				   location->last - event->time);
	}
	location->began = true;
	location->last = event->time;
	if (defs->clocks && !location->said_span &&
	    (event->time < defs->offset || event->time - defs->offset > defs->length)) {
		location->said_span = true;
		fathom_check_fault(check, FATHOM_FAULT_SPAN, event, "they go from %" PRIu64 " to %" PRIu64,
				   defs->offset, defs->offset + defs->length);
	}
}

static void check_attributes(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t count = OTF2_AttributeList_GetNumberOfElements(event->attributes), i;

	for (i = 0; i < count; i++) {
		const struct fathom_otf2_typed *attribute;
		OTF2_AttributeRef id;
		OTF2_Type type;
		OTF2_AttributeValue value;

		if (OTF2_AttributeList_GetAttributeByIndex(event->attributes, i, &id, &type, &value) != OTF2_SUCCESS)
			continue;
		attribute = fathom_otf2_find(&check->trace.defs, FATHOM_OTF2_ATTRIBUTE, id);
		if (!attribute)
			fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "attribute %u is not defined", id);
		else if (attribute->type != type)
			fathom_check_fault(check, FATHOM_FAULT_ATTRIBUTE, event, "%s has type %u, defined is %u",
					   fathom_otf2_text(&check->trace.defs,
							    attribute->name), type, attribute->type);
	}
}

/* Checks that the definition exists to which the event refers. False after a fault was reported. */
static bool check_reference(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	enum fathom_otf2_space space = fathom_otf2_records[event->kind].refers, other = FATHOM_OTF2_NOTHING;
	bool good = space == FATHOM_OTF2_NOTHING ||
		    fathom_otf2_index(&check->trace.defs, space, event->ref) >= 0;

	if (!good)
		fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "%s %" PRIu64 " is not defined",
				   fathom_otf2_space_name(space), event->ref);
	if (event->kind == FATHOM_RECORD_RMA_GROUP_SYNC)
		other = FATHOM_OTF2_GROUP;
	else if (event->kind == FATHOM_RECORD_IO_DUPLICATE_HANDLE)
		other = FATHOM_OTF2_HANDLE;
	else if (event->kind == FATHOM_RECORD_IO_DELETE_FILE)
		other = FATHOM_OTF2_FILE;
	if (other != FATHOM_OTF2_NOTHING && fathom_otf2_index(&check->trace.defs, other, event->other) < 0) {
		fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "%s %" PRIu64 " is not defined",
				   fathom_otf2_space_name(other), event->other);
		good = false;
	}
	return good;
}

bool fathom_check_event(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_check *check = taker;
	struct fathom_check_location *location = &check->locations[event->location];

	fathom_progress_set(++check->events);
	check->kinds[event->kind]++;
	location->count++;
	check_time(check, event);
	if (location->thread_ended) {
		location->thread_ended = false;
		fathom_check_fault(check, FATHOM_FAULT_THREAD, event, "comes after the end of its thread");
	}
	if (event->attributes)
		check_attributes(check, event);
	/* Enter and leave are always processed: an undefined region is entered and left, too, and so stays balanced. */
	if (!check_reference(check, event) && event->kind != FATHOM_RECORD_ENTER && event->kind != FATHOM_RECORD_LEAVE)
		return true;
	fathom_check_general_event(check, event);
	switch (fathom_otf2_records[event->kind].part) {
	case FATHOM_OTF2_PART_MESSAGE: fathom_check_messages_event(check, event); break;
	case FATHOM_OTF2_PART_COLLECTIVE: fathom_check_collectives_event(check, event); break;
	case FATHOM_OTF2_PART_TEAM: fathom_check_teams_event(check, event); break;
	case FATHOM_OTF2_PART_LOCK: fathom_check_locks_event(check, event); break;
	case FATHOM_OTF2_PART_WINDOW: fathom_check_windows_event(check, event); break;
	case FATHOM_OTF2_PART_FILE: fathom_check_files_event(check, event); break;
	default: break;
	}
	return true;
}

void fathom_check_events_finish(struct fathom_check *check)
{
	size_t i;

	for (i = 0; i < fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *its = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_LOCATION, i);

		if (its->has_events && its->events != check->locations[i].count)
			fathom_check_fault_at(check, FATHOM_FAULT_COUNT, (uint32_t)i, UINT64_MAX,
					      "%" PRIu64 " were read, its definition says %" PRIu64,
					      check->locations[i].count,
					      its->events);
	}
}
