#include "cube/reader/value_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cube/reader/container.h"
#include "cube/dtype.h"
#include "cube/reader/error_line.h"
#include "platform/arena.h"

#define INDEX_MAGIC "CUBEX.INDEX"
#define PLAIN_MAGIC "CUBEX.DATA"
#define PACKED_MAGIC "ZCUBEX.DATA"
#define INDEX_HEAD_BYTES 18	/* from the begin to the format */
#define INDEX_LIST_BYTES 22	/* from the begin to the first row number */
#define SPARSE 1
#define DENSE 3
#define TABLE_ENTRY_BYTES 24

struct loader {			/* the arguments that the steps of a load share */
	struct fathom_cube_value_rows *stored;
	struct fathom_cube_container *container;
	const struct fathom_cube *cube;
	const struct fathom_cube_metric *metric;
	struct fathom_arena *arena;
	struct fathom_cube_error *error;
	char index_name[32];
	char data_name[32];
	bool big_endian;
};

static uint64_t number(const unsigned char *bytes, size_t count, bool big_endian)
{
	uint64_t result = 0;

	for (size_t i = 0; i < count; i++)
		result = result << 8 | bytes[big_endian ? i : count - 1 - i];
	return result;
}

static bool host_is_big_endian(void)
{
	const uint16_t one = 1;

	return *(const unsigned char *)&one == 0;
}

/* Sets an error that names the damaged member: "path: 3.index (metric time): cause". */
#define DAMAGED(loader, name, format, ...) \
	fathom_cube_error_set((loader)->error, -EILSEQ, (loader)->container->path, "%s (metric %s): " format, name, \
			      (loader)->metric->uniq_name, __VA_ARGS__)

/* Reads the row numbers of a sparse index. They must ascend. */
static int load_list(struct loader *loader, const struct fathom_cube_member *index, uint32_t count)
{
	int64_t before = -1;

	for (uint32_t i = 0; i < count; i++) {
		unsigned char bytes[4];
		uint32_t row;
		int err = fathom_cube_container_read(loader->container, index->place + INDEX_LIST_BYTES + i * 4ULL,
						     bytes, sizeof(bytes), loader->error);

		if (err)
			return err;
		row = (uint32_t)number(bytes, sizeof(bytes), loader->big_endian);
		if (row >= loader->cube->cnode_count)
			return DAMAGED(loader, loader->index_name, "entry %u is row %u, but there are only %u", i, row,
				       loader->cube->cnode_count);
		if (row <= before)
			return DAMAGED(loader, loader->index_name, "row numbers do not ascend at entry %u", i);
		fathom_cube_rowset_add(&loader->stored->rows, row);
		before = row;
	}
	return 0;
}

static int load_sparse(struct loader *loader, const struct fathom_cube_member *index)
{
	unsigned char bytes[4];
	uint32_t count;
	int err;

	if (index->size == INDEX_HEAD_BYTES)
		return 0;	/* one known writer stores an index without contents for a metric without rows */
	if (index->size < INDEX_LIST_BYTES)
		return DAMAGED(loader, loader->index_name, "only %llu bytes long", (unsigned long long)index->size);
	err = fathom_cube_container_read(loader->container, index->place + INDEX_HEAD_BYTES, bytes, sizeof(bytes),
					 loader->error);
	if (err)
		return err;
	count = (uint32_t)number(bytes, sizeof(bytes), loader->big_endian);
	if (index->size != INDEX_LIST_BYTES + count * 4ULL)
		return DAMAGED(loader, loader->index_name, "%llu bytes long, but %u rows need %llu",
			       (unsigned long long)index->size, count, INDEX_LIST_BYTES + count * 4ULL);
	return load_list(loader, index, count);
}

static int load_index(struct loader *loader, const struct fathom_cube_member *index)
{
	unsigned char head[INDEX_HEAD_BYTES];
	int err;

	if (index->size < sizeof(head))
		return DAMAGED(loader, loader->index_name, "only %llu bytes long", (unsigned long long)index->size);
	err = fathom_cube_container_read(loader->container, index->place, head, sizeof(head), loader->error);
	if (err)
		return err;
	if (memcmp(head, INDEX_MAGIC, 11))
		return DAMAGED(loader, loader->index_name, "does not begin with %s", INDEX_MAGIC);
	loader->big_endian = head[11] == 0;
	if (number(head + 11, 4, loader->big_endian) != 1)
		return DAMAGED(loader, loader->index_name, "byte order mark is %s", "not 1 in either order");
	if (number(head + 15, 2, loader->big_endian) != 0)
		return DAMAGED(loader, loader->index_name, "version %u is not known; only 0 is",
			       (unsigned)number(head + 15, 2, loader->big_endian));
	loader->stored->swapped = loader->big_endian != host_is_big_endian();

	if (head[17] == SPARSE)
		return load_sparse(loader, index);
	if (head[17] != DENSE)
		return DAMAGED(loader, loader->index_name, "format %u is not known; 1 and 3 are", head[17]);
	if (index->size != INDEX_HEAD_BYTES)
		return DAMAGED(loader, loader->index_name, "%llu bytes long instead of %d",
			       (unsigned long long)index->size, INDEX_HEAD_BYTES);
	for (uint32_t i = 0; i < loader->cube->cnode_count; i++)
		fathom_cube_rowset_add(&loader->stored->rows, i);
	return 0;
}

