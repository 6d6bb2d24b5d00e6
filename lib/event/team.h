/*
 * team: the threads of a parallel region, from fork to join.
 *
 * The forking thread calls fork, every thread of the team begin and end (the forking thread is number 0
 * of it), then the forking thread join. Regions are entered and left on the way, so that every adapter
 * gives the same call paths:
 *
 *	parallel		on each thread; the forking thread is in it from fork to join
 *	  management		on the forking thread: from fork to begin, and from end to join
 *
 * What the other threads do hangs under the call path that forked, whichever thread that was.
 */
#ifndef FATHOM_EVENT_TEAM_H
#define FATHOM_EVENT_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_location;
struct fathom_region;
struct fathom_team;

/* Which location the threads of a team record on. */
enum fathom_team_places {
	FATHOM_PLACES_LOGICAL,	/* thread number 3 on the third one of this forking thread, at this level of
				 * nesting: for runtimes that end threads and start others in their place */
	FATHOM_PLACES_THREADS,	/* each thread on one of its own, for as long as it lives */
};

/*
 * The calling thread forks. threads: the most there will be; each number of a logical place is below it.
 * NULL: nothing is recorded (out of memory, measurement off); the others accept that, and do nothing.
 * Context: hook; the first of its kind: birth.
 */
FATHOM_API struct fathom_team *fathom_event_fork(const struct fathom_region *parallel,
						 const struct fathom_region *management, uint32_t threads,
						 enum fathom_team_places places);

/* Whether there was a fork: an adapter tells of parallel regions then, and functions that a compiler made of their
 * bodies say nothing new. Any context. */
FATHOM_API bool fathom_event_forks(void);

/* The calling thread is number in the team, which has size threads, from now on. Context: hook; a place's first:
 * birth. */
FATHOM_API void fathom_event_team_begin(struct fathom_team *team, uint32_t number, uint32_t size);

/*
 * It waits for the others at the end of the region, in barrier, which was entered as a block just now, and may learn
 * late that this is over. What a signal handler does meanwhile is inside the team only as long as that is there; but
 * one that is busy when the team ends holds the thread in it until then. Context: hook.
 */
FATHOM_API void fathom_event_team_wait(const struct fathom_region *barrier);

/*
 * It is so no more: regions of the team that are open still are over. If the forking thread has ended
 * already, they ended when it did: a runtime may tell a waiting thread much later that the barrier is over.
 * Context: hook.
 */
FATHOM_API void fathom_event_team_end(struct fathom_team *team);

/*
 * The forking thread goes on alone. Threads of logical places that did not end (cancel) have ended now;
 * others may still call fathom_event_team_end, once. Context: hook.
 */
FATHOM_API void fathom_event_join(struct fathom_team *team);

#endif
