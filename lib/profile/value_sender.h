/*
 * value_sender: what a process has, call path by call path, in the order and by the numbers of the file.
 */
#ifndef FATHOM_PROFILE_VALUE_SENDER_H
#define FATHOM_PROFILE_VALUE_SENDER_H

#include <stddef.h>
#include <stdint.h>

#include "platform/arena.h"
#include "profile/process_tree.h"
#include "profile/thread_aggregation.h"
#include "profile/unification.h"

struct fathom_value_sender {
	struct fathom_arena arena;
	const struct fathom_process_tree *process;
	const struct fathom_aggregate *aggregate;
	uint32_t cnode_count;	/* of the file */
	uint32_t block_cnodes;	/* call paths in a piece */
	struct fathom_metric_map own_metric;	/* by number of the union: which one of this process */
	uint32_t *node_of;	/* by cnode: number of the snapshot's node + 1; 0: not here */
	uint32_t *next_of;	/* by that number: another one that is the same cnode, + 1; 0: no more */
	uint64_t *values;	/* of all threads, [value][thread]; */
	uint64_t *extra_values;	/* the same of a twin */
	uint64_t *cells;	/* of all locations */
	char *data;
};

/* numbers: by node of the snapshot's tree, the cnode. metrics: by metric of this process, the union's. 0 or -ENOMEM.
 * Context: finish, signal; so all below. */
int fathom_value_sender_init(struct fathom_value_sender *sender, const struct fathom_aggregate *aggregate,
			     const struct fathom_process_tree *process, const uint32_t *numbers,
			     const struct fathom_metric_map *metrics, uint32_t cnode_count, uint32_t block_cnodes);
void fathom_value_sender_fini(struct fathom_value_sender *sender);

/* Pack the call paths from first on that make a piece into sender->data, see value_block.h; returns the bytes. */
size_t fathom_value_sender_pack(struct fathom_value_sender *sender, uint32_t first);

#endif
