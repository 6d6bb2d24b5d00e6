/* value_sender: the values of a process, packed call path by call path in the order of the file. */
#ifndef FATHOM_PROFILE_VALUE_SENDER_H
#define FATHOM_PROFILE_VALUE_SENDER_H

#include <stddef.h>
#include <stdint.h>

#include "platform/arena.h"
#include "profile/process_tree/process_tree.h"
#include "profile/process_tree/thread_aggregation.h"
#include "profile/unification/union.h"

struct fathom_value_sender {
	struct fathom_arena arena;
	const struct fathom_process_tree *process;
	const struct fathom_aggregate *aggregate;
	uint32_t cnode_count;	/* number of cnodes of the file */
	uint32_t block_cnodes;	/* number of call paths in a block */
	struct fathom_metric_map own_metric;	/* by metric of the union: the number of this process's metric */
	uint32_t *node_of;	/* by cnode: 1 + a node of the process tree; 0: none */
	uint32_t *next_of;	/* by node: 1 + the next node with the same cnode; 0: no more */
	uint64_t *values;	/* of all threads, [value][thread] */
	uint64_t *extra_values;	/* of all threads, for a further node of the cnode */
	uint64_t *cells;	/* of all locations */
	char *data;
};

/* Prepares the sending. numbers: by node of the process tree, its cnode in the file. metrics: by metric of this
 * process, its number in the union. 0 or -ENOMEM; after an error no memory is left allocated. Context: finish,
 * signal, as of all functions here. */
int fathom_value_sender_init(struct fathom_value_sender *sender, const struct fathom_aggregate *aggregate,
			     const struct fathom_process_tree *process, const uint32_t *numbers,
			     const struct fathom_metric_map *metrics, uint32_t cnode_count, uint32_t block_cnodes);
void fathom_value_sender_fini(struct fathom_value_sender *sender);

/* Packs the block that begins at cnode first into sender->data, as value_block.h describes; returns its bytes. The
 * data is valid until the next call. */
size_t fathom_value_sender_pack(struct fathom_value_sender *sender, uint32_t first);

#endif
