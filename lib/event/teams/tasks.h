/*
 * tasks: the core's records of explicit tasks and of teams, for the files of lib/event and for substrates that read
 * the active regions.
 */
#ifndef FATHOM_EVENT_TASKS_H
#define FATHOM_EVENT_TASKS_H

#include <stdint.h>

#include "event/location.h"
#include "event/teams/idle_clock.h"

struct fathom_task {
	struct fathom_task *next;	/* in a list of spare tasks */
	struct fathom_task *below;	/* the task that continues when this one ends; NULL: the implicit task */
	const struct fathom_region *region;
	void *origin;			/* the call path that created the task */
	struct fathom_location *location;	/* the location that executes the task, or executed it last; NULL: the
						 * task has not begun */
	struct fathom_stack stack;	/* its frames while it is suspended */
	uint32_t creator;		/* number of the creating thread in its team */
	uint32_t number;		/* number among the tasks that this thread created, from 0 */
	bool is_placeholder;		/* its region is not recorded */
};

struct fathom_team {
	struct fathom_team *next;	/* the next team in the leader's list */
	struct fathom_location *leader;	/* the location that forked it */
	const struct fathom_region *parallel;
	const struct fathom_region *management;
	void *origin;			/* the call path of the fork, as the substrate knows it */
	struct fathom_location **places;	/* logical places by number; NULL: no thread had that number yet */
	uint32_t size;			/* number of threads; each thread that begins stores the same number */
	uint32_t room;			/* length of the array places */
	uint32_t level;			/* number of the leader's teams around this team */
	uint32_t depth;			/* index of the parallel region's frame on the leader's stack */
	uint32_t references;		/* number of threads that have begun and not ended, plus one from fork to
					 * join */
	bool has_logical_places;	/* the workers record on logical places, see team.h */
	bool led;			/* number 0 has begun and not ended */
	bool is_placeholder;		/* the region is not recorded on the leader's location */
	bool is_paused;			/* the leader was paused at the fork, so the workers are paused, too
					 * (pause.h) */
	uint64_t records;		/* the trace's: which records of the team the leader has, see
					 * trace/records/team_records.h */
	struct fathom_idle_clock idle_clock;	/* see idleness.h */
	uint64_t outer_idle_mark;	/* copy of idle_mark of the leader's location, from before the team */
	uint64_t end_ticks;		/* when number 0 ended its work; 0: it has not */
	/* Copies of the members leads, task and implicit of the leader's location, from before the team. */
	struct fathom_team *outer_leads;
	struct fathom_task *outer_task;
	struct fathom_stack outer_implicit;
	/* Ends the work of an orphaned worker, if the team is over. The core calls this before a region is entered on
	 * top of the worker's last barrier. Context: hook. */
	void (*end_orphan)(struct fathom_location *worker);
};

/* The location's work in a team ends: suspends the explicit task that the location executes. Context: hook. */
void fathom_task_leave(struct fathom_location *self, uint64_t now);

/* The location's thread ends: suspends the explicit task that the location executes, and makes the memory of its
 * unused tasks available to other threads. Context: birth. */
void fathom_task_end_thread(struct fathom_location *self, uint64_t now);

#endif
