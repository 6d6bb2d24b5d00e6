#include "profile/piece.h"

#include <errno.h>
#include <float.h>
#include <string.h>

#include "cube/writer.h"
#include "platform/clock.h"

/* How many numbers the values before this one are, at a call path and location. */
static size_t words_before(const struct fathom_model *model, uint32_t value)
{
	size_t words = 0;

	while (value-- > 0)
		words += fathom_aggregate_width(model->threads, value);
	return words;
}

static uint64_t *row_of(const struct fathom_piece *piece, uint32_t value, uint32_t cnode)
{
	size_t rows = piece->end - piece->first, width = fathom_aggregate_width(piece->model->threads, value);

	return piece->cells + (words_before(piece->model, value) * rows + (cnode - piece->first) * width) *
				      piece->locations;
}

uint32_t fathom_piece_cnodes(const struct fathom_model *model, uint64_t bytes)
{
	uint64_t row = words_before(model, model->value_count) * model->cube.location_count * sizeof(uint64_t);
	uint64_t rows = row ? bytes / row : bytes;

	if (rows > model->cube.cnode_count)
		rows = model->cube.cnode_count;
	return rows ? (uint32_t)rows : 1;
}

int fathom_piece_init(struct fathom_piece *piece, struct fathom_arena *arena, const struct fathom_model *model,
		      uint32_t cnodes)
{
	size_t locations = model->cube.location_count, words = words_before(model, model->value_count);

	memset(piece, 0, sizeof(*piece));
	piece->model = model;
	piece->locations = model->cube.location_count;
	piece->row = fathom_arena_alloc(arena, locations * sizeof(struct fathom_cube_tuple));
	if (piece->row)
		piece->cells = fathom_arena_alloc(arena, words * cnodes * locations * sizeof(*piece->cells));
	return piece->cells ? 0 : -ENOMEM;
}

void fathom_piece_begin(struct fathom_piece *piece, uint32_t first, uint32_t end)
{
	size_t cells = (size_t)(end - first) * piece->locations;

	piece->first = first;
	piece->end = end;
	if (!piece->cells)
		return;
	memset(piece->cells, 0, words_before(piece->model, piece->model->value_count) * cells * sizeof(*piece->cells));
	memset(row_of(piece, FATHOM_VALUE_MIN, first), 0xff, cells * sizeof(*piece->cells));
}

/* Of statistics the sum: where the other processes have no statistics. */
static void unpack_sums(struct fathom_piece *piece, uint32_t value, uint32_t cnode, const char *data, uint32_t count,
			uint32_t column)
{
	uint64_t *sums = row_of(piece, value, cnode) + column, statistics[FATHOM_STATISTICS];
	uint64_t *threads = row_of(piece, FATHOM_VALUE_THREADS, cnode) + column;

	for (uint32_t l = 0; l < count; l++) {
		memcpy(statistics, data + l * sizeof(statistics), sizeof(statistics));
		sums[l] = statistics[FATHOM_STATISTIC_SUM];
		if (value == FATHOM_VALUE_VISITS)
			threads[l] = statistics[FATHOM_STATISTIC_COUNT];
	}
}

/* What a value of a process is in the union; value_count: it is not there. */
static uint32_t value_in_union(const struct fathom_model *model, const struct fathom_process *process, uint32_t value)
{
	uint8_t metric;

	if (value < FATHOM_VALUE_METRICS)
		return value;
	metric = value - FATHOM_VALUE_METRICS < FATHOM_METRIC_MOST ?
			 model->maps[process->metrics].ours[value - FATHOM_VALUE_METRICS] : FATHOM_METRIC_NOT_KEPT;
	return metric == FATHOM_METRIC_NOT_KEPT ? model->value_count : (uint32_t)FATHOM_VALUE_METRICS + metric;
}

int fathom_piece_unpack(struct fathom_piece *piece, const char *data, size_t bytes,
			const struct fathom_process *process, uint32_t column)
{
	const char *end = data + bytes;

	while (data < end) {
		struct fathom_packed packed;

		if ((size_t)(end - data) < sizeof(packed))
			return -EPROTO;
		memcpy(&packed, data, sizeof(packed));
		data += sizeof(packed);
		if (packed.cnode < piece->first || packed.cnode >= piece->end)
			return -EPROTO;
		for (uint32_t v = 0; packed.present >> v; v++) {
			uint32_t width = fathom_aggregate_width((enum fathom_threads)process->threads, v);
			size_t row = (size_t)process->location_count * width * sizeof(uint64_t);
			uint32_t value = value_in_union(piece->model, process, v);

			if (!(packed.present >> v & 1))
				continue;
			if ((size_t)(end - data) < row)
				return -EPROTO;
			if (value == piece->model->value_count)
				;	/* a metric that is not kept */
			else if (width == fathom_aggregate_width(piece->model->threads, value))
				memcpy(row_of(piece, value, packed.cnode) + (size_t)column * width, data, row);
			else
				unpack_sums(piece, value, packed.cnode, data, process->location_count, column);
			data += row;
		}
	}
	return 0;
}

