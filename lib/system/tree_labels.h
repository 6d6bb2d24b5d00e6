/*
 * tree_labels: what is known of elements of the system tree beside the sequence: which rank a process is, and what
 * nodes are called.
 *
 * Ranks are kept as runs of processes whose ranks have the same distance: a block placement is one run, a cyclic
 * one has a run for each node. Names are for people and are kept as long as they are few.
 */
#ifndef FATHOM_SYSTEM_TREE_LABELS_H
#define FATHOM_SYSTEM_TREE_LABELS_H

#include "comm/comm.h"
#include "system/builder.h"

struct fathom_rank_run {
	uint64_t process;	/* index of the first */
	uint32_t count;
	uint32_t rank;		/* of the first */
	int32_t stride;		/* from each to the next; 0 if there is but one */
	uint32_t pad;
};

struct fathom_labels {		/* at rank 0; elsewhere empty */
	struct fathom_rank_run *runs;	/* all processes, in the order of their indices */
	uint64_t run_count;
	const char **names;	/* of nodes by index; NULL: they are too many */
	struct fathom_byte_stack stack;
};

/* Names in more bytes than this are given up, and nodes are called by class and number. */
enum { FATHOM_LABEL_BYTES = 64 << 10 };

/*
 * Collect both at rank 0, along a tree of the ranks. rank: that of this process in the world, which is comm->rank
 * unless it is alone. 0: everywhere. -ENOMEM: the same everywhere, and nothing is held. Else: comm is broken.
 * Context: finish; signal with the serial one.
 */
FATHOM_API int fathom_labels_collect(struct fathom_labels *labels, const struct fathom_system *system,
				     const struct fathom_system_path *place, uint32_t rank, struct fathom_comm *comm,
				     const struct fathom_system_options *options);

/* The rank of a process. O(log runs). */
FATHOM_API uint32_t fathom_labels_rank(const struct fathom_labels *labels, uint64_t process);

/* What the node that the walk is at is called, "node jrc0123": its class, and its name if that is known, else its
 * number among those of its class. Returns text. */
FATHOM_API const char *fathom_labels_node(const struct fathom_labels *labels, const struct fathom_walk *walk,
					  char *text, size_t bytes);

FATHOM_API void fathom_labels_fini(struct fathom_labels *labels);

#endif
