/*
 * anchor: writes anchor.xml, the definitions of a profile, in the narrow language that all
 * known readers accept.
 */
#ifndef FATHOM_CUBE_ANCHOR_H
#define FATHOM_CUBE_ANCHOR_H

#include "cube/cube.h"

struct fathom_cube_output;

/* Writes the definitions to output, which keeps errors. cube must fulfil fathom_cube_valid. dtypes: the type in which
 * each metric's values are stored, which may be wider than the type in cube. Context: signal. */
void fathom_cube_anchor_write(struct fathom_cube_output *output, const struct fathom_cube *cube,
			      const enum fathom_cube_dtype *dtypes);

#endif
