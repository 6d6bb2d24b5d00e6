/*
 * rowset: the set of the rows of a metric that are in the file, and their places.
 *
 * The set has one bit for each row, and for each word of bits the number of rows before it. The place of a row is found
 * in a few instructions; the set takes 1.5 bits for each row. Context of all functions: signal.
 */
#ifndef FATHOM_CUBE_ROWSET_H
#define FATHOM_CUBE_ROWSET_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_arena;

struct fathom_cube_rowset {
	uint64_t *bits;
	uint32_t *before;	/* rows in all words before this one; valid when sealed */
	uint32_t limit;		/* row numbers are smaller */
	uint32_t count;		/* rows in the set; valid when sealed */
};

/* Makes an empty set. 0 or -ENOMEM. */
int fathom_cube_rowset_init(struct fathom_cube_rowset *set, struct fathom_arena *arena, uint32_t limit);

/* Adds a row. */
void fathom_cube_rowset_add(struct fathom_cube_rowset *set, uint32_t row);

/* Completes the set after all rows are added, before the functions below are called. */
void fathom_cube_rowset_seal(struct fathom_cube_rowset *set);

/* Returns whether the row is in the set. */
bool fathom_cube_rowset_has(const struct fathom_cube_rowset *set, uint32_t row);

/* Returns the number of rows in the set below row, which is the place of row in the file if it is in the set. */
uint32_t fathom_cube_rowset_place(const struct fathom_cube_rowset *set, uint32_t row);

/* Returns the smallest row of the set from row on; limit if there is none. */
uint32_t fathom_cube_rowset_next(const struct fathom_cube_rowset *set, uint32_t row);

#endif