/* --- as the file wants it ------------------------------------------------------------------------ */

static double seconds(uint64_t units)
{
	return (double)units / FATHOM_UNITS_PER_SECOND;
}

/* A minimum or maximum that nobody has is "never". */
static void encode_extremes(const uint64_t *cells, const uint64_t *least, uint32_t count, double never, char *row)
{
	for (uint32_t i = 0; i < count; i++) {
		double value = least[i] == UINT64_MAX ? never : seconds(cells[i]);

		memcpy(row + i * sizeof(value), &value, sizeof(value));
	}
}

static void encode_tuples(const uint64_t *cells, uint32_t count, bool is_time, enum fathom_metric_type type, char *row)
{
	double unit = is_time ? FATHOM_UNITS_PER_SECOND : 1;

	for (uint32_t i = 0; i < count; i++, cells += FATHOM_STATISTICS) {
		struct fathom_cube_tuple tuple = { .minimum = DBL_MAX, .maximum = -DBL_MAX };
		double squares;

		if (cells[FATHOM_STATISTIC_COUNT]) {
			memcpy(&squares, &cells[FATHOM_STATISTIC_SQUARES], sizeof(squares));
			tuple.count = (uint32_t)cells[FATHOM_STATISTIC_COUNT];
			tuple.minimum = fathom_metric_number(type, cells[FATHOM_STATISTIC_MIN]) / unit;
			tuple.maximum = fathom_metric_number(type, cells[FATHOM_STATISTIC_MAX]) / unit;
			tuple.sum = fathom_metric_number(type, cells[FATHOM_STATISTIC_SUM]) / unit;
			tuple.squares = squares / unit / unit;
		}
		memcpy(row + i * sizeof(tuple), &tuple, sizeof(tuple));
	}
}

/* The row of a value in the type of its metric: units of 2^-32 s become seconds. */
static const void *encode(const struct fathom_piece *piece, uint32_t value, enum fathom_cube_dtype dtype,
			  uint32_t cnode)
{
	const uint64_t *cells = row_of(piece, value, cnode), *least = row_of(piece, FATHOM_VALUE_MIN, cnode);

	switch (dtype) {
	case FATHOM_CUBE_DOUBLE:
		if (value >= FATHOM_VALUE_METRICS)
			return cells;
		for (uint32_t i = 0; i < piece->locations; i++)
			((double *)piece->row)[i] = seconds(cells[i]);
		break;
	case FATHOM_CUBE_UINT32:
		for (uint32_t i = 0; i < piece->locations; i++)
			((uint32_t *)piece->row)[i] = (uint32_t)cells[i];
		break;
	case FATHOM_CUBE_MINDOUBLE:
		encode_extremes(cells, least, piece->locations, DBL_MAX, piece->row);
		break;
	case FATHOM_CUBE_MAXDOUBLE:
		encode_extremes(cells, least, piece->locations, -DBL_MAX, piece->row);
		break;
	case FATHOM_CUBE_TUPLE:
		encode_tuples(cells, piece->locations, value == FATHOM_VALUE_TIME || value == FATHOM_VALUE_OVERHEAD,
			      fathom_model_type(piece->model, value), piece->row);
		break;
	default:
		return cells;
	}
	return piece->row;
}

int fathom_piece_put(struct fathom_piece *piece, struct fathom_cube_writer *writer)
{
	const struct fathom_model *model = piece->model;

	for (uint32_t m = 0; m < model->cube.metric_count; m++) {
		for (uint32_t cnode = piece->first; cnode < piece->end; cnode++) {
			const void *row;
			int err;

			if (!fathom_model_present((void *)model, m, cnode))
				continue;
			row = encode(piece, model->metrics[m].value, model->cube.metrics[m].dtype, cnode);
			err = fathom_cube_writer_put(writer, m, cnode, 0, piece->locations, row);
			if (err)
				return err;
		}
	}
	return 0;
}
