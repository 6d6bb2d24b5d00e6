#include "cube/row_order.h"

/* The function visits cnodes in pre-order, which is the order of the array, so one pass is enough. When the pass
 * reaches a cnode, the cnode's children get the next numbers as a block. When it reaches a child, the child takes the
 * next number of its parent's block. */
void fathom_cube_order_wide(const struct fathom_cube_cnode *cnodes, uint32_t count, uint32_t *rows,
			    uint32_t *scratch)
{
	uint32_t *next = scratch;	/* for each visited cnode: the row number of its next child */
	uint32_t numbered = 0;

	for (uint32_t i = 0; i < count; i++) {
		rows[i] = 0;		/* number of children, until the pass reaches the cnode */
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
