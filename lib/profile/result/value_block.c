#include "profile/result/value_block.h"

#include <errno.h>
#include <float.h>
#include <string.h>

#include "cube/writer/output.h"
#include "platform/arena.h"
#include "platform/clock.h"

static enum fathom_metric_type type_of(const struct fathom_file_layout *layout, uint32_t value)
{
	return value < FATHOM_VALUE_METRICS ? FATHOM_METRIC_UINT64 :
	       (enum fathom_metric_type)layout->types[value - FATHOM_VALUE_METRICS];
}

/* Returns how many numbers a value consists of at a location, with this strategy of FATHOM_THREADS. */
static uint32_t width_of(const struct fathom_file_layout *layout, enum fathom_threads threads, uint32_t value)
{
	return fathom_aggregate_width(threads, value, type_of(layout, value));
}

/* Returns how many numbers all values before this one have together, at a call path and location. */
static size_t words_before(const struct fathom_file_layout *layout, uint32_t value)
{
	size_t words = 0;

	while (value-- > 0)
		words += width_of(layout, layout->threads, value);
	return words;
}

static uint64_t *row_of(const struct fathom_value_block *block, uint32_t value, uint32_t cnode)
{
	const struct fathom_file_layout *layout = block->layout;
	size_t rows = block->end - block->first, width = width_of(layout, layout->threads, value);

	return block->cells + (words_before(layout, value) * rows + (cnode - block->first) * width) *
				      block->locations;
}

uint32_t fathom_value_block_cnodes(const struct fathom_file_layout *layout, uint64_t locations, uint64_t bytes)
{
	uint64_t row = words_before(layout, layout->value_count) * locations * sizeof(uint64_t);
	uint64_t rows = row ? bytes / row : bytes;

	if (rows > layout->columns.cnode_count)
		rows = layout->columns.cnode_count;
	return rows ? (uint32_t)rows : 1;
}

/* Sorts by the columns in the file. Usually the parts are sorted already. */
static void sort_parts(struct fathom_process_columns *parts, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct fathom_process_columns part = parts[i];
		uint32_t at = i;

		for (; at > 0 && parts[at - 1].column > part.column; at--)
			parts[at] = parts[at - 1];
		parts[at] = part;
	}
}

int fathom_value_block_init(struct fathom_value_block *block, struct fathom_arena *arena,
			    const struct fathom_file_layout *layout, struct fathom_process_columns *parts,
			    uint32_t part_count, uint32_t cnodes)
{
	size_t words = words_before(layout, layout->value_count);

	memset(block, 0, sizeof(*block));
	block->layout = layout;
	block->parts = parts;
	block->part_count = part_count;
	sort_parts(parts, part_count);
	for (uint32_t i = 0; i < part_count; i++) {
		parts[i].place = block->locations;
		block->locations += parts[i].count;
	}
	block->row = fathom_arena_alloc(arena, block->locations * sizeof(struct fathom_cube_tuple));
	if (block->row)
		block->cells = fathom_arena_alloc(arena, words * cnodes * block->locations * sizeof(*block->cells));
	return block->cells ? 0 : -ENOMEM;
}

void fathom_value_block_begin(struct fathom_value_block *block, uint32_t first, uint32_t end)
{
	size_t cells = (size_t)(end - first) * block->locations;
	size_t words = words_before(block->layout, block->layout->value_count);

	block->first = first;
	block->end = end;
	if (!block->cells)
		return;
	memset(block->cells, 0, words * cells * sizeof(*block->cells));
	memset(row_of(block, FATHOM_VALUE_MIN, first), 0xff, cells * sizeof(*block->cells));
}

/* Unpacks the sums from statistics: the processes have different strategies, so the file has no statistics. */
static void unpack_sums(struct fathom_value_block *block, uint32_t value, uint32_t cnode, const char *data,
			uint32_t count, uint32_t column)
{
	uint64_t *sums = row_of(block, value, cnode) + column, statistics[FATHOM_STATISTICS];
	uint64_t *threads = row_of(block, FATHOM_VALUE_THREADS, cnode) + column;

	for (uint32_t l = 0; l < count; l++) {
		memcpy(statistics, data + l * sizeof(statistics), sizeof(statistics));
		sums[l] = statistics[FATHOM_STATISTIC_SUM];
		if (value == FATHOM_VALUE_VISITS)
			threads[l] = statistics[FATHOM_STATISTIC_COUNT];
	}
}

