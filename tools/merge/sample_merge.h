/*
 * sample_merge: adds up the samples by address of several ranks (rank-N.samples.txt, see doc/reference/files.md).
 */
#ifndef FATHOM_TOOLS_MERGE_SAMPLE_MERGE_H
#define FATHOM_TOOLS_MERGE_SAMPLE_MERGE_H

#include <stdint.h>

/*
 * Adds up the files directory/rank-N.samples.txt of the ranks, those that there are, and writes samples.txt next to
 * profile, unless there is one. What cannot be read in a file gets a message and is left out. 0, or -errno after a
 * message. Context: tool.
 */
int fathom_samples_merge(const char *directory, const int64_t *ranks, uint32_t rank_count, const char *profile);

#endif
