/*
 * switch: regions are disabled, and enabled again, while the program runs.
 *
 * An activation that begins while its region is disabled is not recorded; one that began before is recorded with its
 * exit. So what is recorded is balanced and exact, also with recursion, whatever the threads are in the middle of.
 * Messages and other records inside a disabled region count for the region around it.
 *
 * Wrappers need not know: fathom_event_enter and fathom_event_exit test whether the region is disabled. Only
 * wrappers/compiler keeps a table of enabled functions, to save that test, and follows the switches.
 */
#ifndef FATHOM_EVENT_SWITCH_H
#define FATHOM_EVENT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

/* Enables or disables region. Other threads may see it a moment later.
 * Context: birth. Takes the switch lock. */
FATHOM_API void fathom_event_switch(const struct fathom_region *region, bool on);

/*
 * Finds out which disabled regions are drained: none of their recorded visits is active any more on any thread, so
 * their enters and exits cost still less. The caller waits some milliseconds after a switch, so that a thread that was
 * just entering the region is seen; otherwise the visit of that thread would end only with the function around it.
 * Returns how many disabled regions are not drained. Context: birth. Takes the switch lock.
 */
FATHOM_API uint32_t fathom_event_settle_switches(void);

/*
 * The same, for regions that have not been drained for long: a region with sleds counts as drained also if its visits
 * are active on the calling thread, and on no other. So functions at the bottom of the stack, which end with the
 * program, cost nothing either. If such a visit ends after all, the next event outside of it ends it, because the exit
 * is not reported any more. Context: birth. Takes the switch lock.
 */
FATHOM_API uint32_t fathom_event_abandon_switches(void);

/* Called for each region whose state has changed, under the switch lock. */
typedef void fathom_switch_follower(const struct fathom_region *region);

/* Sets the follower. There can be one. Context: start. */
FATHOM_API void fathom_event_follow_switches(fathom_switch_follower *follower);

#endif
