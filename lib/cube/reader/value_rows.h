/*
 * value_rows: reads the rows of one metric from the file. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_VALUE_ROWS_H
#define FATHOM_CUBE_VALUE_ROWS_H

#include <stddef.h>

#include "cube/cube.h"
#include "cube/reader/error_line.h"
#include "cube/rowset.h"

struct fathom_arena;
struct fathom_cube_container;

struct fathom_cube_value_rows {	/* all zero: not loaded yet */
	struct fathom_cube_rowset rows;	/* those present */
	uint64_t values;	/* place in the file of the first row, or of the first block */
	uint64_t row_bytes;	/* unpacked */
	uint64_t *blocks;	/* compressed: for each row its offset from values and its length; else NULL */
	char *damage;		/* description of an error, NULL: none */
	bool loaded;
	bool swapped;		/* the file's byte order is not this machine's */
};

/*
 * Loads the index of the metric's members at the first call; memory comes from arena. Returns 0 or -errno with a line
 * in error. A metric without members has no rows.
 */
int fathom_cube_value_rows_load(struct fathom_cube_value_rows *stored, struct fathom_cube_container *container,
			    const struct fathom_cube *cube, uint32_t metric, struct fathom_arena *arena,
			    struct fathom_cube_error *error);

/*
 * Reads the values of a row, which must be present, into bytes: row_bytes in this machine's byte order. Returns 0 or
 * -errno with a line in error.
 */
int fathom_cube_value_rows_read(const struct fathom_cube_value_rows *stored, struct fathom_cube_container *container,
			    const struct fathom_cube_metric *metric, uint32_t row, void *bytes,
			    struct fathom_cube_error *error);

/* Reads count values from location first on, of a row that is not compressed. */
int fathom_cube_value_rows_read_part(const struct fathom_cube_value_rows *stored,
				     struct fathom_cube_container *container,
				 const struct fathom_cube_metric *metric, uint32_t row, uint32_t first, uint32_t count,
				 void *bytes, struct fathom_cube_error *error);

#endif
