/*
 * anchor_nodes: the place of teams and created threads in a thread's tree.
 *
 * An *anchor node* in a thread's tree stands for a call path of another thread, the origin. If a thread works in a
 * team that another thread forked, or was created by another thread, its regions appear below the anchor node for the
 * call path of the fork or creation. Anchor nodes have no values. process_tree.c puts their sub-trees below the
 * origins when it merges the trees.
 */
#ifndef FATHOM_PROFILE_ANCHOR_NODES_H
#define FATHOM_PROFILE_ANCHOR_NODES_H

#include "profile/recording/callpath.h"

/* The functions origin and hang of the substrate's table (event/substrate.h): the first returns the call path below
 * which the regions of other threads will appear; the second makes frame a team anchor or thread anchor for origin.
 * The calling thread is the thread of self. Without memory the regions go to a node that is not reported, and the
 * event is counted as dropped. Context: hook; birth for a new anchor node. */
void *fathom_callpath_origin(struct fathom_location *self);
void fathom_callpath_hang(struct fathom_location *self, struct fathom_frame *frame, void *origin);

#endif
