/*
 * control_flow: the instructions of a function, its basic blocks, and the edges between these.
 *
 * A block ends with a jump, or before an instruction to which a jump leads. A call does not end a block, unless the
 * function that it calls never returns. Jumps out of the function, and indirect jumps whose targets are not known, have
 * no edges.
 */
#ifndef FATHOM_SYMBOLS_CONTROL_FLOW_H
#define FATHOM_SYMBOLS_CONTROL_FLOW_H

#include "symbols/instructions.h"
#include "symbols/loop_nest.h"

struct fathom_code_piece;
struct fathom_source_functions;

struct fathom_control_flow {
	struct fathom_instructions instructions;
	struct fathom_block_graph graph;	/* of blocks; block 0 is the begin of the first piece */
	uint32_t *begin;	/* by block: the index of its first instruction; the last one has a further entry */
	struct fathom_block_address {
		uint64_t address;
		uint32_t block;
	} *addresses;		/* of all blocks, sorted */
	uint32_t *first;	/* memory of the graph, which the graph points to */
	uint32_t *targets;
};

/*
 * Reads the code of a function; the first of its pieces contains its entry. 0, -ENOENT (there is no code that can be
 * decoded) or -ENOMEM; in case of an error nothing is kept. Context: finish.
 */
int fathom_control_flow_init(struct fathom_control_flow *flow, struct fathom_source_functions *functions,
			     const struct fathom_code_piece *pieces, uint32_t piece_count);

/* Finds the block with the instruction that contains the byte at an address. False: there is none. Context: finish. */
bool fathom_control_flow_find(const struct fathom_control_flow *flow, uint64_t address, uint32_t *block);

/* Frees it. Context: finish. */
void fathom_control_flow_fini(struct fathom_control_flow *flow);

#endif
