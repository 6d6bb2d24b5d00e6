#include "event/switch.h"

#include <stddef.h>

#include "define/region.h"
#include "event/location.h"
#include "event/teams/tasks.h"
#include "platform/lock.h"

static struct {
	struct fathom_lock lock;	/* held while a region's state changes; the lock of hooks.c is taken inside */
	fathom_switch_follower *follower;
	uint32_t first_disabled;		/* no region with a lower id is FATHOM_SWITCH_DISABLED */
	bool hooks_stay;		/* the hooks of disabled functions stay in the code */
} switches;

void fathom_event_follow_switches(fathom_switch_follower *follower)
{
	switches.follower = follower;
}

void fathom_event_note_hooks_stay(void)
{
	fathom_poke(&switches.hooks_stay, true);
}

bool fathom_event_hooks_stay(void)
{
	return fathom_peek(&switches.hooks_stay);
}

/* The memory of a region, which region.c allocates, is writable, although other files see regions as constant. */
static void become(const struct fathom_region *region, enum fathom_switch state)
{
	fathom_poke((uint8_t *)&region->switched, (uint8_t)state);
	if (switches.follower)
		switches.follower(region);
}

void fathom_event_switch(const struct fathom_region *region, bool on)
{
	fathom_lock_take(&switches.lock);
	if (on == fathom_region_is_disabled(region))
		become(region, on ? FATHOM_SWITCH_AGAIN : FATHOM_SWITCH_DISABLED);
	if (!on && region->id < switches.first_disabled)
		switches.first_disabled = region->id;
	fathom_lock_give(&switches.lock);
}

/* --- settling -------------------------------------------------------------------------------------- */

/* Returns true if region is active in frame or in a frame below it. The thread that owns the frames may be running. */
static bool is_on_stack(const struct fathom_frame *frame, const struct fathom_region *region)
{
	for (; frame; frame--) {
		if (fathom_peek(&frame->region) == region)
			return true;
		if (fathom_peek(&frame->flags) & FATHOM_FRAME_BOTTOM)
			break;
	}
	return false;
}

/* Returns true if region is active on a location other than but (NULL: on any location). The frames of suspended
 * tasks are in no list; if there were tasks, the function therefore returns true. */
static bool is_active(const struct fathom_region *region, const struct fathom_location *but)
{
	const struct fathom_location *location = fathom_location_newest();

	for (; location; location = location->next)
		if (fathom_peek(&location->created) ||
		    (location != but && is_on_stack(fathom_peek(&location->top), region)))
			return true;
	return false;
}

/* Returns true if the region has an active visit whose exit must be waited for. With abandons, visits on the calling
 * thread do not count if the region has sleds: their exits will not be reported, but the next sled with a stack
 * pointer at or above theirs shows that they are over. */
static bool is_awaited(const struct fathom_region *region, bool abandons)
{
	return is_active(region, abandons && region->has_sleds ? fathom_self : NULL);
}

static uint32_t settle(bool abandons)
{
	uint32_t count = fathom_region_count(), first = count, awaited = 0;

	fathom_lock_take(&switches.lock);
	for (uint32_t id = switches.first_disabled; id < count; id++) {
		const struct fathom_region *region = fathom_region_by_id(id);

		if (fathom_peek(&region->switched) != FATHOM_SWITCH_DISABLED)
			continue;
		if (!is_awaited(region, abandons)) {
			become(region, FATHOM_SWITCH_DRAINED);
			continue;
		}
		if (!awaited++)
			first = id;
	}
	switches.first_disabled = first;
	fathom_lock_give(&switches.lock);
	return awaited;
}

uint32_t fathom_event_settle_switches(void)
{
	return settle(false);
}

uint32_t fathom_event_abandon_switches(void)
{
	return settle(true);
}
