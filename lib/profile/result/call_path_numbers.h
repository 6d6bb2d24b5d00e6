/*
 * call_path_numbers: the second half of a reduction (unification.h), in which rank 0 sends to all ranks the numbers
 * of their call paths in the file.
 *
 * Rank 0 sends one message to all. If all ranks have the same call paths, it consists of the numbers, in the order of
 * the digests of the call paths, which every rank can sort itself. Otherwise each number comes with its digest. The
 * message is sent in chunks, so that a rank without memory for it can take part.
 */
#ifndef FATHOM_PROFILE_CALL_PATH_NUMBERS_H
#define FATHOM_PROFILE_CALL_PATH_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"
#include "profile/unification/call_path_digest.h"
#include "profile/unification/union.h"

/* At rank 0, before the union's call paths are merged or numbered: makes the digests by which the ranks find their call
 * paths, in u's memory. Does nothing if there is one process. 0 or -ENOMEM. Context: finish. */
int fathom_union_note_paths(struct fathom_union *u, struct fathom_comm *comm, struct fathom_digests *digests);

/*
 * Called by all ranks. Rank 0 passes a header of header_bytes, and numbers[i] for each of the count nodes that u's
 * tree had when the digests were made; if numbers is NULL it sends the header alone. Other ranks get the header, and
 * in numbers[i] the number of node i of their own u->own_count nodes; digests and count are not used there.
 * *has_numbers: whether numbers are valid afterwards; they are not if this rank or rank 0 has no memory. 0, or
 * -errno: comm is broken. Context: finish; signal where comm is serial.
 */
int fathom_union_hand_back(struct fathom_union *u, struct fathom_comm *comm, void *header, size_t header_bytes,
			   const struct fathom_digests *digests, uint32_t count, uint32_t *numbers, bool *has_numbers);

#endif
