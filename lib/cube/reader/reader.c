#include "cube/reader/reader.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "cube/value_layout.h"
#include "cube/reader/container.h"
#include "cube/derived.h"
#include "cube/dtype.h"
#include "cube/reader/error_line.h"
#include "cube/row_order.h"
#include "cube/reader/anchor_parse.h"
#include "cube/reader/value_rows.h"
#include "platform/arena.h"

struct fathom_cube_reader {
	struct fathom_cube cube;
	struct fathom_cube_container container;
	struct fathom_arena arena;
	struct fathom_cube_value_rows *stored;	/* one for each metric */
	uint32_t *wide;		/* row number of each cnode for INCLUSIVE metrics */
	uint32_t *wide_cnodes;	/* the cnode of each of these rows */
	uint32_t *columns;	/* number of each location in the data; NULL: locations are in order */
	unsigned char *raw;	/* buffer for a row as in the file */
	size_t raw_bytes;
};

static int fail_memory(struct fathom_cube_reader *reader, struct fathom_cube_error *error)
{
	return fathom_cube_error_set(error, -ENOMEM, reader->container.path, "out of memory");
}

/* The number of values that are read at once if the caller does not need the whole row. */
enum { PIECE = 8192 };

static int number_rows(struct fathom_cube_reader *reader, struct fathom_cube_error *error)
{
	uint32_t count = reader->cube.cnode_count;

	reader->stored = calloc(reader->cube.metric_count, sizeof(*reader->stored));
	reader->wide = malloc(count * sizeof(*reader->wide));
	reader->wide_cnodes = malloc(count * sizeof(*reader->wide_cnodes));
	if (!reader->stored || !reader->wide || !reader->wide_cnodes)
		return fail_memory(reader, error);
	fathom_cube_order_wide(reader->cube.cnodes, count, reader->wide, reader->wide_cnodes);
	for (uint32_t i = 0; i < count; i++)
		reader->wide_cnodes[reader->wide[i]] = i;
	return 0;
}

bool fathom_cube_is_ours(const struct fathom_cube *cube)
{
	const char *creator = fathom_cube_attribute(cube, "Creator");

	return creator && strncmp(creator, "fathom ", 7) == 0;
}

bool fathom_cube_is_difference(const struct fathom_cube *cube)
{
	const char *operation = fathom_cube_attribute(cube, FATHOM_CUBE_ALGEBRA);

	return operation && (strcmp(operation, "diff") == 0 || strcmp(operation, "deviation") == 0);
}

/* Adds the formulas. In a file that fathom wrote, they follow from the metrics; for other files, they are read from the
 * file. */
static int add_formulas(struct fathom_cube_reader *reader, struct fathom_cube_error *error)
{
	struct fathom_cube *cube = &reader->cube;
	struct fathom_cube_metric *more;

	if (!fathom_cube_is_ours(cube) || fathom_cube_is_difference(cube))
		return 0;
	more = realloc(cube->metrics, (cube->metric_count + (size_t)FATHOM_DERIVED_MOST) * sizeof(*more));
	if (!more)
		return fail_memory(reader, error);
	cube->metrics = more;
	return fathom_derived_add(cube, &reader->arena) ? fail_memory(reader, error) : 0;
}

int fathom_cube_reader_open(struct fathom_cube_reader **result, const char *path, struct fathom_cube_error *error)
{
	struct fathom_cube_reader *reader = calloc(1, sizeof(*reader));
	int err;

	*result = NULL;
	if (!reader)
		return fathom_cube_error_set(error, -ENOMEM, path, "out of memory");
	err = fathom_cube_container_open(&reader->container, path, error);
	if (err) {
		free(reader);
		return err;
	}
	err = fathom_cube_parse(&reader->cube, &reader->columns, &reader->arena, &reader->container, error);
	if (!err)
		err = add_formulas(reader, error);
	if (!err)
		err = number_rows(reader, error);
	if (err) {
		fathom_cube_reader_close(reader);
		return err;
	}
	*result = reader;
	return 0;
}

void fathom_cube_reader_close(struct fathom_cube_reader *reader)
{
	fathom_cube_parse_free(&reader->cube, reader->columns);
	fathom_cube_container_close(&reader->container);
	fathom_arena_fini(&reader->arena);
	free(reader->stored);
	free(reader->wide);
	free(reader->wide_cnodes);
	free(reader->raw);
	free(reader);
}

