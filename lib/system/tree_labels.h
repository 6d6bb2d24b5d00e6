/*
 * tree_labels: facts about elements of the system tree that its sequence definition does not contain: the ranks of
 * processes and the names of nodes.
 *
 * Ranks are stored as runs of processes whose ranks have equal distances: a block placement is one run, a cyclic
 * placement has one run for each node. Names are stored only while there are few, because only people need them.
 */
#ifndef FATHOM_SYSTEM_TREE_LABELS_H
#define FATHOM_SYSTEM_TREE_LABELS_H

#include "comm/comm.h"
#include "system/builder.h"

struct fathom_rank_run {
	uint64_t process;	/* index of the first process */
	uint32_t count;
	uint32_t rank;		/* of the first process */
	int32_t stride;		/* difference of consecutive ranks; 0 in a run of one process */
	uint32_t pad;
};

struct fathom_labels {		/* at rank 0; elsewhere empty */
	struct fathom_rank_run *runs;	/* of all processes, in the order of their indices */
	uint64_t run_count;
	const char **names;	/* of nodes, by index; NULL: the names need too much memory */
	struct fathom_byte_stack stack;
};

/* If the names need more bytes than this, they are dropped, and nodes are called by class and number. */
enum { FATHOM_LABEL_BYTES = 64 << 10 };

/*
 * Collects ranks and names at rank 0, along a tree of the ranks. rank: the rank of this process in the world, which
 * differs from comm->rank if comm is the serial communicator. Returns 0 at all ranks, or -ENOMEM at all ranks, and
 * nothing is held; or another -errno if comm is broken. Context: finish; signal with the serial communicator.
 */
FATHOM_API int fathom_labels_collect(struct fathom_labels *labels, const struct fathom_system *system,
				     const struct fathom_system_path *place, uint32_t rank, struct fathom_comm *comm,
				     const struct fathom_system_options *options);

/* Returns the rank of a process, in O(log runs). Context: finish, signal. */
FATHOM_API uint32_t fathom_labels_rank(const struct fathom_labels *labels, uint64_t process);

/* Writes the name of the walk's present node, "node jrc0123": its class and its name, or its number among the nodes of
 * its class if the name is unknown. Returns text. Context: finish, signal. */
FATHOM_API const char *fathom_labels_node(const struct fathom_labels *labels, const struct fathom_walk *walk,
					  char *text, size_t bytes);

/* Frees the labels. Context: finish, signal. */
FATHOM_API void fathom_labels_fini(struct fathom_labels *labels);

#endif
