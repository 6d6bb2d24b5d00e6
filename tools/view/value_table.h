/*
 * value_table: the values of a profile in the form in which a page contains them.
 *
 * A page has a limited size. So neighbouring locations may share a column, which then has their sum, and the values of
 * a row may be rounded to 1/127 of the row's largest value. Sums over all locations are always exact.
 *
 * The table is a sequence of little-endian numbers. For each metric with plain numbers, in the order of the
 * definitions:
 *	uint32		number of the metric
 *	uint32		number of call paths with a row of their own; of call paths that share the row of `base`
 *	uint32		base: a metric with the same values at these call paths (the metric itself if there are none)
 *	uint32		1: values are rounded; 0: they are float
 *	uint32[]	the call paths with own rows, then those that share
 *	(padding to 8 bytes)
 *	double[]	by own row: sum over all locations (the least or greatest value, for a minimum or maximum)
 *	float[]		by own row, only if rounded: the largest absolute value of the row's columns
 *	float or int8[]	[own row][column]; rounded values are 127 times the value divided by the largest one
 *	(padding to 8 bytes)
 * Rows of zeros only, and of "never" only, are left out. "Never" in a row is NaN, rounded -128.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_VALUE_TABLE_H
#define FATHOM_TOOLS_VIEW_VALUE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/common/profile.h"

struct fathom_metric_rows {	/* the rows of one metric */
	uint32_t *own, *shared;	/* call paths */
	uint32_t own_count, shared_count;
	uint32_t base;
	double *sums;		/* by own row */
	float *cells;		/* [own row][column] */
};

struct fathom_value_table {
	struct fathom_metric_rows *metrics;	/* by metric; without rows if the metric has no plain numbers */
	uint32_t metric_count;
	uint32_t location_count;
	uint32_t locations_per_column;		/* 1: each location has its own column */
	uint32_t column_count;
	bool is_rounded;
};

/* Reads all values of a profile into as few columns that the table has at most most_cells cells. 0, or -errno after an
 * error message; then there is nothing to free. */
int fathom_value_table_init(struct fathom_value_table *table, struct fathom_profile *profile, size_t most_cells);
void fathom_value_table_fini(struct fathom_value_table *table);

/* Halves the number of columns: two neighbours become one. Must not be called when there is one column. */
void fathom_value_table_halve(struct fathom_value_table *table, const struct fathom_cube *cube);

/* Writes the table in the form above. Returns its bytes, which the caller frees; *bytes becomes their number. */
void *fathom_value_table_pack(const struct fathom_value_table *table, size_t *bytes);

#endif
