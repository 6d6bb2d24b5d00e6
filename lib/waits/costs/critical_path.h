/*
 * critical_path: the longest chain of activities that do not wait, and what it means for each call path.
 *
 * The path is followed backward. It stays on a location as far as an operation that waited, and goes on at the cause of
 * the waiting. Where all processes meet, the path leads through the one that entered last; such operations cut the path
 * into pieces that are followed at the same time.
 */
#ifndef FATHOM_WAITS_CRITICAL_PATH_H
#define FATHOM_WAITS_CRITICAL_PATH_H

#include "waits/matching/thread_sync.h"

/* Adds the critical path, its imbalance and the performance impact to the results. Called by all hosts together, when
 * the causes are known. 0 or -errno. Context: finish. */
int fathom_waits_critical_path_find(struct fathom_waits_state *state, struct fathom_comm *comm,
				    const struct fathom_waits_threads *threads);

#endif
