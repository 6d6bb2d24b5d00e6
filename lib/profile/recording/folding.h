/*
 * folding: the stage for FATHOM_RECURSION=fold.
 *
 * If a region that is already active is entered again, the visit belongs to the call path of the active one, and the
 * frame gets the flag FATHOM_FRAME_FOLDED. The time of the folded visit is subtracted from the call paths between the
 * two visits.
 */
#ifndef FATHOM_PROFILE_FOLDING_H
#define FATHOM_PROFILE_FOLDING_H

#include "event/substrate.h"

/* Returns the stage that handles folded visits. It passes other visits to callpath, and folded visits directly to
 * after, the stage that follows callpath. Only one can exist. Context: start. */
struct fathom_stage fathom_folding_before(struct fathom_stage callpath, struct fathom_stage after);

#endif
