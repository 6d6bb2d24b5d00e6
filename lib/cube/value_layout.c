#include "cube/value_layout.h"

#include <errno.h>
#include <float.h>
#include <string.h>

#include "cube/writer/output.h"
#include "platform/arena.h"

bool fathom_cube_never_is_zero(const struct fathom_cube_metric *metric)
{
	return metric->dtype == FATHOM_CUBE_MAXDOUBLE && strcmp(metric->uniq_name, "max_time") == 0;
}

uint32_t fathom_cube_layout_row(const struct fathom_cube_layout *columns,
				const struct fathom_cube_metric_layout *metric,
				 uint32_t cnode)
{
	return metric->inclusive ? columns->wide[cnode] : cnode;
}

bool fathom_cube_layout_present(const struct fathom_cube_layout *columns, uint32_t metric, uint32_t cnode)
{
	const struct fathom_cube_metric_layout *column = &columns->metrics[metric];

	return fathom_cube_rowset_has(&column->rows, fathom_cube_layout_row(columns, column, cnode));
}

/* Converts values of one or two bytes to values of 32 bits. */
static void widen(enum fathom_cube_dtype dtype, const void *values, uint32_t first, uint32_t count, uint32_t *wide)
{
	for (uint32_t i = 0; i < count; i++) {
		if (dtype == FATHOM_CUBE_UINT8)
			wide[i] = ((const uint8_t *)values)[first + i];
		else if (dtype == FATHOM_CUBE_INT8)
			wide[i] = (uint32_t)((const int8_t *)values)[first + i];
		else if (dtype == FATHOM_CUBE_UINT16)
			wide[i] = ((const uint16_t *)values)[first + i];
		else
			wide[i] = (uint32_t)((const int16_t *)values)[first + i];
	}
}

/* Writes maxima. A maximum that was never taken is written as 0. */
static void put_maxima(struct fathom_cube_output *output, uint32_t count, const void *values)
{
	enum { AT_ONCE = 256 };

	for (uint32_t done = 0; done < count;) {
		double maxima[AT_ONCE];
		uint32_t now = count - done < AT_ONCE ? count - done : AT_ONCE;

		memcpy(maxima, (const char *)values + done * sizeof(*maxima), now * sizeof(*maxima));
		for (uint32_t i = 0; i < now; i++)
			maxima[i] = maxima[i] == -DBL_MAX ? 0 : maxima[i];
		fathom_cube_output_bytes(output, maxima, now * sizeof(*maxima));
		done += now;
	}
}

int fathom_cube_layout_put(const struct fathom_cube_layout *columns, struct fathom_cube_output *output,
			    uint32_t metric, uint32_t cnode, uint32_t first, uint32_t count, const void *values)
{
	const struct fathom_cube_metric_layout *column;
	uint64_t cell;
	uint32_t row;

	if (metric >= columns->metric_count || cnode >= columns->cnode_count || first > columns->location_count ||
	    count > columns->location_count - first)
		return -EINVAL;
	column = &columns->metrics[metric];
	row = fathom_cube_layout_row(columns, column, cnode);
	if (!fathom_cube_rowset_has(&column->rows, row))
		return -EINVAL;

	cell = (uint64_t)fathom_cube_rowset_place(&column->rows, row) * columns->location_count + first;
	fathom_cube_output_seek(output, column->values + cell * column->stored_bytes);
	if (column->never_is_zero) {
		put_maxima(output, count, values);
		return output->err;
	}
	if (column->stored_bytes == column->value_bytes) {
		fathom_cube_output_bytes(output, values, (size_t)count * column->value_bytes);
		return output->err;
	}
	for (uint32_t done = 0; done < count;) {
		uint32_t wide[256];
		uint32_t now = count - done < 256 ? count - done : 256;

		widen(column->dtype, values, done, now, wide);
		fathom_cube_output_bytes(output, wide, now * sizeof(*wide));
		done += now;
	}
	return output->err;
}

/* --- to other processes ------------------------------------------------------------------------ */

/* Packed columns consist of this head, one record below for each metric, and the bits of the metrics' rows. */
struct packed_head {
	uint32_t metric_count, cnode_count, location_count, pad;
};

struct packed_metric {
	uint64_t values;
	uint32_t value_bytes, stored_bytes;
	uint32_t dtype, never_is_zero;
};

static size_t row_bytes(uint32_t cnodes)
{
	return ((size_t)cnodes + 63) / 64 * sizeof(uint64_t);
}

size_t fathom_cube_layout_packed_bytes(const struct fathom_cube_layout *columns)
{
	return sizeof(struct packed_head) +
	       columns->metric_count * (sizeof(struct packed_metric) + row_bytes(columns->cnode_count));
}

void fathom_cube_layout_pack(const struct fathom_cube_layout *columns, char *packed)
{
	const struct packed_head head = { columns->metric_count, columns->cnode_count, columns->location_count, 0 };

	memcpy(packed, &head, sizeof(head));
	packed += sizeof(head);
	for (uint32_t m = 0; m < columns->metric_count; m++) {
		const struct fathom_cube_metric_layout *column = &columns->metrics[m];
		const struct packed_metric metric = {
			column->values, column->value_bytes, column->stored_bytes, column->dtype,
			column->never_is_zero,
		};

		memcpy(packed, &metric, sizeof(metric));
		packed += sizeof(metric);
		memcpy(packed, column->rows.bits, row_bytes(columns->cnode_count));
		packed += row_bytes(columns->cnode_count);
	}
}

static int unpack_metric(struct fathom_cube_metric_layout *column, struct fathom_arena *arena, const char *packed,
			 uint32_t cnodes)
{
	struct packed_metric metric;

	memcpy(&metric, packed, sizeof(metric));
	column->values = metric.values;
	column->value_bytes = metric.value_bytes;
	column->stored_bytes = metric.stored_bytes;
	column->dtype = (enum fathom_cube_dtype)metric.dtype;
	column->never_is_zero = metric.never_is_zero;
	if (fathom_cube_rowset_init(&column->rows, arena, cnodes))
		return -ENOMEM;
	memcpy(column->rows.bits, packed + sizeof(metric), row_bytes(cnodes));
	fathom_cube_rowset_seal(&column->rows);
	return 0;
}

int fathom_cube_layout_unpack(struct fathom_cube_layout *columns, struct fathom_arena *arena, const char *packed,
			       size_t bytes)
{
	struct packed_head head;
	int err = 0;

	if (bytes < sizeof(head))
		return -EPROTO;
	memcpy(&head, packed, sizeof(head));
	memset(columns, 0, sizeof(*columns));
	columns->metric_count = head.metric_count;
	columns->cnode_count = head.cnode_count;
	columns->location_count = head.location_count;
	if (bytes != fathom_cube_layout_packed_bytes(columns))
		return -EPROTO;
	columns->metrics = fathom_arena_alloc(arena, head.metric_count * sizeof(*columns->metrics));
	if (!columns->metrics)
		return -ENOMEM;
	packed += sizeof(head);
	for (uint32_t m = 0; m < head.metric_count && !err; m++) {
		err = unpack_metric(&columns->metrics[m], arena, packed, head.cnode_count);
		packed += sizeof(struct packed_metric) + row_bytes(head.cnode_count);
	}
	return err;
}
