/*
 * validation: whether definitions keep the invariants of cube.h, as far as a file of ours needs them.
 */
#ifndef FATHOM_CUBE_VALIDATION_H
#define FATHOM_CUBE_VALIDATION_H

#include "cube/cube.h"

/* Context: signal. */
bool fathom_cube_valid(const struct fathom_cube *cube);

#endif
