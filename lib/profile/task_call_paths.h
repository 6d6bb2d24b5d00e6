/*
 * task_call_paths: the call paths of explicit tasks.
 *
 * Explicit tasks have a tree of their own in each thread, below fathom_tasks_region, so that their time is not charged
 * to the call path where a thread happens to execute them. A task that is suspended and goes on in another thread has a
 * call path there, too: its visit counts in the thread where it began, its time where it passed.
 */
#ifndef FATHOM_PROFILE_TASK_CALL_PATHS_H
#define FATHOM_PROFILE_TASK_CALL_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/callpath.h"

/* The functions of the substrate's table (event/substrate.h). The calling thread is self's. Without memory the regions
 * go to a node that is not reported. Context: hook; where a node is new: birth. */
void fathom_callpath_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved);

#endif
