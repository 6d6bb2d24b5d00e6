/*
 * anchor_nodes: where the call paths of teams, created threads and explicit tasks are in a thread's tree.
 *
 * anchor node  stands in a thread's tree for a call path of another thread, the origin: what the thread does for the
 *              origin's thread, in a team that this one forked or as a thread that it created, hangs below it. It has
 *              no values. process_tree.c puts the sub-tree below the origin when it merges the trees.
 *
 * Explicit tasks have a tree of their own in each thread, below fathom_tasks_region, so that their time is not charged
 * to the call path where a thread happens to execute them.
 */
#ifndef FATHOM_PROFILE_ANCHOR_NODES_H
#define FATHOM_PROFILE_ANCHOR_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/callpath.h"

/* The functions of the substrate's table (event/substrate.h). The calling thread is self's. Without memory the regions
 * go to a node that is not reported, and the event is counted as dropped. Context: hook; where a node is new: birth. */
void *fathom_callpath_origin(struct fathom_location *self);
void fathom_callpath_hang(struct fathom_location *self, struct fathom_frame *frame, void *origin);
void fathom_callpath_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_callpath_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved);

#endif
