/*
 * team: the threads of a parallel region, from fork to join.
 *
 * The forking thread, which is number 0 of the team, calls fathom_event_fork; then every thread of the team calls
 * team_begin and team_end; at last the forking thread calls fathom_event_join. These functions enter and leave the
 * following regions, so that all OpenMP interfaces give the same call paths:
 *
 *	parallel		on each thread; on the forking thread from fork to join
 *	  management		on the forking thread: from fork to begin, and from end to join
 *
 * The regions of the other threads appear below the call path of the fork, whichever thread the forking thread was.
 */
#ifndef FATHOM_EVENT_TEAM_H
#define FATHOM_EVENT_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_location;
struct fathom_region;
struct fathom_team;

/* The location that a worker of a team records on. */
enum fathom_team_places {
	FATHOM_PLACES_LOGICAL,	/* worker number n records on logical place n of the forking location, at this level
				 * of nesting: for runtimes that end threads and start others in their place */
	FATHOM_PLACES_THREADS,	/* each thread records on a location of its own, as long as the thread runs */
};

/*
 * The calling thread forks a team. threads: the largest possible number of threads; the number of a logical place is
 * smaller. Returns NULL if nothing is recorded (no memory, or measurement off); the other functions accept NULL and
 * do nothing. Context: hook; birth for the first fork of its kind.
 */
FATHOM_API struct fathom_team *fathom_event_fork(const struct fathom_region *parallel,
						 const struct fathom_region *management, uint32_t threads,
						 enum fathom_team_places places);

/* Returns true if a wrapper has reported a fork. Then wrappers report the parallel regions, and the functions into
 * which a compiler moves the bodies of parallel regions need not be recorded. Any context. */
FATHOM_API bool fathom_event_forks(void);

/* The calling thread begins to work as this number of the team, which has size threads. Context: hook; birth for the
 * first use of a location. */
FATHOM_API void fathom_event_team_begin(struct fathom_team *team, uint32_t number, uint32_t size);

/*
 * The calling worker waits for the others at the end of the parallel region. It has just entered barrier as a block,
 * and it may learn late that the barrier is over. This function marks the frame of the barrier: before a signal
 * handler enters a region on top of the frame, the core checks whether the team is over. A region of a handler that
 * is active when the team ends keeps the worker in the team until the region ends. Context: hook.
 */
FATHOM_API void fathom_event_team_wait(const struct fathom_region *barrier);

/*
 * The calling thread ends its work in the team; this ends the regions that are still active in it. If the forking
 * thread has ended its work before, the regions get the same end time, because a runtime may tell a waiting worker
 * much later that the barrier is over. Context: hook.
 */
FATHOM_API void fathom_event_team_end(struct fathom_team *team);

/*
 * The forking thread continues alone. The core ends the work of all logical places that did not report an end (after
 * cancel). A worker with a location of its own may still call fathom_event_team_end once. Context: hook.
 */
FATHOM_API void fathom_event_join(struct fathom_team *team);

#endif
