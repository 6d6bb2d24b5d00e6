/*
 * counter_merge: merges the profiles of equal runs with different counters into one profile with all counters.
 *
 * Counters that a processor cannot count at once are measured over several runs. The runs must have the same call
 * paths, ranks and threads, and visit the paths as often; time and visits are those of the first run. Clusters of a
 * phase's iterations differ from run to run and are merged (folded_tree.h). Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_MERGE_COUNTER_MERGE_H
#define FATHOM_TOOLS_MERGE_COUNTER_MERGE_H

#include <stdbool.h>

/* Merges the profiles of runs (directories or files) into output. force: visits may differ. 0, or -errno after an error
 * message; then no output is left behind. */
int fathom_counter_merge(const char *output, char **runs, int count, bool force);

/* Removes an incomplete output before the program ends. */
void fathom_counter_merge_abandon(void);

#endif
