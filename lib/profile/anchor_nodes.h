/*
 * anchor_nodes: where the call paths of teams and created threads are in a thread's tree.
 *
 * An *anchor node* stands in a thread's tree for a call path of another thread, the origin. What the thread does for
 * the origin's thread, in a team that this one forked or as a thread that it created, hangs below the anchor node.
 * Anchor nodes have no values. process_tree.c puts their sub-trees below the origins when it merges the trees.
 */
#ifndef FATHOM_PROFILE_ANCHOR_NODES_H
#define FATHOM_PROFILE_ANCHOR_NODES_H

#include "profile/callpath.h"

/* The functions of the substrate's table (event/substrate.h): the call path that other threads' regions hang below from
 * now on; and a frame below which such regions come. The calling thread is self's. Without memory the regions go to a
 * node that is not reported, and the event is counted as dropped. Context: hook; a new anchor node: birth. */
void *fathom_callpath_origin(struct fathom_location *self);
void fathom_callpath_hang(struct fathom_location *self, struct fathom_frame *frame, void *origin);

#endif
