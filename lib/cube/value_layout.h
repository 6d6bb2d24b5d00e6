/*
 * value_layout: where the values of a profile lie in its file, so that any process can put some there.
 *
 * The process that made the file knows it (writer.h), and can tell others in a few bytes for each metric and one
 * bit for each metric and call path; nothing of that grows with the number of locations.
 */
#ifndef FATHOM_CUBE_VALUE_LAYOUT_H
#define FATHOM_CUBE_VALUE_LAYOUT_H

#include <stddef.h>

#include "cube/cube.h"
#include "cube/rowset.h"

struct fathom_arena;
struct fathom_cube_output;

struct fathom_cube_metric_layout {	/* a metric, as its values lie in the file */
	struct fathom_cube_rowset rows;
	uint64_t values;	/* place in the file of the first row */
	uint32_t value_bytes;	/* as put */
	uint32_t stored_bytes;	/* the same, or 4 where they are made wider */
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

/*
 * Whether the file holds 0 where a maximum was never taken. For max_time it does, and it has a row for each cnode.
 * -DBL_MAX, which says "never" in other maxima and is what a missing row reads as, is a negative time to cube_sanity.
 * The maximum over threads or call paths is the same.
 */
bool fathom_cube_never_is_zero(const struct fathom_cube_metric *metric);

uint32_t fathom_cube_layout_row(const struct fathom_cube_layout *columns,
				const struct fathom_cube_metric_layout *metric,
				 uint32_t cnode);

/* Whether the file has a row for these. Context: signal; so all here. */
bool fathom_cube_layout_present(const struct fathom_cube_layout *columns, uint32_t metric, uint32_t cnode);

/* As fathom_cube_writer_put, through output. */
int fathom_cube_layout_put(const struct fathom_cube_layout *columns, struct fathom_cube_output *output,
			    uint32_t metric, uint32_t cnode, uint32_t first, uint32_t count, const void *values);

/* For other processes: how many bytes it takes, and those bytes. No metric may be INCLUSIVE. */
size_t fathom_cube_layout_packed_bytes(const struct fathom_cube_layout *columns);
void fathom_cube_layout_pack(const struct fathom_cube_layout *columns, char *packed);

/* The columns that were packed; memory comes from arena. 0, -ENOMEM, or -EPROTO: they are no columns. */
int fathom_cube_layout_unpack(struct fathom_cube_layout *columns, struct fathom_arena *arena, const char *packed,
			       size_t bytes);

#endif
