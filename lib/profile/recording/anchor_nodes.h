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

/* The function origin of the substrate's table (event/substrate.h): returns the call path below which the regions of
 * other threads will appear. The calling thread is the thread of self. Context: hook. */
void *fathom_callpath_origin(struct fathom_location *self);

/* Returns the stage that gives team anchors and thread anchors their nodes. The calling thread is the thread of self.
 * Without memory the regions go to a node that is not reported, and the event is counted as dropped. Only one can
 * exist. Context: start; the stage: hook, birth for a new anchor node. */
struct fathom_stage fathom_anchor_nodes_before(struct fathom_stage after);

#endif
