/*
 * topology_columns: the grids of a profile that was read.
 */
#ifndef FATHOM_CUBE_TOPOLOGY_COLUMNS_H
#define FATHOM_CUBE_TOPOLOGY_COLUMNS_H

#include <stdint.h>

struct fathom_cube;
struct fathom_cube_error;

/* Their locations, which are columns of the file so far, become those of the cube; columns NULL: they are the same.
 * 0 or -errno with a line in error. */
int fathom_cube_topologies_find(struct fathom_cube_error *error, const char *path, struct fathom_cube *cube,
				const uint32_t *columns);

void fathom_cube_topologies_free(struct fathom_cube *cube);

#endif
