/*
 * task_call_paths: the call paths of explicit tasks.
 *
 * Each thread has a separate tree for explicit tasks, below fathom_tasks_region, so that the call path where a thread
 * executes a task does not get the task's time. A task that is suspended and continues on another thread has a call
 * path on that thread, too. Its visit is counted on the thread where it began, and its time on the thread where it
 * passed.
 */
#ifndef FATHOM_PROFILE_TASK_CALL_PATHS_H
#define FATHOM_PROFILE_TASK_CALL_PATHS_H

#include "profile/recording/callpath.h"

/* Returns the stage that finds the call paths of explicit tasks, and adds their visits and times. The calling thread is
 * the thread of self. Without memory the regions go to a node that is not reported. Only one can exist. Context:
 * start; the stage: hook, birth for a new node. */
struct fathom_stage fathom_task_call_paths_before(struct fathom_stage after);

#endif
