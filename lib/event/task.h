/*
 * task: explicit tasks, which threads start, suspend for others, and go on with.
 *
 * A thread always executes one task: an explicit one, or (NULL) the implicit task of its place in
 * the team. A task has active regions of its own, on whichever thread it is. Time counts for it while it
 * is executed, never while it is suspended.
 */
#ifndef FATHOM_EVENT_TASK_H
#define FATHOM_EVENT_TASK_H

#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;
struct fathom_task;

/*
 * The calling thread creates a task whose body is region; called inside the region of the creation.
 * NULL: not recorded; begin and end of NULL do nothing. A task that never begins (its group is cancelled)
 * costs a few bytes. Context: hook; now and then: birth.
 */
FATHOM_API struct fathom_task *fathom_event_task_create(const struct fathom_region *region);

/* The calling thread starts task; the one it executes is suspended, and goes on when task ends, unless a
 * switch says otherwise. Enters the task's region. Context: hook. */
FATHOM_API void fathom_event_task_begin(struct fathom_task *task);

/* task, which the calling thread executes, is over; it must not be used any more. Regions it left open are
 * over, too. If another one is executed, nothing happens but that task is forgotten. Context: hook. */
FATHOM_API void fathom_event_task_end(struct fathom_task *task);

/* The calling thread goes on with task (begun already, here or on another thread, and suspended), or with
 * its implicit task (NULL). Nothing happens if it executes that one already. Context: hook. */
FATHOM_API void fathom_event_task_switch(struct fathom_task *task);

/* What the calling thread executes. Context: hook. */
FATHOM_API struct fathom_task *fathom_event_task_current(void);

#endif
