/*
 * topology_columns: the topologies of a profile that was read. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_TOPOLOGY_COLUMNS_H
#define FATHOM_CUBE_TOPOLOGY_COLUMNS_H

#include <stdint.h>

struct fathom_cube;
struct fathom_cube_error;

/* Replaces the columns of the file in the places of the topologies by locations of the cube; columns NULL: they are
 * equal. Returns 0 or -errno with a line in error. */
int fathom_cube_topologies_find(struct fathom_cube_error *error, const char *path, struct fathom_cube *cube,
				const uint32_t *columns);

/* Frees the topologies. */
void fathom_cube_topologies_free(struct fathom_cube *cube);

#endif
