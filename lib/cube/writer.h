/*
 * writer: makes a .cubex file.
 *
 * The layout of the whole file is known before the first value is written: which rows of
 * which metric are present is said at the start. From then on any row, or part of a row,
 * can be put at its place, in any order and by any process that has the file open; fastest
 * is the order of the file.
 *
 * All memory comes from an arena and all output goes through plain system calls, so that a
 * crashing program can still write its measurement. Context: signal. Where a limit on the
 * size of files may be set, the caller ignores SIGXFSZ, which would end the process.
 *
 * What readers could not bear is replaced: in texts invalid UTF-8 and control characters
 * by U+FFFD, line feeds and tabs by blanks; in unique names everything but letters, digits and : _ =
 * by _. A numeric parameter that is no decimal number becomes a string. Integers of 8 or 16 bits
 * may be stored as 32 bits.
 */
#ifndef FATHOM_CUBE_WRITER_H
#define FATHOM_CUBE_WRITER_H

#include "cube/cube.h"

struct fathom_cube_layout;
struct fathom_cube_output;
struct fathom_cube_writer;

/*
 * Whether any value of metric at cnode, on any location, is not neutral. Rows for which it
 * returns false are left out of the file and read as zero (min, max: as "never"; of max_time no row is left out).
 */
typedef bool fathom_cube_presence(void *context, uint32_t metric, uint32_t cnode);

/*
 * Create path, which must not exist, and write everything but the values: definitions,
 * indices, container. Only EXCLUSIVE and INCLUSIVE metrics of the types up to TUPLE.
 * The file is called path.part until fathom_cube_writer_close. 0 or -errno (-EINVAL:
 * the definitions break an invariant of cube.h; -EEXIST: path or path.part is there already);
 * after an error nothing is left behind. cube and context are not needed after the call.
 * mtime: seconds since 1970, for the container's headers.
 */
int fathom_cube_writer_open(struct fathom_cube_writer **writer, const char *path, const struct fathom_cube *cube,
			    fathom_cube_presence *present, void *context, int64_t mtime);

/*
 * Put count values of locations first, first + 1, ... into the row of metric and cnode, which
 * must be present. values: count numbers of the metric's type in this machine's order.
 * What is never put reads as zero (a tuple: of no values). 0 or -errno.
 */
int fathom_cube_writer_put(struct fathom_cube_writer *writer, uint32_t metric, uint32_t cnode, uint32_t first,
			   uint32_t count, const void *values);

/*
 * Where the values lie, and what the file is called until it is complete: for other processes, which can write
 * there, too (value_layout.h), after fathom_cube_writer_open and before fathom_cube_writer_close. And the way into
 * the file of this process, for columns that are not those of the writer.
 */
const struct fathom_cube_layout *fathom_cube_writer_columns(const struct fathom_cube_writer *writer);
const char *fathom_cube_writer_part(const struct fathom_cube_writer *writer);
struct fathom_cube_output *fathom_cube_writer_output(struct fathom_cube_writer *writer);

/* Write what is still buffered, and let the file appear under its name. 0 or -errno; after an
 * error (a full disk) nothing is left behind. Frees the writer. */
int fathom_cube_writer_close(struct fathom_cube_writer *writer);

/* Give up: nothing is left behind. Frees the writer. */
void fathom_cube_writer_abandon(struct fathom_cube_writer *writer);

#endif
