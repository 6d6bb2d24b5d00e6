/*
 * anchor_parse: reads anchor.xml into the data model.
 */
#ifndef FATHOM_CUBE_ANCHOR_PARSE_H
#define FATHOM_CUBE_ANCHOR_PARSE_H

#include "cube/cube.h"
#include "cube/reader/error_line.h"

struct fathom_arena;
struct fathom_cube_container;

/*
 * Fills cube, which must be all zero, from the container's anchor.xml. Texts are stored in the arena texts. *columns
 * becomes the column of each location in the data. Returns 0 or -errno with a line in error; in both cases the caller
 * calls fathom_cube_parse_free. Context: tool.
 */
int fathom_cube_parse(struct fathom_cube *cube, uint32_t **columns, struct fathom_arena *texts,
		      struct fathom_cube_container *container, struct fathom_cube_error *error);

/* Frees the arrays of a parsed cube. Context: tool. */
void fathom_cube_parse_free(struct fathom_cube *cube, uint32_t *columns);

#endif
