/*
 * pprof: the call paths as samples of pprof's profile.proto, compressed with gzip.
 *
 * Each call path with a value is a sample, whose values are its visits and the own value of the metric. Regions are
 * functions with one location each.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/common/command.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"
#include "tools/export/protobuf.h"

/* The numbers of fields in profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6, PROFILE_DURATION_NANOS = 10, PROFILE_COMMENT = 13, PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2,
	LOCATION_ID = 1, LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1, LINE_LINE = 2,
	FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILENAME = 4, FUNCTION_START_LINE = 5,
};

enum { OUTPUT_BYTES = 1 << 16, WINDOW_BITS_GZIP = 15 + 16, MEMORY_LEVEL = 8 };

struct writer {
	FILE *out;
	z_stream stream;
	unsigned char output[OUTPUT_BYTES];
	struct fathom_protobuf record, part, field;
	uint64_t string_count;
};

/* Compresses bytes; flush is Z_FINISH at the end. */
static void compress_bytes(struct writer *writer, const void *data, size_t bytes, int flush)
{
	writer->stream.next_in = (unsigned char *)data;
	writer->stream.avail_in = (unsigned)bytes;
	do {
		writer->stream.next_out = writer->output;
		writer->stream.avail_out = OUTPUT_BYTES;
		deflate(&writer->stream, flush);
		fwrite(writer->output, 1, OUTPUT_BYTES - writer->stream.avail_out, writer->out);
	} while (writer->stream.avail_out == 0);
}

/* Writes the message in part as a field of the profile. */
static void put_part(struct writer *writer, unsigned field)
{
	fathom_protobuf_clear(&writer->record);
	fathom_protobuf_add_bytes(&writer->record, field, writer->part.data, writer->part.bytes);
	compress_bytes(writer, writer->record.data, writer->record.bytes, Z_NO_FLUSH);
	fathom_protobuf_clear(&writer->part);
}

static void put_number(struct writer *writer, unsigned field, uint64_t number)
{
	fathom_protobuf_clear(&writer->record);
	fathom_protobuf_add_number(&writer->record, field, number);
	compress_bytes(writer, writer->record.data, writer->record.bytes, Z_NO_FLUSH);
}

/* Writes a string and returns its index. Strings are UTF-8 in protobuf; other bytes become '?'. */
static uint64_t put_string(struct writer *writer, const char *text)
{
	size_t bytes = strlen(text);
	char *valid = fathom_tool_alloc(bytes + 1, 1);

	for (size_t i = 0; i < bytes;) {
		unsigned char first = (unsigned char)text[i];
		size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ?
				3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
		size_t k = 1;

		while (k < length && ((unsigned char)text[i + k] & 0xc0) == 0x80)
			k++;
		if (length == 3 && k == 3)	/* overlong forms and surrogates */
			k = first == 0xe0 && (unsigned char)text[i + 1] < 0xa0 ? 0 :
			    first == 0xed && (unsigned char)text[i + 1] >= 0xa0 ? 0 : 3;
		if (length == 4 && k == 4)	/* overlong forms, and numbers that are too large */
			k = first == 0xf0 && (unsigned char)text[i + 1] < 0x90 ? 0 :
			    first == 0xf4 && (unsigned char)text[i + 1] >= 0x90 ? 0 : 4;
		if (length == 0 || k < length) {
			valid[i++] = '?';
			continue;
		}
		memcpy(valid + i, text + i, length);
		i += length;
	}
	fathom_protobuf_clear(&writer->record);
	fathom_protobuf_add_bytes(&writer->record, PROFILE_STRING_TABLE, valid, bytes);
	compress_bytes(writer, writer->record.data, writer->record.bytes, Z_NO_FLUSH);
	free(valid);
	return writer->string_count++;
}

static void put_sample_type(struct writer *writer, const char *type, const char *unit)
{
	uint64_t type_index = put_string(writer, type), unit_index = put_string(writer, unit);

	fathom_protobuf_add_number(&writer->part, VALUE_TYPE_TYPE, type_index);
	fathom_protobuf_add_number(&writer->part, VALUE_TYPE_UNIT, unit_index);
	put_part(writer, PROFILE_SAMPLE_TYPE);
}

