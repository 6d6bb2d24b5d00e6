/*
 * validation: checks the invariants of cube.h that a file of fathom needs.
 */
#ifndef FATHOM_CUBE_VALIDATION_H
#define FATHOM_CUBE_VALIDATION_H

#include "cube/cube.h"

/* Returns whether the definitions fulfil these invariants. Context: signal. */
bool fathom_cube_valid(const struct fathom_cube *cube);

#endif
