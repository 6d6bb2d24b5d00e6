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

#include <stdbool.h>
#include <stdint.h>

#include "profile/recording/callpath.h"

/* Functions of the substrate's table (event/substrate.h). The calling thread is the thread of self. Without memory
 * the regions go to a node that is not reported. Context: hook; birth for a new node. */
void fathom_callpath_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved);

#endif
