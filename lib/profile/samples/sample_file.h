/*
 * sample_file: the file samples.txt next to a profile: samples by the addresses of instructions, summed over all
 * threads and processes. doc/reference/files.md describes it.
 *
 * The processes add up their lines along a binomial tree of the ranks, as their call trees (unification.h). Modules are
 * equal if their paths and build-ids are.
 */
#ifndef FATHOM_PROFILE_SAMPLE_FILE_H
#define FATHOM_PROFILE_SAMPLE_FILE_H

#include "comm/comm.h"

struct fathom_process_tree;
struct fathom_result;

/*
 * Called by all ranks: rank 0 writes the file in the directory of the profile; there is none if no process has samples.
 * process: NULL if this rank has no tree. What a rank without memory has, and the ranks below it, is not in the file;
 * errors of writing get a message. 0, or -errno: comm is broken. Context: finish; signal where comm is serial.
 */
int fathom_sample_file_write(struct fathom_comm *comm, struct fathom_process_tree *process,
			     const struct fathom_result *result);

#endif
