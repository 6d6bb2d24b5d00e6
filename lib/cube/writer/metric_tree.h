/*
 * metric_tree: writes the tree of metrics, as definitions in anchor.xml and as the remapping specification, which is
 * another member of the file.
 *
 * Formulas (FATHOM_CUBE_DERIVED) are in the specification only, because several programs that read CUBE4 files stop at
 * a metric without values (pycubexr, cube_exclusify, cube_remap2 -d); Score-P writes none either. cube_remap2 adds the
 * formulas of a specification. The specification of fathom defines the same metrics as anchor.xml, then the formulas.
 */
#ifndef FATHOM_CUBE_METRIC_TREE_H
#define FATHOM_CUBE_METRIC_TREE_H

#include "cube/cube.h"

struct fathom_cube_output;

/* Write the definitions and the specification. dtypes: the type in which each metric's values are stored. Context:
 * signal. */
void fathom_cube_metrics_write(struct fathom_cube_output *output, const struct fathom_cube *cube,
			       const enum fathom_cube_dtype *dtypes);
void fathom_cube_remapping_write(struct fathom_cube_output *output, const struct fathom_cube *cube,
				 const enum fathom_cube_dtype *dtypes);

#endif