const struct fathom_cube *fathom_cube_reader_cube(const struct fathom_cube_reader *reader)
{
	return &reader->cube;
}

const char *fathom_cube_attribute(const struct fathom_cube *cube, const char *key)
{
	for (uint32_t i = 0; i < cube->attribute_count; i++) {
		if (strcmp(cube->attributes[i].key, key) == 0)
			return cube->attributes[i].value;
	}
	return NULL;
}

int32_t fathom_cube_metric_by_name(const struct fathom_cube *cube, const char *uniq_name)
{
	for (uint32_t i = 0; i < cube->metric_count; i++) {
		if (strcmp(cube->metrics[i].uniq_name, uniq_name) == 0)
			return (int32_t)i;
	}
	for (uint32_t i = 0; i < cube->metric_count; i++) {
		if (fathom_derived_is_called(cube->metrics[i].uniq_name, uniq_name))
			return (int32_t)i;
	}
	return -1;
}

static uint32_t row_of(const struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode)
{
	return reader->cube.metrics[metric].type == FATHOM_CUBE_INCLUSIVE ? reader->wide[cnode] : cnode;
}

/* Checks the arguments of the caller and loads the metric. as_doubles: the caller wants the values as doubles. */
static int prepare(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, bool as_doubles,
		   struct fathom_cube_error *error)
{
	const struct fathom_cube *cube = &reader->cube;
	const char *path = reader->container.path;
	const struct fathom_cube_metric *it;

	if (metric >= cube->metric_count)
		return fathom_cube_error_set(error, -EINVAL, path, "there is no metric %u, only %u", metric,
					     cube->metric_count);
	if (cnode >= cube->cnode_count)
		return fathom_cube_error_set(error, -EINVAL, path, "there is no call path %u, only %u", cnode,
					     cube->cnode_count);
	it = &cube->metrics[metric];
	if (it->type == FATHOM_CUBE_DERIVED)
		return fathom_cube_error_set(error, -ENOTSUP, path, "metric %s is a formula and has no stored values",
					     it->uniq_name);
	if (it->dtype == FATHOM_CUBE_OTHER ||
	    (as_doubles && (it->dtype == FATHOM_CUBE_COMPLEX || it->dtype == FATHOM_CUBE_HISTOGRAM ||
			    it->dtype == FATHOM_CUBE_NDOUBLES)))
		return fathom_cube_error_set(error, -ENOTSUP, path,
					     "metric %s has values that are no single numbers", it->uniq_name);
	return fathom_cube_value_rows_load(&reader->stored[metric], &reader->container, cube, metric, &reader->arena,
				       error);
}

/* Makes room for a row as it is in the file. */
static int need_raw(struct fathom_cube_reader *reader, size_t bytes, struct fathom_cube_error *error)
{
	unsigned char *fresh;

	if (bytes <= reader->raw_bytes)
		return 0;
	fresh = realloc(reader->raw, bytes);
	if (!fresh)
		return fail_memory(reader, error);
	reader->raw = fresh;
	reader->raw_bytes = bytes;
	return 0;
}

