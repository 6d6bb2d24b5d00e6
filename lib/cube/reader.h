/*
 * reader: opens a .cubex file, whoever wrote it, and gives its values row by row.
 *
 * Definitions are read at once and checked, with what repeats kept once; values are read when asked for, so memory
 * does not grow with the number of locations. A damaged file never crashes, hangs or exhausts
 * memory: it gives an error that names the place.
 */
#ifndef FATHOM_CUBE_READER_H
#define FATHOM_CUBE_READER_H

#include "cube/cube.h"

struct fathom_cube_reader;

/* A line for people: "profile.cubex: metric time: data ends at byte 120 of 4000". */
struct fathom_cube_error {
	char text[512];
};

/*
 * Open path. 0 or -errno with a line in error (-ENOENT, -EACCES ...; -EILSEQ: not a profile,
 * or damaged). A TASKS tree stays where it is in the file; see fathom_cube_tasks.
 */
int fathom_cube_reader_open(struct fathom_cube_reader **reader, const char *path, struct fathom_cube_error *error);

/* What the file defines; lives until close. */
const struct fathom_cube *fathom_cube_reader_cube(const struct fathom_cube_reader *reader);

/* The value of a cube attribute, NULL if there is none of that key. */
const char *fathom_cube_attribute(const struct fathom_cube *cube, const char *key);

/* Index of the metric with that unique name, -1: there is none. A name that the file cannot spell ("perf::PAGE-FAULTS")
 * means the one that it has instead ("perf::PAGE_FAULTS"). */
int32_t fathom_cube_metric_by_name(const struct fathom_cube *cube, const char *uniq_name);

/*
 * The stored row of a metric and cnode as doubles, one for each location; 64-bit counts above
 * 2^53 lose their last bits. For tuples the sum, for a rate numerator over denominator; a
 * histogram, NDOUBLES, complex or derived metric gives -ENOTSUP. A row that is not in the file
 * is neutral: 0, MINDOUBLE DBL_MAX, MAXDOUBLE -DBL_MAX. 0 or -errno with a line in error.
 */
int fathom_cube_reader_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, double *values,
			   struct fathom_cube_error *error);

/*
 * Some of such a row: count values from that of location first on. Reading by pieces takes less memory; but of some
 * rows (compressed, or in another order) there is no less than all to be had: the piece is then all locations.
 */
uint32_t fathom_cube_reader_piece(struct fathom_cube_reader *reader, uint32_t metric);
int fathom_cube_reader_part(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, uint32_t first,
			    uint32_t count, double *values, struct fathom_cube_error *error);

/* A whole row with full precision: raw values of the metric's type in this machine's byte order;
 * fathom_cube_value_bytes each. */
int fathom_cube_reader_raw_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, void *values,
			       struct fathom_cube_error *error);
uint32_t fathom_cube_value_bytes(const struct fathom_cube_metric *metric);

/* Whether the row is in the file at all (it may still be neutral). */
bool fathom_cube_reader_present(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode);

/*
 * Values over all locations: sum (minimum, maximum for those types) of the stored rows, for
 * every cnode at once; sums has room for cnode_count numbers. 0 or -errno with a line in error.
 */
int fathom_cube_reader_sums(struct fathom_cube_reader *reader, uint32_t metric, double *sums,
			    struct fathom_cube_error *error);

/*
 * Turn stored values of one column (or of sums), one for each cnode, into inclusive or exclusive
 * ones, in place. The tree that fathom_cube_tasks finds is not counted into its root.
 */
void fathom_cube_make_inclusive(const struct fathom_cube *cube, uint32_t metric, double *values);
void fathom_cube_make_exclusive(const struct fathom_cube *cube, uint32_t metric, double *values);

/* The cnode of the TASKS tree (explicit OpenMP tasks) below root, -1: there is none. */
int32_t fathom_cube_tasks(const struct fathom_cube *cube, uint32_t root);

void fathom_cube_reader_close(struct fathom_cube_reader *reader);

#endif
