/*
 * counter_merge: profiles of equal runs with different counters as one profile with all of them.
 *
 * Counters that a processor cannot count at once are measured over several runs. The runs must have the same call
 * paths, ranks and threads, and visit the paths as often; time and visits are taken from the first. Clusters of a
 * phase's iterations, which differ from run to run, are put together (folded_tree.h).
 */
#ifndef FATHOM_TOOLS_MERGE_COUNTER_MERGE_H
#define FATHOM_TOOLS_MERGE_COUNTER_MERGE_H

#include <stdbool.h>

/* Join the profiles of runs (directories or files) into output. force: visits may differ. 0, or -errno after a line
 * was said; nothing is left behind then. */
int fathom_holistic(const char *output, char **runs, int count, bool force);

/* The program has to end: nothing half written is left. */
void fathom_holistic_abandon(void);

#endif
