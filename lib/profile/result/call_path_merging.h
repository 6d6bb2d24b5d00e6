/*
 * call_path_merging: merges call paths that the file cannot distinguish.
 *
 * A static function of a header that was compiled into several objects is several regions for the processes, because
 * its code is at several addresses. The file does not contain the addresses, so a reader could not distinguish these
 * call paths.
 *
 * Sampled call paths that say nothing are merged with the call path above them: those of functions that the compiler
 * made of the bodies of OpenMP constructs, and of functions that start the program.
 */
#ifndef FATHOM_PROFILE_CALL_PATH_MERGING_H
#define FATHOM_PROFILE_CALL_PATH_MERGING_H

#include <stdint.h>

#include "profile/unification/union.h"

/*
 * Called at rank 0 when all regions of the union have names: merges the regions that differ only in their code
 * address, and then the call paths that differ only in such regions. Sets merged[i] to the node that node i has
 * become; merged has room for as many nodes as the union's tree has before. Of merged regions, the first one stays. 0
 * or -ENOMEM: the union must then only be passed to fathom_union_fini. Context: finish, signal.
 */
int fathom_union_merge_call_paths(struct fathom_union *u, uint32_t *merged);

#endif
