/*
 * switch: regions are switched off, and on again, while the program runs.
 *
 * What is entered while its region is off is not recorded, nor is its exit; what was entered before is, with its exit:
 * what is recorded is balanced and exact, also with recursion, and whatever the threads are in the middle
 * of. Messages and the like that happen in a region that is off count for the region around it.
 *
 * For wrappers nothing changes: fathom_event_enter and fathom_event_exit look. Only who keeps a table of
 * what is on, so as to save that look (wrappers/compiler), follows the switches.
 */
#ifndef FATHOM_EVENT_SWITCH_H
#define FATHOM_EVENT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

/* Enters of region are recorded from now on, or no longer. Other threads may see it a moment later.
 * Context: birth. Takes the switch lock. */
FATHOM_API void fathom_event_switch(const struct fathom_region *region, bool on);

/*
 * Find out of which regions that were switched off nothing is active any more on any thread: nothing is awaited of
 * them, and their enters and exits cost still less. To be called some milliseconds after a switch, so that who
 * was just entering the region is seen: an exit that comes too late would be made up when the function around ends.
 * Returns how many regions still are awaited. Context: birth. Takes the switch lock.
 */
FATHOM_API uint32_t fathom_event_settle_switches(void);

/*
 * The same for those that have been awaited for long: what is active on the calling thread and on no other is awaited
 * no more, if its region has sleds. So the functions at the bottom of the stack, which end with the program, cost
 * nothing either. A visit that does end later ends at the next event outside of it, for no exit comes.
 * Context: birth. Takes the switch lock.
 */
FATHOM_API uint32_t fathom_event_abandon_switches(void);

/* Called for each region whose state has changed, under the switch lock. */
typedef void fathom_switch_follower(const struct fathom_region *region);

/* There can be one. Context: start. */
FATHOM_API void fathom_event_follow_switches(fathom_switch_follower *follower);

#endif
