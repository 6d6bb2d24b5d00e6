/*
 * sample_file: the file samples.txt next to a profile: samples by the addresses of instructions, summed over all
 * threads and processes, and samples by call path, address and column of the profile. doc/reference/files.md describes
 * it.
 *
 * The processes add up their lines along a binomial tree of the ranks, as their call trees (unification.h). Modules are
 * equal if their paths and build-ids are.
 */
#ifndef FATHOM_PROFILE_SAMPLE_FILE_H
#define FATHOM_PROFILE_SAMPLE_FILE_H

#include "comm/comm.h"

struct fathom_process_tree;
struct fathom_result;

/* What the tree nodes and locations of a process are in the profile. */
struct fathom_sample_numbers {
	const uint32_t *call_paths;	/* by tree node; NULL: not known */
	const uint32_t *columns;	/* by location: its column, counted from first_column */
	uint32_t first_column;
};

/*
 * Called by all ranks: rank 0 writes the file in the directory of the profile; there is none if no process has samples.
 * process: NULL if this rank has no tree. numbers: without call paths, the file has no samples of this process by call
 * path. What a rank without memory has, and the ranks below it, is not in the file;
 * errors of writing get a message. 0, or -errno: comm is broken. Context: finish; signal where comm is serial.
 */
int fathom_sample_file_write(struct fathom_comm *comm, struct fathom_process_tree *process,
			     const struct fathom_sample_numbers *numbers, const struct fathom_result *result);

#endif
