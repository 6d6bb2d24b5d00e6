/*
 * call_path_merging: makes one call path of those that look the same in the file.
 *
 * A static function of a header that was compiled into several objects is several regions for the processes, because
 * its code is at several places. The file does not show where the code is: a reader could not tell these call paths
 * apart.
 */
#ifndef FATHOM_PROFILE_CALL_PATH_MERGING_H
#define FATHOM_PROFILE_CALL_PATH_MERGING_H

#include <stdint.h>

#include "profile/unification.h"

/*
 * At rank 0, once all regions of the union have names: merges the regions that differ only in where their code is, and
 * then the call paths that differ only in such regions. Sets merged[i] to the node that node i has become; merged has
 * room for as many nodes as the union's tree has before. The first region of those that are merged stays. 0 or
 * -ENOMEM: the union is then good for nothing but fathom_union_fini. Context: finish, signal.
 */
int fathom_union_merge_call_paths(struct fathom_union *u, uint32_t *merged);

#endif
