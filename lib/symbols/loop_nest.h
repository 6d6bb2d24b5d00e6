/*
 * loop_nest: the loops of a graph of basic blocks, and how they are nested.
 *
 * A loop is a set of blocks that can all reach each other. In a natural loop a single block, the header, is entered
 * from outside; the header dominates the loop, and the edges to it from inside are the back edges. Back edges to the
 * same header belong to the same loop. A region with several entries (irreducible code) is also one loop; its header is
 * the first of its entries in the order of blocks. The loops inside a loop are those that remain without the edges to
 * the loop's entries.
 */
#ifndef FATHOM_SYMBOLS_LOOP_NEST_H
#define FATHOM_SYMBOLS_LOOP_NEST_H

#include <stdbool.h>
#include <stdint.h>

enum { FATHOM_NO_LOOP = -1 };

/* Edges by source block: those of block b are targets[first[b]] to targets[first[b + 1] - 1]. Block 0 is the entry. */
struct fathom_block_graph {
	uint32_t count;
	const uint32_t *first;
	const uint32_t *targets;
};

struct fathom_loop {
	uint32_t header;		/* a block */
	int32_t parent;			/* the loop around this one, which has a smaller number; FATHOM_NO_LOOP: none */
	uint32_t depth;			/* 1: outermost */
	bool has_many_entries;		/* irreducible */
};

struct fathom_loop_nest {
	struct fathom_loop *loops;
	uint32_t count;
	int32_t *innermost;		/* by block: the innermost loop that has the block, or FATHOM_NO_LOOP */
	bool *is_entry;			/* by block: the header, or an entry, of its innermost loop */
};

/* Finds the loops of a graph with at least one block. 0, or -ENOMEM; then nothing is kept. Context: finish. */
int fathom_loop_nest_init(struct fathom_loop_nest *nest, const struct fathom_block_graph *graph);

/* Frees what init has allocated. Context: finish. */
void fathom_loop_nest_fini(struct fathom_loop_nest *nest);

#endif
