/*
 * builder: builds one sequence definition of the system tree from the paths of all processes, and gives each process
 * its indices in it.
 *
 * The builder works level by level from the leaves. The processes that represent parts of the same node find each
 * other by the hash of the node's unique name, and merge their sub-trees along a binary tree. The process with the
 * lowest rank is the root of this tree and represents the node on the next level. The indices return along the same
 * trees. The memory of a process does not depend on the number of processes, only on the number of levels and of
 * different sub-trees.
 *
 * Among the copies of a record, those of processes with lower ranks come first. The order of the children of a node
 * depends on their contents (sequence.h).
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
	uint32_t hash_bits;		/* for tests: number of bits of each hash that are used; 0: all */
};

struct fathom_system {
	/* Rank 0: the whole tree. Other ranks: empty, without classes. */
	struct fathom_sequence sequence;
	struct fathom_span total;	/* number of elements of the tree. This and the following members: all ranks */
	/* before.processes is the index of this process, before.locations the index of its first location (the others
	 * follow), before.nodes - 1 the index of the node that contains it. */
	struct fathom_span before;
	/* For each level of the path, the index of the node if this process represents the node; UINT64_MAX if another
	 * process does. Exactly one process represents each node. */
	uint64_t speaks_for[FATHOM_PATH_LEVELS];
	struct fathom_byte_stack stack;	/* contains the data above */
};

/*
 * Builds the tree. All processes of comm call this with their own path and locations (count > 0), which are not kept. A
 * rank without memory passes NULL as place and only takes part so that the other ranks do not wait for it. Returns 0 at
 * all ranks; or -ENOMEM at all ranks if one had no memory, and nothing is held; or another -errno if comm is broken.
 * Context: finish; signal with the serial communicator.
 */
FATHOM_API int fathom_system_build(struct fathom_system *system, const struct fathom_system_path *place,
				   const struct fathom_location_label *locations, uint32_t count,
				   struct fathom_comm *comm, const struct fathom_system_options *options);

/* Frees the memory of the system. Context: finish, signal. */
FATHOM_API void fathom_system_fini(struct fathom_system *system);

#endif
