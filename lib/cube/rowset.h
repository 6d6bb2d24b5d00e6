/*
 * rowset: which rows of a metric are in the file, and at which place.
 *
 * One bit for each row, and for each word of bits how many stand before it: the place of a
 * row is found in a few instructions, for 1.5 bits a row.
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

/* An empty set. 0 or -ENOMEM. Context: signal, as all below. */
int fathom_cube_rowset_init(struct fathom_cube_rowset *set, struct fathom_arena *arena, uint32_t limit);

void fathom_cube_rowset_add(struct fathom_cube_rowset *set, uint32_t row);

/* Call once, when all rows are added, before any of the questions below. */
void fathom_cube_rowset_seal(struct fathom_cube_rowset *set);

bool fathom_cube_rowset_has(const struct fathom_cube_rowset *set, uint32_t row);

/* How many rows of the set are smaller than row: its place in the file, if it is in the set. */
uint32_t fathom_cube_rowset_place(const struct fathom_cube_rowset *set, uint32_t row);

/* The smallest row of the set that is not smaller than row; limit if there is none. */
uint32_t fathom_cube_rowset_next(const struct fathom_cube_rowset *set, uint32_t row);

#endif
