/*
 * dtype: the value types of metrics, as the file spells and lays them out.
 */
#ifndef FATHOM_CUBE_DTYPE_H
#define FATHOM_CUBE_DTYPE_H

#include "cube/cube.h"

/* Bytes of one value; count: bins or numbers, for the types that have them. 0: not known. */
uint32_t fathom_cube_dtype_bytes(enum fathom_cube_dtype dtype, uint32_t count);

/* How the file spells the type; "" for the types that are only read. Context: signal. */
const char *fathom_cube_dtype_name(enum fathom_cube_dtype dtype);

/*
 * What a spelling means; old synonyms are known too. A spelling nobody knows is
 * FATHOM_CUBE_OTHER. false: a count is missing, zero or beyond reason.
 */
bool fathom_cube_dtype_parse(const char *text, enum fathom_cube_dtype *dtype, uint32_t *count);

/* The value that a cell holds where nothing was recorded. */
double fathom_cube_dtype_neutral(enum fathom_cube_dtype dtype);

#endif
