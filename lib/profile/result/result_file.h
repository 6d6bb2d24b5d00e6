/*
 * result_file: writes the union of all processes to a .cubex file.
 *
 * Rank 0 writes the definitions. Many ranks write the values, each for a range of call paths (value_collection.h).
 */
#ifndef FATHOM_PROFILE_RESULT_FILE_H
#define FATHOM_PROFILE_RESULT_FILE_H

#include "event/location.h"
#include "event/result.h"
#include "profile/process_tree/process_tree.h"
#include "profile/unification/union.h"

/*
 * Called by all ranks, after the reduction: numbers the call paths, names the regions and writes the values. 0 or
 * -errno, the same on all ranks if comm works; after an error there is no file. No rank waits for ever if another one
 * has no memory or no disk space for its part. Context: finish; signal where comm is serial and result->may_allocate
 * is false.
 */
int fathom_result_write(struct fathom_union *u, const struct fathom_process_tree *process, struct fathom_comm *comm,
			const struct fathom_result *result);

#endif