/* Reads the table of blocks of compressed data. There is one block for each row, in the order of the rows. */
static int load_blocks(struct loader *loader, const struct fathom_cube_member *data)
{
	struct fathom_cube_value_rows *stored = loader->stored;
	uint32_t count = stored->rows.count;
	uint64_t head = sizeof(PACKED_MAGIC) - 1 + 8 + count * (uint64_t)TABLE_ENTRY_BYTES;
	unsigned char bytes[TABLE_ENTRY_BYTES];
	uint64_t room;
	int err;

	if (data->size < head)
		return DAMAGED(loader, loader->data_name, "ends at byte %llu, inside the table of %u blocks",
			       (unsigned long long)data->size, count);
	room = data->size - head;
	err = fathom_cube_container_read(loader->container, data->place + 11, bytes, 8, loader->error);
	if (err)
		return err;
	if (number(bytes, 8, loader->big_endian) != count)
		return DAMAGED(loader, loader->data_name, "has %llu blocks for %u rows",
			       (unsigned long long)number(bytes, 8, loader->big_endian), count);
	stored->blocks = fathom_arena_alloc(loader->arena, count * 2 * sizeof(*stored->blocks));
	if (!stored->blocks)
		return fathom_cube_error_set(loader->error, -ENOMEM, loader->container->path, "out of memory");
	for (uint32_t i = 0; i < count; i++) {
		uint64_t *block = &stored->blocks[2 * i];

		err = fathom_cube_container_read(loader->container,
						 data->place + 19 + i * (uint64_t)TABLE_ENTRY_BYTES, bytes,
						 sizeof(bytes), loader->error);
		if (err)
			return err;
		block[0] = number(bytes + 8, 8, loader->big_endian);
		block[1] = number(bytes + 16, 8, loader->big_endian);
		if (number(bytes, 8, loader->big_endian) != i * stored->row_bytes)
			return DAMAGED(loader, loader->data_name, "block %u is not that of its row", i);
		if (block[0] > room || block[1] > room - block[0])
			return DAMAGED(loader, loader->data_name, "block %u ends outside of the member", i);
	}
	stored->values = data->place + head;
	return 0;
}

static int load_data(struct loader *loader, const struct fathom_cube_member *data)
{
	struct fathom_cube_value_rows *stored = loader->stored;
	unsigned char magic[11] = { 0 };
	uint64_t needed;
	int err;

	if (data->size < sizeof(PLAIN_MAGIC) - 1)
		return DAMAGED(loader, loader->data_name, "only %llu bytes long", (unsigned long long)data->size);
	err = fathom_cube_container_read(loader->container, data->place, magic, data->size < 11 ? 10 : 11,
					 loader->error);
	if (err)
		return err;
	if (memcmp(magic, PACKED_MAGIC, 11) == 0)
		return load_blocks(loader, data);
	if (memcmp(magic, PLAIN_MAGIC, 10))
		return DAMAGED(loader, loader->data_name, "begins with neither %s nor %s", PLAIN_MAGIC, PACKED_MAGIC);
	if (__builtin_mul_overflow(stored->row_bytes, stored->rows.count, &needed) || needed > INT64_MAX)
		return DAMAGED(loader, loader->data_name, "%u rows of %llu bytes are more than a file can hold",
			       stored->rows.count, (unsigned long long)stored->row_bytes);
	if (data->size - 10 != needed)
		return DAMAGED(loader, loader->data_name, "data end at byte %llu, but %u rows end at %llu",
			       (unsigned long long)data->size, stored->rows.count, (unsigned long long)needed + 10);
	stored->values = data->place + 10;
	return 0;
}

static int load_members(struct loader *loader)
{
	const struct fathom_cube_metric *metric = loader->metric;
	const char *prefix = metric->ghost ? "ghost_" : "";
	const struct fathom_cube_member *index;
	const struct fathom_cube_member *data;
	int err = 0;

	snprintf(loader->index_name, sizeof(loader->index_name), "%s%u.index", prefix, metric->file_id);
	snprintf(loader->data_name, sizeof(loader->data_name), "%s%u.data", prefix, metric->file_id);
	index = fathom_cube_container_find(loader->container, loader->index_name);
	data = fathom_cube_container_find(loader->container, loader->data_name);
	if (!index || !data || metric->type == FATHOM_CUBE_DERIVED || metric->is_void)
		return 0;
	if (!loader->stored->row_bytes)
		return 0;	/* the type is unknown: a caller that reads the metric gets an error */
	err = load_index(loader, index);
	if (!err) {
		fathom_cube_rowset_seal(&loader->stored->rows);
		err = load_data(loader, data);
	}
	return err;
}

