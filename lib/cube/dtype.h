/*
 * dtype: the names and sizes of the value types of metrics in files. Context of all functions: tool, signal.
 */
#ifndef FATHOM_CUBE_DTYPE_H
#define FATHOM_CUBE_DTYPE_H

#include "cube/cube.h"

/* Returns the bytes of one value. count: number of bins or numbers, for types that have them. 0: unknown type. */
uint32_t fathom_cube_dtype_bytes(enum fathom_cube_dtype dtype, uint32_t count);

/* Returns the bytes of one value of a metric. */
uint32_t fathom_cube_value_bytes(const struct fathom_cube_metric *metric);

/* Returns the name of a type in files; "" for types that are only read. */
const char *fathom_cube_dtype_name(enum fathom_cube_dtype dtype);

/*
 * Parses the name of a type, including old synonyms; an unknown name is FATHOM_CUBE_OTHER. Returns false if a count is
 * missing, zero or too large.
 */
bool fathom_cube_dtype_parse(const char *text, enum fathom_cube_dtype *dtype, uint32_t *count);

/* Returns the value of a cell without a record. */
double fathom_cube_dtype_neutral(enum fathom_cube_dtype dtype);

#endif
