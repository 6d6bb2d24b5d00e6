/*
 * switch: disabling and enabling regions while the program runs.
 *
 * An activation that begins while its region is disabled is not recorded; an activation that began before is recorded
 * together with its exit. So the records are balanced and exact, also with recursion, whatever the threads are doing
 * at the time. Messages and other records inside a disabled region belong to the region around it.
 *
 * Wrappers need not know about this: fathom_event_enter and fathom_event_exit test whether the region is disabled.
 * Only wrappers/compiler keeps a table of the enabled functions, which saves the test; it sets a follower to keep the
 * table up to date.
 */
#ifndef FATHOM_EVENT_SWITCH_H
#define FATHOM_EVENT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

/* Enables or disables region. Other threads may notice a moment later. Context: birth. Takes the switch lock. */
FATHOM_API void fathom_event_switch(const struct fathom_region *region, bool on);

/*
 * Finds out which disabled regions are drained: none of their recorded visits is active any more on any thread, so
 * that their enters and exits cost even less. The caller waits some milliseconds after disabling a region. In this
 * time a thread that was just entering the region has pushed its frame, and the function sees it; otherwise that
 * visit would end only together with the region around it. Returns the number of disabled regions that are not
 * drained. Context: birth. Takes the switch lock.
 */
FATHOM_API uint32_t fathom_event_settle_switches(void);

/*
 * As fathom_event_settle_switches, for regions that are still not drained after a long time: a region with sleds
 * counts as drained also if its visits are active on the calling thread only. So functions at the bottom of the
 * stack, which end with the program, cost nothing either. The exit of such a visit will not be reported any more; if
 * the function returns, the next event outside of the visit ends it. Context: birth. Takes the switch lock.
 */
FATHOM_API uint32_t fathom_event_abandon_switches(void);

/* A function that is called for each region whose state has changed, under the switch lock. */
typedef void fathom_switch_follower(const struct fathom_region *region);

/* Sets the follower. There can be one. Context: start. */
FATHOM_API void fathom_event_follow_switches(fathom_switch_follower *follower);

/* Notes that the hooks of disabled functions stay in the code, where each visit still calls them. Context: birth. */
FATHOM_API void fathom_event_note_hooks_stay(void);

/* Returns whether that was noted. Context: finish. */
bool fathom_event_hooks_stay(void);

#endif
