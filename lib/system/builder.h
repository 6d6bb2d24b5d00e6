/*
 * builder: makes one sequence of the places of all processes, and tells each where it is in it.
 *
 * Level by level from the leaves: those who speak for a part of the same node find each other, by the hash of its
 * unique name, and merge what they know along a binary tree, the first in rank order at the root; it speaks for
 * the node on the next level. The indices come back on the same ways. What a process keeps does not depend on how
 * many there are, only on the number of levels and of sub-trees that differ.
 *
 * Order: among the copies of a record, those of processes with lower ranks come first. (Which child of a node comes
 * first is decided by what they hold, see sequence.h.)
 */
#ifndef FATHOM_SYSTEM_BUILDER_H
#define FATHOM_SYSTEM_BUILDER_H

#include "comm/comm.h"
#include "platform/settings.h"
#include "system/system_path.h"
#include "system/sequence.h"
#include "system/byte_stack.h"
#include "system/name_pattern.h"

struct fathom_system_options {
	uint64_t split;			/* enum fathom_split: how processes under the same node find each other */
	fathom_resize *resize;		/* for the one block of memory, see byte_stack.h; NULL: mmap */
	void *resize_context;
	uint32_t hash_bits;		/* for tests: so many bits of each hash are used; 0: all */
};

struct fathom_system {
	/* At rank 0 the whole tree; elsewhere count is 0, and so are classes. */
	struct fathom_sequence sequence;
	struct fathom_span total;	/* elements of the tree. This and the following: everywhere */
	/* This process: before.processes is its index, before.locations that of its first location (the others
	 * follow), before.nodes - 1 that of the node right above it. */
	struct fathom_span before;
	/* The index of the node of each level of the place for which this process speaks; UINT64_MAX: another does. For
	 * each node exactly one does. */
	uint64_t speaks_for[FATHOM_PATH_LEVELS];
	struct fathom_byte_stack stack;	/* what the above stands in */
};

/*
 * Build. Called by all of comm, with each one's place and locations (count > 0), which are not kept. Without place
 * (NULL): this rank has no memory, and takes part only so that nobody waits.
 * 0: everywhere. -ENOMEM: some rank had no memory, the same everywhere, and nothing is held. Another -errno: comm is
 * broken. comm may be the serial one. Context: finish; signal with the serial one.
 */
FATHOM_API int fathom_system_build(struct fathom_system *system, const struct fathom_system_path *place,
				   const struct fathom_location_label *locations, uint32_t count,
				   struct fathom_comm *comm, const struct fathom_system_options *options);

/* Give back what is held. */
FATHOM_API void fathom_system_fini(struct fathom_system *system);

#endif
