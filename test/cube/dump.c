/*
 * dump: what the reader sees in a profile, for tests to compare.
 *
 *	dump FILE				metric;cnode id;location;value of every stored row
 *	dump stored|incl|excl FILE METRIC	cnode id;location;value of every call path
 *
 * Exit 1 and the reader's line on standard error if the file cannot be read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/dtype.h"
#include "cube/reader/reader.h"

static struct fathom_cube_error error;

static int fail(void)
{
	fprintf(stderr, "%s\n", error.text);
	return 1;
}

static void *room(size_t count, size_t bytes)
{
	void *memory = calloc(count + 1, bytes);

	if (!memory)
		abort();
	return memory;
}

static const char *print_number(enum fathom_cube_dtype dtype, const char *bytes)
{
	uint64_t u64 = 0;
	int64_t i64 = 0;
	uint32_t u32;
	int32_t i32;
	uint16_t u16;
	int16_t i16;
	double number;

	switch (dtype) {
	case FATHOM_CUBE_UINT64:
		memcpy(&u64, bytes, 8);
		break;
	case FATHOM_CUBE_UINT32:
		memcpy(&u32, bytes, 4);
		u64 = u32;
		break;
	case FATHOM_CUBE_UINT16:
		memcpy(&u16, bytes, 2);
		u64 = u16;
		break;
	case FATHOM_CUBE_UINT8:
		u64 = *(const uint8_t *)bytes;
		break;
	case FATHOM_CUBE_INT64:
		memcpy(&i64, bytes, 8);
		break;
	case FATHOM_CUBE_INT32:
		memcpy(&i32, bytes, 4);
		i64 = i32;
		break;
	case FATHOM_CUBE_INT16:
		memcpy(&i16, bytes, 2);
		i64 = i16;
		break;
	case FATHOM_CUBE_INT8:
		i64 = *(const int8_t *)bytes;
		break;
	default:
		memcpy(&number, bytes, 8);
		printf("%.17g", number);
		return bytes + 8;
	}
	if (i64)
		printf("%" PRId64, i64);
	else
		printf("%" PRIu64, u64);
	return NULL;	/* these never stand in a row of several */
}

static void print_value(const struct fathom_cube_metric *metric, const char *bytes)
{
	const char *end = bytes + fathom_cube_value_bytes(metric);
	uint32_t count;

	if (metric->dtype < FATHOM_CUBE_TUPLE) {
		print_number(metric->dtype, bytes);
		return;
	}
	printf("(");
	if (metric->dtype == FATHOM_CUBE_TUPLE) {
		memcpy(&count, bytes, 4);
		printf("%u,", count);
		bytes += 4;
	}
	while (bytes < end) {
		bytes = print_number(FATHOM_CUBE_DOUBLE, bytes);
		printf(bytes < end ? "," : ")");
	}
}

static int dump_stored(struct fathom_cube_reader *reader)
{
	const struct fathom_cube *cube = fathom_cube_reader_cube(reader);
	int err = 0;

	for (uint32_t m = 0; m < cube->metric_count; m++) {
		const struct fathom_cube_metric *metric = &cube->metrics[m];
		uint32_t bytes = fathom_cube_value_bytes(metric);
		char *row = room(cube->location_count, bytes);

		if (metric->type == FATHOM_CUBE_DERIVED) {
			free(row);
			continue;
		}
		for (uint32_t c = 0; c < cube->cnode_count && !err; c++) {
			err = fathom_cube_reader_raw_row(reader, m, c, row, &error);
			if (err || !fathom_cube_reader_present(reader, m, c))
				continue;
			for (uint32_t l = 0; l < cube->location_count; l++) {
				printf("%s;%u;%u;", metric->uniq_name, cube->cnodes[c].file_id, l);
				print_value(metric, row + (size_t)l * bytes);
				printf("\n");
			}
		}
		free(row);
	}
	return err;
}

static int dump_metric(struct fathom_cube_reader *reader, const char *mode, const char *name)
{
	const struct fathom_cube *cube = fathom_cube_reader_cube(reader);
	int32_t metric = fathom_cube_metric_by_name(cube, name);
	double *row = room(cube->location_count, sizeof(*row));
	double *columns = room((size_t)cube->location_count * cube->cnode_count, sizeof(*columns));
	int err = 0;

	for (uint32_t c = 0; c < cube->cnode_count && !err; c++) {
		err = fathom_cube_reader_row(reader, (uint32_t)metric, c, row, &error);
		for (uint32_t l = 0; l < cube->location_count; l++)
			columns[(size_t)l * cube->cnode_count + c] = row[l];
	}
	for (uint32_t l = 0; l < cube->location_count && !err; l++) {
		double *column = columns + (size_t)l * cube->cnode_count;

		if (strcmp(mode, "incl") == 0)
			fathom_cube_make_inclusive(cube, (uint32_t)metric, column);
		else if (strcmp(mode, "excl") == 0)
			fathom_cube_make_exclusive(cube, (uint32_t)metric, column);
		for (uint32_t c = 0; c < cube->cnode_count; c++)
			printf("%u;%u;%.17g\n", cube->cnodes[c].file_id, l, column[c]);
	}
	free(columns);
	free(row);
	return err;
}

int main(int argc, char **argv)
{
	struct fathom_cube_reader *reader;
	int err;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: dump FILE | dump stored|incl|excl FILE METRIC\n");
		return 2;
	}
	if (fathom_cube_reader_open(&reader, argv[argc == 2 ? 1 : 2], &error))
		return fail();
	err = argc == 2 ? dump_stored(reader) : dump_metric(reader, argv[1], argv[3]);
	fathom_cube_reader_close(reader);
	return err ? fail() : 0;
}
