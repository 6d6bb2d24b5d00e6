/*
 * anchor_parse: reads anchor.xml into the data model.
 */
#ifndef FATHOM_CUBE_ANCHOR_PARSE_H
#define FATHOM_CUBE_ANCHOR_PARSE_H

#include "cube/reader.h"

struct fathom_arena;
struct fathom_cube_container;

/*
 * Fill cube, which is all zero, from the container's anchor.xml. Texts live in texts. columns:
 * for each location its column in the data. 0 or -errno with a line in error; in both cases
 * fathom_cube_parse_free frees the arrays.
 */
int fathom_cube_parse(struct fathom_cube *cube, uint32_t **columns, struct fathom_arena *texts,
		      struct fathom_cube_container *container, struct fathom_cube_error *error);

void fathom_cube_parse_free(struct fathom_cube *cube, uint32_t *columns);

#endif