int fathom_value_block_unpack(struct fathom_value_block *block, const struct fathom_process_columns *part,
			      const char *data, size_t bytes)
{
	const char *end = data + bytes;

	while (data < end) {
		struct fathom_packed_cnode packed;

		if ((size_t)(end - data) < sizeof(packed))
			return -EPROTO;
		memcpy(&packed, data, sizeof(packed));
		data += sizeof(packed);
		if (packed.cnode < block->first || packed.cnode >= block->end)
			return -EPROTO;
		if (packed.present >> (block->layout->value_count - 1) > 1)
			return -EPROTO;
		for (uint32_t v = 0; packed.present >> v; v++) {
			uint32_t width = width_of(block->layout, (enum fathom_threads)part->threads, v);
			size_t row = (size_t)part->count * width * sizeof(uint64_t);

			if (!(packed.present >> v & 1))
				continue;
			if ((size_t)(end - data) < row)
				return -EPROTO;
			if (width == width_of(block->layout, block->layout->threads, v))
				memcpy(row_of(block, v, packed.cnode) + (size_t)part->place * width, data, row);
			else
				unpack_sums(block, v, packed.cnode, data, part->count, part->place);
			data += row;
		}
	}
	return 0;
}

/* --- in the form of the file --------------------------------------------------------------------- */

static double seconds(uint64_t units)
{
	return (double)units / FATHOM_UNITS_PER_SECOND;
}

/* Encodes minima or maxima of times; a call path that was never visited has the value never. */
static void encode_extremes(const uint64_t *cells, const uint64_t *least, uint32_t count, double never, char *row)
{
	for (uint32_t i = 0; i < count; i++) {
		double value = least[i] == UINT64_MAX ? never : seconds(cells[i]);

		memcpy(row + i * sizeof(value), &value, sizeof(value));
	}
}

/* Encodes minima or maxima of a metric of the program. */
static void encode_parts(const uint64_t *cells, uint32_t count, enum fathom_metric_type type, double never, char *row)
{
	for (uint32_t i = 0; i < count; i++) {
		double value = cells[i] ? fathom_metric_number(type, cells[i]) : never;

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

static bool is_time(uint32_t value)
{
	return value == FATHOM_VALUE_TIME || value == FATHOM_VALUE_OVERHEAD || value == FATHOM_VALUE_MISSING_TIME ||
	       value == FATHOM_VALUE_MISSING_THREADS || value == FATHOM_VALUE_IDLE_PROCESSORS ||
	       (value >= FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_FIRST_TIME &&
		value < FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_COUNT);
}

/* Returns the row of a value in the type of its metric; units of 2^-32 s become seconds. */
static const void *encode(const struct fathom_value_block *block, uint32_t value, enum fathom_cube_dtype dtype,
			  uint32_t cnode)
{
	const uint64_t *cells = row_of(block, value, cnode), *least = row_of(block, FATHOM_VALUE_MIN, cnode);
	double never;

	switch (dtype) {
	case FATHOM_CUBE_DOUBLE:
		if (value >= FATHOM_VALUE_METRICS)
			return cells;
		for (uint32_t i = 0; i < block->locations; i++)
			((double *)block->row)[i] = seconds(cells[i]);
		break;
	case FATHOM_CUBE_UINT32:
		for (uint32_t i = 0; i < block->locations; i++)
			((uint32_t *)block->row)[i] = (uint32_t)cells[i];
		break;
	case FATHOM_CUBE_MINDOUBLE:
	case FATHOM_CUBE_MAXDOUBLE:
		never = dtype == FATHOM_CUBE_MINDOUBLE ? DBL_MAX : -DBL_MAX;
		if (value >= FATHOM_VALUE_METRICS)
			encode_parts(cells, block->locations, type_of(block->layout, value), never, block->row);
		else
			encode_extremes(cells, least, block->locations, never, block->row);
		break;
	case FATHOM_CUBE_TUPLE:
		encode_tuples(cells, block->locations, is_time(value), type_of(block->layout, value), block->row);
		break;
	default:
		return cells;
	}
	return block->row;
}

/* Writes a row's columns. Adjacent columns in the file are written together. */
static int put_row(struct fathom_value_block *block, struct fathom_cube_output *output, uint32_t metric, uint32_t cnode)
{
	const struct fathom_cube_layout *columns = &block->layout->columns;
	const struct fathom_cube_metric_layout *column = &columns->metrics[metric];
	const char *row = encode(block, block->layout->values[metric], column->dtype, cnode);
	int err = 0;

	for (uint32_t i = 0; i < block->part_count && !err;) {
		const struct fathom_process_columns *first = &block->parts[i];
		uint32_t count = 0;

		for (; i < block->part_count && block->parts[i].column == first->column + count; i++)
			count += block->parts[i].count;
		err = fathom_cube_layout_put(columns, output, metric, cnode, first->column, count,
					      row + (size_t)first->place * column->value_bytes);
	}
	return err;
}

int fathom_value_block_put(struct fathom_value_block *block, struct fathom_cube_output *output)
{
	const struct fathom_cube_layout *columns = &block->layout->columns;
	int err = 0;

	for (uint32_t m = 0; m < columns->metric_count; m++)
		for (uint32_t cnode = block->first; cnode < block->end && !err; cnode++)
			if (fathom_cube_layout_present(columns, m, cnode))
				err = put_row(block, output, m, cnode);
	return err;
}
