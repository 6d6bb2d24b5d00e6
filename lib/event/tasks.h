/*
 * tasks: the core's records of explicit tasks and of teams, for the files of lib/event and for substrates that look at
 * active regions.
 */
#ifndef FATHOM_EVENT_TASKS_H
#define FATHOM_EVENT_TASKS_H

#include <stdint.h>

#include "event/location.h"

struct fathom_task {
	struct fathom_task *next;	/* in a list of spare tasks */
	struct fathom_task *below;	/* the task that continues when this one ends; NULL: the implicit task */
	const struct fathom_region *region;
	struct fathom_location *location;	/* that executes the task, or did last; NULL: it has not begun */
	struct fathom_stack stack;	/* its frames while it is suspended */
	uint32_t creator;		/* number, in its team, of the thread that created it */
	uint32_t number;		/* among the tasks that this thread created, from 0 */
	bool is_placeholder;		/* its region is not recorded */
};

struct fathom_team {
	struct fathom_team *next;	/* the leader's next */
	struct fathom_location *leader;	/* the location that forked it */
	const struct fathom_region *parallel;
	const struct fathom_region *management;
	void *origin;			/* the substrate's: the call path that forked */
	struct fathom_location **places;	/* logical places by number; NULL: no thread had that number yet */
	uint32_t size;			/* threads; set by each thread that begins, to the same number */
	uint32_t room;			/* numbers that places has room for */
	uint32_t level;			/* how many teams of the leader are around it */
	uint32_t depth;			/* of the parallel region's frame on the leader's stack */
	uint32_t references;		/* threads that have begun and not ended, and one from fork to join */
	bool has_logical_places;	/* the workers record on logical places, see team.h */
	bool led;			/* number 0 has begun and not ended */
	bool is_placeholder;		/* the region is not recorded on the leader's location */
	bool is_paused;			/* the leader was paused at the fork, so the workers are, see pause.h */
	uint64_t end_ticks;		/* when number 0 ended; 0: not yet */
	/* The members leads, task and implicit of the leader's location as they were outside the team. */
	struct fathom_team *outer_leads;
	struct fathom_task *outer_task;
	struct fathom_stack outer_implicit;
	/* Ends the work of an orphaned worker, if the team is over. The core calls it before another region is
	 * entered on top of the worker's last barrier. Context: hook. */
	void (*end_orphan)(struct fathom_location *worker);
};

/* The location's team ends: the explicit task that the location executes counts as suspended. Context: hook. */
void fathom_task_leave(struct fathom_location *self, uint64_t now);

/* The same when the thread of the location ends; other threads may take the memory of its spare tasks.
 * Context: birth. */
void fathom_task_end_thread(struct fathom_location *self, uint64_t now);

#endif
