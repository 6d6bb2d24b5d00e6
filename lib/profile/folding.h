/*
 * folding: the stage of FATHOM_RECURSION=fold.
 *
 * A region that is active already is entered at its call path again: the frame is FATHOM_FRAME_FOLDED. What this visit
 * takes is not the time of the call paths between any more, which only lead to it: it is taken off theirs.
 */
#ifndef FATHOM_PROFILE_FOLDING_H
#define FATHOM_PROFILE_FOLDING_H

#include "event/substrate.h"

/* The stage in front of callpath, which takes what is not folded; after is the stage behind callpath. There can be one.
 * Context: start. */
struct fathom_stage fathom_folding_before(struct fathom_stage callpath, struct fathom_stage after);

#endif
