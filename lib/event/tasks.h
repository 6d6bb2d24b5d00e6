/*
 * tasks: what the core keeps of explicit tasks and teams, for the files of lib/event and for substrates that look
 * at what is active.
 */
#ifndef FATHOM_EVENT_TASKS_H
#define FATHOM_EVENT_TASKS_H

#include <stdint.h>

#include "event/location.h"

struct fathom_task {
	struct fathom_task *next;	/* in a list of spare ones */
	struct fathom_task *below;	/* goes on when this one ends; NULL: the implicit task */
	const struct fathom_region *region;
	struct fathom_location *location;	/* executes it, or did last; NULL: it has not begun */
	struct fathom_stack stack;	/* its frames while it is suspended */
	uint32_t creator;		/* number, in its team, of the thread that created it */
	uint32_t number;		/* of the tasks that this thread created, from 0 */
	bool is_placeholder;			/* its region is not recorded */
};

struct fathom_team {
	struct fathom_team *next;	/* the leader's next */
	struct fathom_location *leader;	/* who forked it */
	const struct fathom_region *parallel;
	const struct fathom_region *management;
	void *origin;			/* the substrate's: the call path that forked */
	struct fathom_location **places;	/* by number; NULL: nobody was there yet */
	uint32_t size;			/* threads, once one of them has begun: all tell the same */
	uint32_t room;			/* numbers that places has room for */
	uint32_t level;			/* teams of the leader around it */
	uint32_t depth;			/* of the parallel region's frame on the leader's stack */
	uint32_t references;		/* threads that have begun and not ended, and one from fork to join */
	bool has_logical_places;	/* the workers record on logical places, see team.h */
	bool led;			/* number 0 has begun and not ended */
	bool is_placeholder;			/* to the leader: the region is not recorded */
	bool is_paused;			/* the leader was, see pause.h: so is who works for it */
	uint64_t end_ticks;		/* when number 0 ended; 0: not yet */
	struct fathom_team *outer_leads;	/* what the leader's location had outside the team */
	struct fathom_task *outer_task;
	struct fathom_stack outer_implicit;
	/* Ends the work of an orphaned worker, if the team is over. The core calls it before another region is
	 * entered on top of the worker's last barrier. Context: hook. */
	void (*end_orphan)(struct fathom_location *worker);
};

/* Make location's explicit tasks, if it executes any, count as suspended: its team ends. Context: hook. */
void fathom_task_leave(struct fathom_location *self, uint64_t now);

/* The same when its thread ends; others may have the memory of its tasks. Context: birth. */
void fathom_task_end_thread(struct fathom_location *self, uint64_t now);

#endif
