/*
 * result_file: the union of all processes becomes a .cubex file.
 *
 * Rank 0 makes the definitions; the values are written by many, a range of call paths at a time (value_collection.h).
 */
#ifndef FATHOM_PROFILE_RESULT_FILE_H
#define FATHOM_PROFILE_RESULT_FILE_H

#include "event/location.h"
#include "event/result.h"
#include "profile/process_tree.h"
#include "profile/unification.h"

/*
 * Everything after the reduction, on every rank: number the call paths, name the regions, write the values. 0 or
 * -errno, the same on all ranks where comm works; and then there is no file. Nobody is left waiting where a
 * rank has no memory or no room for its part. Context: finish; signal where comm is serial and
 * result->may_allocate is false.
 */
int fathom_result_write(struct fathom_union *u, const struct fathom_process_tree *process, struct fathom_comm *comm,
			const struct fathom_result *result);

#endif
