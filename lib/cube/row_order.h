/*
 * row_order: the numbers of call paths as rows of a metric.
 *
 * Rows of an EXCLUSIVE metric follow the document: the row is the index of the cnode.
 * Rows of an INCLUSIVE metric are "wide": all children of a cnode get consecutive numbers,
 * then each child in turn is treated the same way, subtree after subtree. That is not
 * breadth-first: the grandchildren under the first child come before those under the second.
 */
#ifndef FATHOM_CUBE_ROW_ORDER_H
#define FATHOM_CUBE_ROW_ORDER_H

#include "cube/cube.h"

/* Fills rows with the wide row number of each cnode. scratch: space for count numbers. Context: signal. */
void fathom_cube_order_wide(const struct fathom_cube_cnode *cnodes, uint32_t count, uint32_t *rows,
			    uint32_t *scratch);

#endif
