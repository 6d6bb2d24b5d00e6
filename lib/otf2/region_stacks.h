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
	uint64_t first_time;	/* of the first event that named it, */
	uint32_t first_location;	/* and where that was */
	bool created;
	uint32_t runs;		/* threads that it runs on; more than one is a fault */
	uint32_t creator_location;
};

struct fathom_otf2_team {	/* that a thread is in */
	uint64_t comm;		/* id */
	struct fathom_otf2_stack stack;	/* of the implicit task */
	struct fathom_otf2_task *task;		/* that runs instead, NULL: none */
};

struct fathom_otf2_thread {
	struct fathom_otf2_team *teams;	/* the first one is the thread by itself */
	uint32_t team_count;
	size_t team_room;
};

struct fathom_otf2_stacks {
	struct fathom_otf2_thread *threads;	/* by location */
	size_t thread_count;
	struct fathom_table tasks;		/* that are not yet complete */
};

/* Make empty stacks, and free them. */
void fathom_otf2_stacks_init(struct fathom_otf2_stacks *stacks, const struct fathom_otf2_defs *defs);
void fathom_otf2_stacks_fini(struct fathom_otf2_stacks *stacks);

/* Returns the stack that the location works on now, and pushes a region onto a stack. */
struct fathom_otf2_stack *fathom_otf2_stack_of(struct fathom_otf2_stacks *stacks, uint32_t location);
void fathom_otf2_stack_push(struct fathom_otf2_stack *stack, uint32_t region);

/* The location begins to work in a team. */
void fathom_otf2_stacks_enter_team(struct fathom_otf2_stacks *stacks, uint32_t location, uint64_t comm);

/* Returns the innermost team of the location, NULL: it is in none; and ends its work in that team. */
struct fathom_otf2_team *fathom_otf2_stacks_team(struct fathom_otf2_stacks *stacks, uint32_t location);
void fathom_otf2_stacks_leave_team(struct fathom_otf2_stacks *stacks, uint32_t location);

/* The task that an event names, which is made where it is not known; NULL: the implicit one. */
struct fathom_otf2_task *fathom_otf2_stacks_task(struct fathom_otf2_stacks *stacks, uint32_t process,
						 const struct fathom_otf2_event *event);

/* The location goes on with that task; NULL: with its implicit one. */
void fathom_otf2_stacks_switch(struct fathom_otf2_stacks *stacks, uint32_t location, struct fathom_otf2_task *task);

/* Forget a task; where it runs, the implicit one goes on. */
void fathom_otf2_stacks_complete(struct fathom_otf2_stacks *stacks, uint32_t location,
				 struct fathom_otf2_task *task);

#endif
