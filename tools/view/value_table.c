#include "tools/view/value_table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/progress.h"

/* --- reading --------------------------------------------------------------------------------------- */

static bool is_sum(const struct fathom_cube_metric *metric)
{
	return metric->dtype != FATHOM_CUBE_MINDOUBLE && metric->dtype != FATHOM_CUBE_MAXDOUBLE;
}

/* Puts two values of a metric together. NaN is "never". */
static double join(const struct fathom_cube_metric *metric, double a, double b)
{
	if (is_sum(metric))
		return a + b;
	return metric->dtype == FATHOM_CUBE_MINDOUBLE ? fmin(a, b) : fmax(a, b);
}

/* Replaces the neutral values of minima and maxima by NaN. Returns whether the row has any value. */
static bool clean_row(const struct fathom_cube_metric *metric, double *row, uint32_t count)
{
	bool has_values = false;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_sum(metric) && fathom_value_is_never(row[i]))
			row[i] = NAN;
		has_values |= is_sum(metric) ? row[i] != 0 : !isnan(row[i]);
	}
	return has_values;
}

static void add_row(struct fathom_value_table *table, const struct fathom_cube_metric *metric,
		    struct fathom_metric_rows *rows, uint32_t cnode, const double *row)
{
	float *cells = rows->cells + (size_t)rows->own_count * table->column_count;
	double sum = row[0];

	for (uint32_t i = 1; i < table->location_count; i++)
		sum = join(metric, sum, row[i]);
	for (uint32_t column = 0; column < table->column_count; column++) {
		uint32_t first = column * table->locations_per_column, end = first + table->locations_per_column;
		double value = row[first];

		for (uint32_t i = first + 1; i < end && i < table->location_count; i++)
			value = join(metric, value, row[i]);
		cells[column] = (float)value;
	}
	rows->sums[rows->own_count] = sum;
	rows->own[rows->own_count++] = cnode;
}

/* The rows of one call path while it is read. */
struct call_path_rows {
	double *row;
	double **base_rows;		/* by metric: its row, if other metrics may share it; else NULL */
};

/* Makes room for the rows of a metric, and finds the metric whose rows it may share: the root of its branch. */
static void prepare_metric(struct fathom_value_table *table, const struct fathom_cube *cube, uint32_t m,
			   struct call_path_rows *rows_of)
{
	const struct fathom_cube_metric *metric = &cube->metrics[m];
	struct fathom_metric_rows *rows = &table->metrics[m];

	rows->base = m;
	for (int32_t parent = metric->parent; is_sum(metric) && parent >= 0; parent = cube->metrics[parent].parent)
		if (table->metrics[parent].own)
			rows->base = (uint32_t)parent;
	if (rows->base != m && !rows_of->base_rows[rows->base])
		rows_of->base_rows[rows->base] = fathom_tool_alloc(cube->location_count, sizeof(double));
	rows->own = fathom_tool_alloc(cube->cnode_count, sizeof(*rows->own));
	rows->shared = fathom_tool_alloc(cube->cnode_count, sizeof(*rows->shared));
	rows->sums = fathom_tool_alloc(cube->cnode_count, sizeof(*rows->sums));
	rows->cells = fathom_tool_alloc((size_t)cube->cnode_count * table->column_count, sizeof(*rows->cells));
}

/* Reads the rows of a call path, each once. A row that equals the row of the metric `base` is shared. */
static int read_call_path(struct fathom_value_table *table, struct fathom_profile *profile, uint32_t cnode,
			  const struct call_path_rows *rows_of)
{
	size_t bytes = table->location_count * sizeof(double);
	int err = 0;

	for (uint32_t m = 0; m < table->metric_count && !err; m++) {
		const struct fathom_cube_metric *metric = &profile->cube->metrics[m];
		struct fathom_metric_rows *rows = &table->metrics[m];
		double *row = rows_of->base_rows[m] ? rows_of->base_rows[m] : rows_of->row;

		if (!rows->own)
			continue;
		err = fathom_profile_own_row(profile, m, cnode, row);
		if (err || !clean_row(metric, row, table->location_count))
			continue;
		if (rows->base != m && memcmp(row, rows_of->base_rows[rows->base], bytes) == 0)
			rows->shared[rows->shared_count++] = cnode;
		else
			add_row(table, metric, rows, cnode, row);
	}
	return err;
}

