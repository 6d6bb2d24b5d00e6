/*
 * burst_result: the file bursts.bin next to a profile: the bursts of all threads and processes (FATHOM_BURSTS), in the
 * layout of bursts/burst_format.h. doc/reference/files.md describes it.
 *
 * Rank 0 writes the file. The other ranks send it their blocks, one rank after the other, so that no process needs
 * memory for more than a block.
 */
#ifndef FATHOM_PROFILE_BURST_RESULT_H
#define FATHOM_PROFILE_BURST_RESULT_H

#include "comm/comm.h"

struct fathom_result;

/* Called by all ranks: rank 0 writes the file in the directory of the profile; there is none if no process has recorded
 * bursts. Ends the bursts that are still open. Errors of writing get a message. 0, or -errno: comm is broken. Context:
 * finish; signal where comm is serial. */
int fathom_burst_result_write(struct fathom_comm *comm, const struct fathom_result *result);

#endif