static double load_double(const unsigned char *bytes)
{
	double value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

#define AS_DOUBLE(type, bytes) \
	({ \
		type value_; \
		memcpy(&value_, bytes, sizeof(value_)); \
		(double)value_; \
	})

static double value_of(enum fathom_cube_dtype dtype, const unsigned char *bytes)
{
	double denominator;

	switch (dtype) {
	case FATHOM_CUBE_UINT64:
		return AS_DOUBLE(uint64_t, bytes);
	case FATHOM_CUBE_INT64:
		return AS_DOUBLE(int64_t, bytes);
	case FATHOM_CUBE_UINT32:
		return AS_DOUBLE(uint32_t, bytes);
	case FATHOM_CUBE_INT32:
		return AS_DOUBLE(int32_t, bytes);
	case FATHOM_CUBE_UINT16:
		return AS_DOUBLE(uint16_t, bytes);
	case FATHOM_CUBE_INT16:
		return AS_DOUBLE(int16_t, bytes);
	case FATHOM_CUBE_UINT8:
		return AS_DOUBLE(uint8_t, bytes);
	case FATHOM_CUBE_INT8:
		return AS_DOUBLE(int8_t, bytes);
	case FATHOM_CUBE_TUPLE:
		return load_double(bytes + 20);		/* behind the count, the minimum and the maximum */
	case FATHOM_CUBE_RATE:
		denominator = load_double(bytes + 8);
		return denominator != 0 ? load_double(bytes) / denominator : 0;
	default:
		return load_double(bytes);
	}
}

/* Restores the neutral value of minima and maxima, for which a file that fathom wrote has 0. */
static void restore_never(const struct fathom_cube_reader *reader, uint32_t metric, uint32_t count, double *values)
{
	if (!fathom_cube_is_ours(&reader->cube) || !fathom_cube_never_is_zero(&reader->cube.metrics[metric]))
		return;
	for (uint32_t i = 0; i < count; i++)
		if (values[i] == 0)
			values[i] = -DBL_MAX;
}

/* Reads a part of a row that is present, as doubles. */
static int read_part(struct fathom_cube_reader *reader, uint32_t metric, uint32_t row, uint32_t first, uint32_t count,
		     double *values, struct fathom_cube_error *error)
{
	const struct fathom_cube_metric *it = &reader->cube.metrics[metric];
	uint32_t bytes = fathom_cube_value_bytes(it);
	int err = need_raw(reader, (size_t)count * bytes, error);

	if (!err)
		err = fathom_cube_value_rows_read_part(&reader->stored[metric], &reader->container, it, row, first,
						       count,
						   reader->raw, error);
	for (uint32_t i = 0; i < count && !err; i++)
		values[i] = value_of(it->dtype, reader->raw + (size_t)i * bytes);
	if (!err)
		restore_never(reader, metric, count, values);
	return err;
}

/* Reads a row that is present, as doubles, in the order of the locations. */
static int read_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t row, double *values,
		    struct fathom_cube_error *error)
{
	const struct fathom_cube_value_rows *stored = &reader->stored[metric];
	const struct fathom_cube_metric *it = &reader->cube.metrics[metric];
	uint32_t bytes = fathom_cube_value_bytes(it);
	int err = need_raw(reader, stored->row_bytes, error);

	if (!err)
		err = fathom_cube_value_rows_read(stored, &reader->container, it, row, reader->raw, error);
	for (uint32_t i = 0; i < reader->cube.location_count && !err; i++) {
		size_t column = reader->columns ? reader->columns[i] : i;

		values[i] = value_of(it->dtype, reader->raw + column * bytes);
	}
	if (!err)
		restore_never(reader, metric, reader->cube.location_count, values);
	return err;
}

int fathom_cube_reader_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, double *values,
			   struct fathom_cube_error *error)
{
	int err = prepare(reader, metric, cnode, true, error);
	uint32_t row;

	if (err)
		return err;
	row = row_of(reader, metric, cnode);
	if (fathom_cube_rowset_has(&reader->stored[metric].rows, row))
		return read_row(reader, metric, row, values, error);
	for (uint32_t i = 0; i < reader->cube.location_count; i++)
		values[i] = fathom_cube_dtype_neutral(reader->cube.metrics[metric].dtype);
	return 0;
}

static uint32_t piece_of(const struct fathom_cube_reader *reader, uint32_t metric)
{
	uint32_t count = reader->cube.location_count;
	bool whole = reader->columns || reader->stored[metric].blocks;

	return whole || count < PIECE ? count : PIECE;
}

uint32_t fathom_cube_reader_piece(struct fathom_cube_reader *reader, uint32_t metric)
{
	if (prepare(reader, metric, 0, true, NULL))
		return reader->cube.location_count;
	return piece_of(reader, metric);
}

int fathom_cube_reader_part(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, uint32_t first,
			    uint32_t count, double *values, struct fathom_cube_error *error)
{
	int err = prepare(reader, metric, cnode, true, error);
	uint32_t row;

	if (err)
		return err;
	if (first > reader->cube.location_count || count > reader->cube.location_count - first)
		return fathom_cube_error_set(error, -EINVAL, reader->container.path,
					     "there are no locations %u to %llu, only %u", first,
					     (unsigned long long)first + count, reader->cube.location_count);
	row = row_of(reader, metric, cnode);
	if (fathom_cube_rowset_has(&reader->stored[metric].rows, row)) {
		if (count == reader->cube.location_count)
			return read_row(reader, metric, row, values, error);
		if (reader->columns || reader->stored[metric].blocks)
			return fathom_cube_error_set(error, -EINVAL, reader->container.path,
						     "metric %s can only be read by whole rows",
						     reader->cube.metrics[metric].uniq_name);
		return read_part(reader, metric, row, first, count, values, error);
	}
	for (uint32_t i = 0; i < count; i++)
		values[i] = fathom_cube_dtype_neutral(reader->cube.metrics[metric].dtype);
	return 0;
}

