/*
 * task: explicit tasks. Threads start tasks, suspend them for other tasks, and resume them.
 *
 * A thread always executes one task: an explicit task, or (NULL) its implicit task in the team. Each task has active
 * regions of its own, on whichever thread it runs. A task gets time while a thread executes it, never while it is
 * suspended.
 */
#ifndef FATHOM_EVENT_TASK_H
#define FATHOM_EVENT_TASK_H

#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;
struct fathom_task;

/*
 * The calling thread creates a task with the body region; called inside the region of the creation. Returns NULL if
 * the task is not recorded; fathom_event_task_begin and fathom_event_task_end do nothing with NULL. A task that never
 * begins, because its group is cancelled, leaves a few bytes of memory unused. Context: hook; sometimes birth.
 */
FATHOM_API struct fathom_task *fathom_event_task_create(const struct fathom_region *region);

/* The calling thread starts task and enters its region. The task that the thread executed is suspended; it continues
 * when task ends, unless fathom_event_task_switch is called. Context: hook. */
FATHOM_API void fathom_event_task_begin(struct fathom_task *task);

/* The calling thread, which executes task, ends it; task must not be used any more. This ends the regions that are
 * active in the task. If the thread executes another task, only the memory of task is released. Context: hook. */
FATHOM_API void fathom_event_task_end(struct fathom_task *task);

/* The calling thread continues with task, which was begun before, on this or another thread, and suspended. NULL: the
 * thread continues with its implicit task. Does nothing if the thread executes that task already. Context: hook. */
FATHOM_API void fathom_event_task_switch(struct fathom_task *task);

/* Returns the explicit task that the calling thread executes; NULL: its implicit task. Context: hook. */
FATHOM_API struct fathom_task *fathom_event_task_current(void);

#endif
