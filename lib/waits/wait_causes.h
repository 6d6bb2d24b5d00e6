/*
 * wait_causes: decides, when everything is matched, what each operation waited for, adds the waiting to the results,
 * and tells each cause how many operations waited for it.
 */
#ifndef FATHOM_WAITS_WAIT_CAUSES_H
#define FATHOM_WAITS_WAIT_CAUSES_H

#include "waits/matching/epoch_matching.h"
#include "waits/matching/thread_sync.h"

/* Decides for all operations of the hosted locations. All hosts call this together. 0 or -errno. Context: finish. */
int fathom_waits_causes_find(struct fathom_waits_state *state, struct fathom_waits_threads *threads,
			     struct fathom_waits_epochs *epochs);

#endif
