/*
 * reader: reads a .cubex file of any writer: its definitions, and its values row by row.
 *
 * The reader reads and checks all definitions when it opens the file, and stores repeated parts once. It reads values
 * when the caller asks for them, so memory does not grow with the number of locations. A damaged file gives an error
 * that names the place; it never crashes or hangs the reader or exhausts memory. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_READER_H
#define FATHOM_CUBE_READER_H

#include "cube/cube.h"
#include "cube/reader/error_line.h"

struct fathom_cube_reader;

/*
 * Opens path. Returns 0 or -errno with a line in error (-ENOENT, -EACCES ...; -EILSEQ: not a profile, or damaged). A
 * TASKS tree keeps its position in the file; see fathom_cube_tasks.
 */
int fathom_cube_reader_open(struct fathom_cube_reader **reader, const char *path, struct fathom_cube_error *error);

/* Returns the definitions of the file, which are valid until the reader is closed. */
const struct fathom_cube *fathom_cube_reader_cube(const struct fathom_cube_reader *reader);

/* Returns the value of an attribute of the file, NULL if there is none with that key. */
const char *fathom_cube_attribute(const struct fathom_cube *cube, const char *key);

/* Returns the index of the metric with that unique name, -1: there is none. Names that files cannot contain
 * ("perf::PAGE-FAULTS") match their spelling in files ("perf::PAGE_FAULTS"). */
int32_t fathom_cube_metric_by_name(const struct fathom_cube *cube, const char *uniq_name);

/*
 * Reads the stored row of a metric and cnode as doubles, one for each location; 64-bit counts above
 * 2^53 lose their last bits. For tuples the sum, for a rate numerator over denominator; a
 * histogram, NDOUBLES, complex or derived metric gives -ENOTSUP. A row that is not in the file
 * is neutral: 0, MINDOUBLE DBL_MAX, MAXDOUBLE -DBL_MAX. 0 or -errno with a line in error.
 */
int fathom_cube_reader_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, double *values,
			   struct fathom_cube_error *error);

/*
 * fathom_cube_reader_part reads count values of such a row, from location first on. Reading in pieces takes less
 * memory. fathom_cube_reader_piece returns the number of locations to read at a time, which is all of them if rows can
 * only be read as a whole (compressed, or in another order).
 */
uint32_t fathom_cube_reader_piece(struct fathom_cube_reader *reader, uint32_t metric);
int fathom_cube_reader_part(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, uint32_t first,
			    uint32_t count, double *values, struct fathom_cube_error *error);

/* Reads a row with full precision: raw values of the metric's type in this machine's byte order, of
 * fathom_cube_value_bytes each (dtype.h). */
int fathom_cube_reader_raw_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, void *values,
			       struct fathom_cube_error *error);

/* Returns whether the file contains the row (its values may still be neutral). */
bool fathom_cube_reader_present(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode);

/*
 * Computes the values over all locations for each cnode: the sum of the stored row, or the minimum or maximum for types
 * of these. sums has space for cnode_count numbers. Returns 0 or -errno with a line in error.
 */
int fathom_cube_reader_sums(struct fathom_cube_reader *reader, uint32_t metric, double *sums,
			    struct fathom_cube_error *error);

/*
 * Convert the stored values of one column (or sums), one for each cnode, to inclusive or exclusive values, in place.
 * The tree that fathom_cube_tasks finds is not added to its root.
 */
void fathom_cube_make_inclusive(const struct fathom_cube *cube, uint32_t metric, double *values);
void fathom_cube_make_exclusive(const struct fathom_cube *cube, uint32_t metric, double *values);

/* Returns the cnode of the TASKS tree (explicit OpenMP tasks) below root, -1: there is none. */
int32_t fathom_cube_tasks(const struct fathom_cube *cube, uint32_t root);

/* Closes the file and frees the reader. */
void fathom_cube_reader_close(struct fathom_cube_reader *reader);

#endif
