/*
 * result: the union of all processes becomes a .cubex file.
 *
 * Rank 0 makes the definitions and writes; the values come to it from everybody in bounded
 * pieces, a range of call paths at a time.
 */
#ifndef FATHOM_PROFILE_RESULT_H
#define FATHOM_PROFILE_RESULT_H

#include "event/substrate.h"
#include "profile/snapshot.h"
#include "profile/unify.h"

/*
 * Everything after the reduction, on every rank: number the call paths, name the regions, gather
 * and write. 0 or -errno. What fails before the values are gathered, all ranks learn; after that rank 0
 * alone. Nobody is left waiting where a rank has no memory. Context: finish; signal where comm is serial and
 * result->may_allocate is false.
 */
int fathom_result_write(struct fathom_union *u, const struct fathom_snapshot *snapshot, struct fathom_comm *comm,
			const struct fathom_result *result);

#endif