/* Fills in the values of a row that the file does not have: zeros, or the neutral value of a minimum or maximum. */
static void fill_neutral(const struct fathom_cube_metric *metric, uint32_t count, unsigned char *values)
{
	uint32_t bytes = fathom_cube_value_bytes(metric);
	double neutral = fathom_cube_dtype_neutral(metric->dtype);
	double least = DBL_MAX;
	double most = -DBL_MAX;

	memset(values, 0, (size_t)count * bytes);
	for (uint32_t i = 0; i < count; i++, values += bytes) {
		if (metric->dtype == FATHOM_CUBE_MINDOUBLE || metric->dtype == FATHOM_CUBE_MAXDOUBLE)
			memcpy(values, &neutral, sizeof(neutral));
		if (metric->dtype == FATHOM_CUBE_TUPLE) {
			memcpy(values + 4, &least, sizeof(least));
			memcpy(values + 12, &most, sizeof(most));
		}
	}
}

int fathom_cube_reader_raw_row(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode, void *values,
			       struct fathom_cube_error *error)
{
	int err = prepare(reader, metric, cnode, false, error);
	const struct fathom_cube_metric *it;
	const struct fathom_cube_value_rows *stored;
	uint32_t bytes;
	uint32_t row;

	if (err)
		return err;
	it = &reader->cube.metrics[metric];
	stored = &reader->stored[metric];
	bytes = fathom_cube_value_bytes(it);
	row = row_of(reader, metric, cnode);
	if (!fathom_cube_rowset_has(&stored->rows, row)) {
		fill_neutral(it, reader->cube.location_count, values);
		return 0;
	}
	if (!reader->columns)
		return fathom_cube_value_rows_read(stored, &reader->container, it, row, values, error);
	err = need_raw(reader, stored->row_bytes, error);
	if (!err)
		err = fathom_cube_value_rows_read(stored, &reader->container, it, row, reader->raw, error);
	for (uint32_t i = 0; i < reader->cube.location_count && !err; i++)
		memcpy((char *)values + (size_t)i * bytes, reader->raw + (size_t)reader->columns[i] * bytes, bytes);
	return err;
}

bool fathom_cube_reader_present(struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode)
{
	if (prepare(reader, metric, cnode, false, NULL))
		return false;
	return fathom_cube_rowset_has(&reader->stored[metric].rows, row_of(reader, metric, cnode));
}

static double merge(enum fathom_cube_dtype dtype, double sum, double value)
{
	if (dtype == FATHOM_CUBE_MINDOUBLE)
		return value < sum ? value : sum;
	if (dtype == FATHOM_CUBE_MAXDOUBLE)
		return value > sum ? value : sum;
	return sum + value;
}

int fathom_cube_reader_sums(struct fathom_cube_reader *reader, uint32_t metric, double *sums,
			    struct fathom_cube_error *error)
{
	const struct fathom_cube *cube = &reader->cube;
	const struct fathom_cube_rowset *rows;
	enum fathom_cube_dtype dtype;
	double *values;
	uint32_t piece, count;
	int err = prepare(reader, metric, 0, true, error);

	if (err)
		return err;
	piece = piece_of(reader, metric);
	values = malloc(piece * sizeof(*values));
	if (!values)
		return fail_memory(reader, error);
	rows = &reader->stored[metric].rows;
	dtype = cube->metrics[metric].dtype;
	for (uint32_t i = 0; i < cube->cnode_count; i++)
		sums[i] = fathom_cube_dtype_neutral(dtype);
	for (uint32_t row = fathom_cube_rowset_next(rows, 0); row < rows->limit && !err;
	     row = fathom_cube_rowset_next(rows, row + 1)) {
		bool inclusive = cube->metrics[metric].type == FATHOM_CUBE_INCLUSIVE;
		double *sum = &sums[inclusive ? reader->wide_cnodes[row] : row];

		for (uint32_t first = 0; first < cube->location_count && !err; first += count) {
			count = cube->location_count - first < piece ? cube->location_count - first : piece;
			err = count == cube->location_count ? read_row(reader, metric, row, values, error) :
				read_part(reader, metric, row, first, count, values, error);
			for (uint32_t i = 0; i < count && !err; i++)
				*sum = merge(dtype, *sum, values[i]);
		}
	}
	free(values);
	return err;
}