int fathom_cube_value_rows_load(struct fathom_cube_value_rows *stored, struct fathom_cube_container *container,
			    const struct fathom_cube *cube, uint32_t metric, struct fathom_arena *arena,
			    struct fathom_cube_error *error)
{
	struct fathom_cube_error line;
	struct loader loader = {
		.stored = stored, .container = container, .cube = cube, .metric = &cube->metrics[metric],
		.arena = arena, .error = &line,
	};
	int err;

	if (stored->damage)
		return fathom_cube_error_set(error, -EILSEQ, container->path, "%s", stored->damage);
	if (stored->loaded)
		return 0;
	if (!stored->rows.bits && fathom_cube_rowset_init(&stored->rows, arena, cube->cnode_count))
		return fathom_cube_error_set(error, -ENOMEM, container->path, "out of memory");
	stored->row_bytes = (uint64_t)fathom_cube_value_bytes(loader.metric) * cube->location_count;
	err = load_members(&loader);
	stored->loaded = !err;
	if (!err)
		return 0;
	if (error)
		*error = line;
	if (err == -EILSEQ) {
		/* The error is kept and returned again, because another attempt would allocate memory again. */
		const char *what = strstr(line.text, loader.index_name);

		if (!what)
			what = strstr(line.text, loader.data_name);
		stored->damage = fathom_arena_copy(arena, what ? what : line.text, strlen(what ? what : line.text));
	}
	return err;
}

static void swap_bytes(unsigned char *bytes, size_t width)
{
	for (size_t i = 0; i < width / 2; i++) {
		unsigned char byte = bytes[i];

		bytes[i] = bytes[width - 1 - i];
		bytes[width - 1 - i] = byte;
	}
}

/* Changes the byte order of a row. A value consists of numbers of one width, except a tuple, whose count has 32
 * bits. */
static void swap_row(unsigned char *bytes, uint64_t row_bytes, const struct fathom_cube_metric *metric)
{
	uint32_t value_bytes = fathom_cube_value_bytes(metric);
	size_t width = value_bytes < 8 ? value_bytes : 8;

	for (uint64_t value = 0; value < row_bytes; value += value_bytes) {
		size_t first = 0;

		if (metric->dtype == FATHOM_CUBE_TUPLE) {
			swap_bytes(bytes + value, 4);
			first = 4;
		}
		for (; first < value_bytes; first += width)
			swap_bytes(bytes + value + first, width);
	}
}

static int unpack_row(const struct fathom_cube_value_rows *stored, struct fathom_cube_container *container,
		      const struct fathom_cube_metric *metric, uint32_t place, void *bytes,
		      struct fathom_cube_error *error)
{
	const uint64_t *block = &stored->blocks[2 * place];
	uLongf unpacked = stored->row_bytes;
	unsigned char *packed;
	int result;
	int err;

	/* No valid block is longer, so the reader does not read a block that claims to be. */
	if (block[1] > compressBound(stored->row_bytes) + 1024)
		return fathom_cube_error_set(error, -EILSEQ, container->path, "metric %s: block %u is too long",
					     metric->uniq_name, place);
	packed = malloc(block[1] + 1);
	if (!packed)
		return fathom_cube_error_set(error, -ENOMEM, container->path, "out of memory");
	err = fathom_cube_container_read(container, stored->values + block[0], packed, block[1], error);
	if (err)
		goto free_packed;
	result = uncompress(bytes, &unpacked, packed, block[1]);
	if (result != Z_OK || unpacked != stored->row_bytes)
		err = fathom_cube_error_set(error, result == Z_MEM_ERROR ? -ENOMEM : -EILSEQ, container->path,
					    "metric %s: block %u does not unpack to a row of %llu bytes",
					    metric->uniq_name, place, (unsigned long long)stored->row_bytes);
free_packed:
	free(packed);
	return err;
}

int fathom_cube_value_rows_read(const struct fathom_cube_value_rows *stored, struct fathom_cube_container *container,
			    const struct fathom_cube_metric *metric, uint32_t row, void *bytes,
			    struct fathom_cube_error *error)
{
	uint32_t place = fathom_cube_rowset_place(&stored->rows, row);
	int err;

	if (stored->blocks)
		err = unpack_row(stored, container, metric, place, bytes, error);
	else
		err = fathom_cube_container_read(container, stored->values + place * stored->row_bytes, bytes,
						 stored->row_bytes, error);
	if (!err && stored->swapped)
		swap_row(bytes, stored->row_bytes, metric);
	return err;
}

int fathom_cube_value_rows_read_part(const struct fathom_cube_value_rows *stored,
				     struct fathom_cube_container *container,
				 const struct fathom_cube_metric *metric, uint32_t row, uint32_t first, uint32_t count,
				 void *bytes, struct fathom_cube_error *error)
{
	uint64_t width = fathom_cube_value_bytes(metric);
	uint64_t place = stored->values + fathom_cube_rowset_place(&stored->rows, row) * stored->row_bytes;
	int err = fathom_cube_container_read(container, place + first * width, bytes, count * width, error);

	if (!err && stored->swapped)
		swap_row(bytes, count * width, metric);
	return err;
}
