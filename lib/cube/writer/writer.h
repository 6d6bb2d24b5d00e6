/*
 * writer: writes a .cubex file.
 *
 * The layout of the whole file is known before the first value is written, because the caller states at the start which
 * rows of each metric are present. Afterwards any process that has the file open can write any row, or a part of it,
 * in any order; the order of the file is fastest.
 *
 * All memory comes from an arena and all output uses plain system calls, so that crash saving can use the writer.
 * Context of all functions: signal. If there may be a limit on the size of files, the caller ignores SIGXFSZ, which
 * would end the process.
 *
 * The writer replaces text that readers cannot process: in texts invalid UTF-8 and control characters
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
 * Returns whether metric has a value that is not neutral at cnode, on any location. Rows for which it
 * returns false are left out of the file and read as zero (min, max: as "never"; of max_time no row is left out).
 */
typedef bool fathom_cube_presence(void *context, uint32_t metric, uint32_t cnode);

/*
 * Creates path, which must not exist, and writes everything except the values: definitions,
 * indices, container. Only EXCLUSIVE and INCLUSIVE metrics of the types up to TUPLE.
 * The file is called path.part until fathom_cube_writer_close. 0 or -errno (-EINVAL:
 * the definitions break an invariant of cube.h; -EEXIST: path or path.part is there already);
 * after an error nothing is left behind. cube and context are not needed after the call.
 * mtime: seconds since 1970, for the container's headers.
 */
int fathom_cube_writer_open(struct fathom_cube_writer **writer, const char *path, const struct fathom_cube *cube,
			    fathom_cube_presence *present, void *context, int64_t mtime);

/*
 * Writes count values of locations first, first + 1, ... into the row of metric and cnode, which must be present.
 * values: count numbers of the metric's type in this machine's byte order. Values that are never written read as zero
 * (a tuple: of no values). 0 or -errno.
 */
int fathom_cube_writer_put(struct fathom_cube_writer *writer, uint32_t metric, uint32_t cnode, uint32_t first,
			   uint32_t count, const void *values);

/*
 * Return the layout and the name of the incomplete file, for other processes that write values (value_layout.h)
 * between fathom_cube_writer_open and fathom_cube_writer_close; and the output of this process, to write values with
 * another layout.
 */
const struct fathom_cube_layout *fathom_cube_writer_columns(const struct fathom_cube_writer *writer);
const char *fathom_cube_writer_part(const struct fathom_cube_writer *writer);
struct fathom_cube_output *fathom_cube_writer_output(struct fathom_cube_writer *writer);

/* Writes the buffer and gives the file its name. Returns 0 or -errno; after an
 * error (a full disk) nothing is left behind. Frees the writer. */
int fathom_cube_writer_close(struct fathom_cube_writer *writer);

/* Removes the incomplete file and frees the writer. */
void fathom_cube_writer_abandon(struct fathom_cube_writer *writer);

#endif