int fathom_value_table_init(struct fathom_value_table *table, struct fathom_profile *profile, size_t most_cells)
{
	const struct fathom_cube *cube = profile->cube;
	size_t rows = cube->cnode_count;
	struct call_path_rows rows_of = {
		fathom_tool_alloc(cube->location_count, sizeof(double)),
		fathom_tool_alloc(cube->metric_count, sizeof(double *)),
	};
	int err = 0;

	memset(table, 0, sizeof(*table));
	table->metric_count = cube->metric_count;
	table->location_count = cube->location_count;
	table->metrics = fathom_tool_alloc(cube->metric_count, sizeof(*table->metrics));
	table->locations_per_column = 1;
	while (rows * (cube->location_count / table->locations_per_column) > most_cells &&
	       table->locations_per_column < cube->location_count)
		table->locations_per_column *= 2;
	table->column_count = (cube->location_count - 1) / table->locations_per_column + 1;
	for (uint32_t m = 0; m < cube->metric_count; m++)
		if (fathom_profile_has_values(profile, m) && fathom_profile_can_read(&cube->metrics[m]))
			prepare_metric(table, cube, m, &rows_of);
	fathom_progress_begin("reading values", cube->cnode_count);
	for (uint32_t c = 0; c < cube->cnode_count && !err; c++) {
		fathom_progress_set(c);
		err = read_call_path(table, profile, c, &rows_of);
	}
	fathom_progress_end();
	for (uint32_t m = 0; m < cube->metric_count; m++)
		free(rows_of.base_rows[m]);
	free(rows_of.base_rows);
	free(rows_of.row);
	if (err)
		fathom_value_table_fini(table);
	return err;
}

void fathom_value_table_fini(struct fathom_value_table *table)
{
	for (uint32_t m = 0; m < table->metric_count; m++) {
		free(table->metrics[m].own);
		free(table->metrics[m].shared);
		free(table->metrics[m].sums);
		free(table->metrics[m].cells);
	}
	free(table->metrics);
	table->metrics = NULL;
	table->metric_count = 0;
}

void fathom_value_table_halve(struct fathom_value_table *table, const struct fathom_cube *cube)
{
	uint32_t before = table->column_count, after = (before + 1) / 2;

	for (uint32_t m = 0; m < table->metric_count; m++) {
		struct fathom_metric_rows *rows = &table->metrics[m];

		for (uint32_t r = 0; r < rows->own_count; r++) {
			const float *from = rows->cells + (size_t)r * before;
			float *to = rows->cells + (size_t)r * after;

			/* `to` is never behind `from`, so no value is overwritten before it is read. */
			for (uint32_t i = 0; i < after; i++)
				to[i] = 2 * i + 1 < before ?
					(float)join(&cube->metrics[m], from[2 * i], from[2 * i + 1]) : from[2 * i];
		}
	}
	table->column_count = after;
	table->locations_per_column *= 2;
}

/* --- packing --------------------------------------------------------------------------------------- */

struct bytes {
	char *data;
	size_t count, room;
};

static void put(struct bytes *bytes, const void *data, size_t count)
{
	if (bytes->count + count + 8 > bytes->room) {
		size_t room = bytes->room * 2 + count + 4096;
		char *larger = realloc(bytes->data, room);

		if (!larger)
			fathom_tool_out_of_memory(room);
		bytes->data = larger;
		bytes->room = room;
	}
	if (count)
		memcpy(bytes->data + bytes->count, data, count);
	bytes->count += count;
}

static void put_padding(struct bytes *bytes)
{
	static const char zeros[8];

	put(bytes, zeros, -bytes->count & 7);
}

static float largest(const float *cells, uint32_t count)
{
	float most = 0;

	for (uint32_t i = 0; i < count; i++)
		most = fmaxf(most, fabsf(cells[i]));
	return most;
}

static void put_rounded(struct bytes *bytes, const struct fathom_metric_rows *rows, uint32_t columns)
{
	int8_t *rounded = fathom_tool_alloc(columns, sizeof(*rounded));

	for (uint32_t r = 0; r < rows->own_count; r++) {
		float most = largest(rows->cells + (size_t)r * columns, columns);

		put(bytes, &most, sizeof(most));
	}
	for (uint32_t r = 0; r < rows->own_count; r++) {
		const float *cells = rows->cells + (size_t)r * columns;
		float most = largest(cells, columns);

		for (uint32_t i = 0; i < columns; i++)
			rounded[i] = isnan(cells[i]) ? -128 : most > 0 ? (int8_t)lrintf(cells[i] / most * 127) : 0;
		put(bytes, rounded, columns);
	}
	free(rounded);
}

void *fathom_value_table_pack(const struct fathom_value_table *table, size_t *count)
{
	struct bytes bytes = { 0 };

	for (uint32_t m = 0; m < table->metric_count; m++) {
		const struct fathom_metric_rows *rows = &table->metrics[m];
		uint32_t head[5] = { m, rows->own_count, rows->shared_count, rows->base, table->is_rounded };

		if (rows->own_count + rows->shared_count == 0)
			continue;
		put(&bytes, head, sizeof(head));
		put(&bytes, rows->own, rows->own_count * sizeof(*rows->own));
		put(&bytes, rows->shared, rows->shared_count * sizeof(*rows->shared));
		put_padding(&bytes);
		put(&bytes, rows->sums, rows->own_count * sizeof(*rows->sums));
		if (table->is_rounded)
			put_rounded(&bytes, rows, table->column_count);
		else
			put(&bytes, rows->cells, (size_t)rows->own_count * table->column_count * sizeof(*rows->cells));
		put_padding(&bytes);
	}
	*count = bytes.count;
	return bytes.data ? bytes.data : fathom_tool_alloc(1, 8);
}
