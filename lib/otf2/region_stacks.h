/*
 * region_stacks: the stacks of open regions, while the events of a trace are read in the order of time.
 *
 * Each thread has a stack for its own regions, and one for each team that it is in. Each explicit task has a stack,
 * which moves with the task from thread to thread. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_REGION_STACKS_H
#define FATHOM_OTF2_REGION_STACKS_H

#include "otf2/entry_table.h"
#include "otf2/event_reader.h"

struct fathom_otf2_stack {
	uint32_t *regions;	/* ids, the innermost last */
	uint32_t count;
	size_t room;
};

struct fathom_otf2_task {
	struct fathom_table_entry entry;	/* process, team, creator << 32 | number */
	struct fathom_otf2_stack stack;
	uint64_t first_time;	/* time of the first event that names the task */
	uint32_t first_location;	/* location of that event */
	bool created;
	uint32_t runs;		/* number of threads that it runs on; more than one is a fault */
	uint32_t creator_location;
};

struct fathom_otf2_team {	/* a team that a thread is in */
	uint64_t comm;		/* id */
	struct fathom_otf2_stack stack;	/* of the implicit task */
	struct fathom_otf2_task *task;		/* the explicit task that runs now; NULL: the implicit task runs */
};

struct fathom_otf2_thread {
	struct fathom_otf2_team *teams;	/* the first entry is for the thread outside of all teams */
	uint32_t team_count;
	size_t team_room;
};

struct fathom_otf2_stacks {
	struct fathom_otf2_thread *threads;	/* by location */
	size_t thread_count;
	struct fathom_table tasks;		/* tasks that are not complete */
};

/* Make empty stacks, and free them. */
void fathom_otf2_stacks_init(struct fathom_otf2_stacks *stacks, const struct fathom_otf2_defs *defs);
void fathom_otf2_stacks_fini(struct fathom_otf2_stacks *stacks);

/* Return the stack that the location works on now, and push a region onto a stack. */
struct fathom_otf2_stack *fathom_otf2_stack_of(struct fathom_otf2_stacks *stacks, uint32_t location);
void fathom_otf2_stack_push(struct fathom_otf2_stack *stack, uint32_t region);

/* Notes that the location begins to work in a team. */
void fathom_otf2_stacks_enter_team(struct fathom_otf2_stacks *stacks, uint32_t location, uint64_t comm);

/* Return the innermost team of the location, NULL: it is in none; and end its work in that team. */
struct fathom_otf2_team *fathom_otf2_stacks_team(struct fathom_otf2_stacks *stacks, uint32_t location);
void fathom_otf2_stacks_leave_team(struct fathom_otf2_stacks *stacks, uint32_t location);

/* Returns the task that an event names, and creates it if it is unknown. NULL: the event names the implicit task. */
struct fathom_otf2_task *fathom_otf2_stacks_task(struct fathom_otf2_stacks *stacks, uint32_t process,
						 const struct fathom_otf2_event *event);

/* Notes that the location continues with that task; NULL: with its implicit task. */
void fathom_otf2_stacks_switch(struct fathom_otf2_stacks *stacks, uint32_t location, struct fathom_otf2_task *task);

/* Removes a complete task. If the location runs the task, it continues with its implicit task. */
void fathom_otf2_stacks_complete(struct fathom_otf2_stacks *stacks, uint32_t location,
				 struct fathom_otf2_task *task);

#endif
