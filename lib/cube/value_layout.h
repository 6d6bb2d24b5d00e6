/*
 * value_layout: the places of the values of a profile in its file, so that any process can write values there.
 *
 * The process that made the file has the layout (writer.h), and can send it to others in a few bytes for each metric
 * and one bit for each metric and call path. Its size does not grow with the number of locations. Context of all
 * functions: signal.
 */
#ifndef FATHOM_CUBE_VALUE_LAYOUT_H
#define FATHOM_CUBE_VALUE_LAYOUT_H

#include <stddef.h>

#include "cube/cube.h"
#include "cube/rowset.h"

struct fathom_arena;
struct fathom_cube_output;

struct fathom_cube_metric_layout {	/* the places of the values of one metric */
	struct fathom_cube_rowset rows;
	uint64_t values;	/* place in the file of the first row */
	uint32_t value_bytes;	/* size of a value that the caller writes */
	uint32_t stored_bytes;	/* size of a value in the file: value_bytes, or 4 if the value is widened */
	enum fathom_cube_dtype dtype;
	bool inclusive;
	bool never_is_zero;	/* see fathom_cube_never_is_zero */
};

struct fathom_cube_layout {
	struct fathom_cube_metric_layout *metrics;
	uint32_t *wide;			/* row numbers of INCLUSIVE metrics; NULL: there are none */
	uint32_t metric_count;
	uint32_t cnode_count;
	uint32_t location_count;
};

/* Returns whether the file contains 0 for a maximum without a value. This is so for max_time, which has a row for each
 * cnode. Other maxima and missing rows have -DBL_MAX there, which cube_sanity would report as a negative time. The
 * maximum over threads or call paths does not change, because times are not negative. */
bool fathom_cube_never_is_zero(const struct fathom_cube_metric *metric);

/* Returns the row number of a cnode. */
uint32_t fathom_cube_layout_row(const struct fathom_cube_layout *columns,
				const struct fathom_cube_metric_layout *metric,
				 uint32_t cnode);

/* Returns whether the file has a row for a metric and a cnode. */
bool fathom_cube_layout_present(const struct fathom_cube_layout *columns, uint32_t metric, uint32_t cnode);

/* Writes values like fathom_cube_writer_put, through output. */
int fathom_cube_layout_put(const struct fathom_cube_layout *columns, struct fathom_cube_output *output,
			    uint32_t metric, uint32_t cnode, uint32_t first, uint32_t count, const void *values);

/* Pack the layout for other processes: return the number of bytes, and write them. No metric may be INCLUSIVE. */
size_t fathom_cube_layout_packed_bytes(const struct fathom_cube_layout *columns);
void fathom_cube_layout_pack(const struct fathom_cube_layout *columns, char *packed);

/* Unpacks a layout; memory comes from arena. Returns 0, -ENOMEM, or -EPROTO if the bytes are no layout. */
int fathom_cube_layout_unpack(struct fathom_cube_layout *columns, struct fathom_arena *arena, const char *packed,
			       size_t bytes);

#endif
