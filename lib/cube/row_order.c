#include "cube/row_order.h"

/*
 * The rule treats cnodes in pre-order, and in pre-order they stand in the array; so one pass
 * does it: when a cnode's turn comes, its children are given the next numbers as a block,
 * and each child takes the next one of its parent's block when its own turn comes.
 */
void fathom_cube_order_wide(const struct fathom_cube_cnode *cnodes, uint32_t count, uint32_t *rows,
			    uint32_t *scratch)
{
	uint32_t *next = scratch;	/* of a cnode that had its turn: number of its next child */
	uint32_t numbered = 0;

	for (uint32_t i = 0; i < count; i++) {
		rows[i] = 0;		/* number of children, until its turn */
		if (cnodes[i].parent >= 0)
			rows[cnodes[i].parent]++;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t children = rows[i];

		rows[i] = cnodes[i].parent >= 0 ? next[cnodes[i].parent]++ : numbered++;
		next[i] = numbered;
		numbered += children;
	}
}