/* Writes a region as a function, and as a location in it. Both have the number of the region, plus 1. */
static void put_region(struct writer *writer, const struct fathom_cube_region *region, uint64_t id)
{
	uint64_t name = put_string(writer, *region->name ? region->name : "?");
	uint64_t mangled = *region->mangled ? put_string(writer, region->mangled) : name;
	uint64_t file = *region->file ? put_string(writer, region->file) : 0;

	fathom_protobuf_add_number(&writer->part, FUNCTION_ID, id);
	fathom_protobuf_add_number(&writer->part, FUNCTION_NAME, name);
	fathom_protobuf_add_number(&writer->part, FUNCTION_SYSTEM_NAME, mangled);
	fathom_protobuf_add_number(&writer->part, FUNCTION_FILENAME, file);
	fathom_protobuf_add_number(&writer->part, FUNCTION_START_LINE, fathom_export_line(region));
	put_part(writer, PROFILE_FUNCTION);
	fathom_protobuf_clear(&writer->field);
	fathom_protobuf_add_number(&writer->field, LINE_FUNCTION_ID, id);
	fathom_protobuf_add_number(&writer->field, LINE_LINE, fathom_export_line(region));
	fathom_protobuf_add_number(&writer->part, LOCATION_ID, id);
	fathom_protobuf_add_bytes(&writer->part, LOCATION_LINE, writer->field.data, writer->field.bytes);
	put_part(writer, PROFILE_LOCATION);
}

static void put_samples(struct writer *writer, const struct fathom_export_profile *source, bool has_visits)
{
	const struct fathom_cube *cube = source->profile->cube;
	uint64_t *stack = fathom_tool_alloc(cube->cnode_count, sizeof(uint64_t));

	for (uint32_t c = 0; c < cube->cnode_count && !ferror(writer->out); c++) {
		uint64_t values[2] = { has_visits ? (uint64_t)source->visits[c] : 0, 0 };
		size_t depth = 0;

		values[has_visits] = (uint64_t)source->own[c];
		if (!values[0] && !values[1])
			continue;
		for (int64_t at = c; at >= 0; at = cube->cnodes[at].parent)
			stack[depth++] = (uint64_t)cube->cnodes[at].region + 1;
		fathom_protobuf_add_numbers(&writer->part, SAMPLE_LOCATION_ID, stack, depth);
		fathom_protobuf_add_numbers(&writer->part, SAMPLE_VALUE, values, has_visits ? 2 : 1);
		put_part(writer, PROFILE_SAMPLE);
	}
	free(stack);
}

static void put_profile(struct writer *writer, const struct fathom_export_profile *source)
{
	const struct fathom_cube *cube = source->profile->cube;
	const char *wall_time = fathom_cube_attribute(cube, "fathom::wall_time");
	bool has_visits = source->visits && strcmp(source->metric->uniq_name, "visits") != 0;
	uint64_t metric_name;
	double seconds = wall_time ? strtod(wall_time, NULL) : 0;

	put_string(writer, "");		/* the format demands that the first string is empty */
	if (has_visits)
		put_sample_type(writer, "visits", "count");
	metric_name = writer->string_count;
	put_sample_type(writer, source->metric->uniq_name, source->unit);
	put_number(writer, PROFILE_DEFAULT_SAMPLE_TYPE, metric_name);
	if (seconds > 0 && seconds < 9e9)
		put_number(writer, PROFILE_DURATION_NANOS, (uint64_t)(seconds * 1e9));
	if (*fathom_export_program(cube))
		put_number(writer, PROFILE_COMMENT, put_string(writer, fathom_export_program(cube)));
	for (uint32_t r = 0; r < cube->region_count; r++)
		put_region(writer, &cube->regions[r], (uint64_t)r + 1);
	put_samples(writer, source, has_visits);
}

int fathom_export_pprof(struct fathom_export_profile *source, FILE *out)
{
	struct writer *writer = fathom_tool_alloc(1, sizeof(*writer));

	writer->out = out;
	if (deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS_GZIP, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		fathom_tool_out_of_memory(sizeof(*writer));
	put_profile(writer, source);
	compress_bytes(writer, "", 0, Z_FINISH);
	deflateEnd(&writer->stream);
	fathom_protobuf_fini(&writer->record);
	fathom_protobuf_fini(&writer->part);
	fathom_protobuf_fini(&writer->field);
	free(writer);
	return 0;
}
