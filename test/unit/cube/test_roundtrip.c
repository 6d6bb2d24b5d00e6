/* What the writer was given, the reader gives back. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cube/dtype.h"
#include "cube/reader/reader.h"
#include "cube/writer/writer.h"
#include "model.h"

static void assert_name(const char *read, const char *given, const char *if_none)
{
	assert_string_equal(read, given && *given ? model_read_as(given) : if_none);
}

/* The types may have become wider, see writer.c; then kind and sign are the same. */
static void assert_dtype(enum fathom_cube_dtype read, enum fathom_cube_dtype given)
{
	bool was_signed = given == FATHOM_CUBE_INT8 || given == FATHOM_CUBE_INT16;

	if (read != given) {
		assert_true(fathom_cube_dtype_bytes(given, 0) < 4);
		assert_int_equal(read, was_signed ? FATHOM_CUBE_INT32 : FATHOM_CUBE_UINT32);
	}
}

static void compare_metrics_and_attributes(const struct fathom_cube *read, const struct fathom_cube *given)
{
	assert_int_equal(read->metric_count, given->metric_count);
	for (uint32_t i = 0; i < given->metric_count; i++) {
		assert_string_equal(read->metrics[i].uniq_name, given->metrics[i].uniq_name);
		assert_name(read->metrics[i].disp_name, given->metrics[i].disp_name, given->metrics[i].uniq_name);
		assert_name(read->metrics[i].unit, given->metrics[i].unit, "");
		assert_name(read->metrics[i].description, given->metrics[i].description, "");
		assert_name(read->metrics[i].url, given->metrics[i].url, "");
		assert_int_equal(read->metrics[i].parent, given->metrics[i].parent);
		assert_int_equal(read->metrics[i].type, given->metrics[i].type);
		assert_dtype(read->metrics[i].dtype, given->metrics[i].dtype);
		assert_int_equal(read->metrics[i].ghost, given->metrics[i].ghost);
		assert_int_equal(read->metrics[i].file_id, i);
	}
	for (uint32_t i = 0; i < given->attribute_count; i++)
		assert_string_equal(fathom_cube_attribute(read, given->attributes[i].key), given->attributes[i].value);
	assert_string_equal(fathom_cube_attribute(read, "CubePL Version"), "1.1");
	assert_string_equal(fathom_cube_attribute(read, "Cube anchor.xml syntax version"), "4.4");
	assert_null(fathom_cube_attribute(read, "no such key"));
}

static void compare_program(const struct fathom_cube *read, const struct fathom_cube *given)
{
	assert_int_equal(read->region_count, given->region_count);
	for (uint32_t i = 0; i < given->region_count; i++) {
		const struct fathom_cube_region *a = &read->regions[i];
		const struct fathom_cube_region *b = &given->regions[i];

		/* A region of a compiler or of the program computes, where the file says nothing else. */
		assert_int_equal(a->activity, b->activity == FATHOM_ACTIVITY_NONE ? FATHOM_ACTIVITY_COMPUTATION : b->activity);
		assert_string_equal(a->name, model_region_read_as(b->name ? b->name : ""));
		assert_name(a->mangled, b->mangled, model_read_as(b->name));
		assert_name(a->file, b->file, "");
		assert_name(a->paradigm, b->paradigm, "unknown");
		assert_name(a->role, b->role, "unknown");
		assert_name(a->description, b->description, "");
		assert_int_equal(a->begin_line, b->begin_line > 0 ? b->begin_line : -1);
		assert_int_equal(a->end_line, b->end_line > 0 ? b->end_line : -1);
	}
	assert_int_equal(read->cnode_count, given->cnode_count);
	for (uint32_t i = 0; i < given->cnode_count; i++) {
		assert_int_equal(read->cnodes[i].region, given->cnodes[i].region);
		assert_int_equal(read->cnodes[i].parent, given->cnodes[i].parent);
		assert_int_equal(read->cnodes[i].file_id, i);
		assert_int_equal(read->cnodes[i].parameter_count, given->cnodes[i].parameter_count);
		for (uint32_t k = 0; k < given->cnodes[i].parameter_count; k++) {
			const struct fathom_cube_parameter *a = &read->parameters[read->cnodes[i].first_parameter + k];
			const struct fathom_cube_parameter *b = &given->parameters[given->cnodes[i].first_parameter + k];

			assert_name(a->key, b->key, "");
			assert_name(a->value, b->value, "");
			assert_int_equal(a->is_numeric, b->is_numeric);
		}
	}
}

static void compare_system(const struct fathom_cube *read, const struct fathom_cube *given)
{
	assert_int_equal(read->node_count, given->node_count);
	for (uint32_t i = 0; i < given->node_count; i++) {
		assert_name(read->nodes[i].name, given->nodes[i].name, "");
		assert_name(read->nodes[i].class_name, given->nodes[i].class_name, "");
		assert_int_equal(read->nodes[i].parent, given->nodes[i].parent);
	}
	assert_int_equal(read->group_count, given->group_count);
	for (uint32_t i = 0; i < given->group_count; i++) {
		assert_name(read->groups[i].name, given->groups[i].name, "");
		assert_name(read->groups[i].type, given->groups[i].type, "process");
		assert_int_equal(read->groups[i].node, given->groups[i].node);
		assert_int_equal(read->groups[i].rank, given->groups[i].rank);
	}
	assert_int_equal(read->location_count, given->location_count);
	for (uint32_t i = 0; i < given->location_count; i++) {
		assert_name(fathom_cube_location(read, i).name, given->locations[i].name, "");
		assert_name(fathom_cube_location(read, i).type, given->locations[i].type, "thread");
		assert_int_equal(fathom_cube_location(read, i).group, given->locations[i].group);
		assert_int_equal(fathom_cube_location(read, i).rank, given->locations[i].rank);
		if (given->locations[i].threads)
			assert_string_equal(fathom_cube_location(read, i).threads, given->locations[i].threads);
		else
			assert_null(fathom_cube_location(read, i).threads);
	}
}

static double as_double(enum fathom_cube_dtype dtype, const void *value)
{
	union {
		double d;
		uint64_t u64;
		int64_t i64;
		uint32_t u32;
		int32_t i32;
		uint16_t u16;
		int16_t i16;
		uint8_t u8;
		int8_t i8;
	} it;

	if (dtype == FATHOM_CUBE_TUPLE)
		return ((const struct fathom_cube_tuple *)value)->sum;
	memcpy(&it, value, fathom_cube_dtype_bytes(dtype, 0));
	switch (dtype) {
	case FATHOM_CUBE_UINT64:
		return (double)it.u64;
	case FATHOM_CUBE_INT64:
		return (double)it.i64;
	case FATHOM_CUBE_UINT32:
		return it.u32;
	case FATHOM_CUBE_INT32:
		return it.i32;
	case FATHOM_CUBE_UINT16:
		return it.u16;
	case FATHOM_CUBE_INT16:
		return it.i16;
	case FATHOM_CUBE_UINT8:
		return it.u8;
	case FATHOM_CUBE_INT8:
		return it.i8;
	default:
		return it.d;
	}
}

/* What a row that is not in the file reads as. */
static double never(enum fathom_cube_dtype dtype)
{
	return dtype == FATHOM_CUBE_MINDOUBLE ? DBL_MAX : dtype == FATHOM_CUBE_MAXDOUBLE ? -DBL_MAX : 0;
}

static double merged(enum fathom_cube_dtype dtype, double sum, double value)
{
	if (dtype == FATHOM_CUBE_MINDOUBLE)
		return value < sum ? value : sum;
	if (dtype == FATHOM_CUBE_MAXDOUBLE)
		return value > sum ? value : sum;
	return sum + value;
}

static const struct fathom_cube_tuple no_values = { .minimum = DBL_MAX, .maximum = -DBL_MAX };

static void compare_row(struct fathom_cube_reader *reader, struct model *model, uint32_t m, uint32_t c, double *sum)
{
	const struct fathom_cube *cube = &model->cube;
	enum fathom_cube_dtype dtype = cube->metrics[m].dtype;
	const struct fathom_cube_metric *stored = &fathom_cube_reader_cube(reader)->metrics[m];
	uint32_t bytes = fathom_cube_value_bytes(stored);
	bool present = model_present(model, m, c);
	struct fathom_cube_error error;
	double values[64];
	char raw[64 * MODEL_VALUE_BYTES];

	*sum = never(dtype);
	assert_int_equal(fathom_cube_reader_present(reader, m, c), present);
	assert_int_equal(fathom_cube_reader_row(reader, m, c, values, &error), 0);
	assert_int_equal(fathom_cube_reader_raw_row(reader, m, c, raw, &error), 0);
	for (uint32_t l = 0; l < cube->location_count; l++) {
		double expected = never(dtype);
		char value[MODEL_VALUE_BYTES];

		model_value(model, m, c, l, value);
		if (present)
			expected = as_double(dtype, value);
		if (dtype == FATHOM_CUBE_TUPLE)
			assert_memory_equal(raw + (size_t)l * bytes, present ? (void *)value : (void *)&no_values, bytes);
		assert_true(values[l] == expected);
		assert_true(as_double(stored->dtype, raw + (size_t)l * bytes) == expected);
		*sum = merged(dtype, *sum, expected);
	}
}

static void compare(struct model *model, const char *path)
{
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	double sums[256];

	assert_int_equal(fathom_cube_reader_open(&reader, path, &error), 0);
	compare_metrics_and_attributes(fathom_cube_reader_cube(reader), &model->cube);
	compare_program(fathom_cube_reader_cube(reader), &model->cube);
	compare_system(fathom_cube_reader_cube(reader), &model->cube);
	for (uint32_t m = 0; m < model->cube.metric_count; m++) {
		assert_int_equal(fathom_cube_metric_by_name(&model->cube, model->cube.metrics[m].uniq_name), m);
		assert_int_equal(fathom_cube_reader_sums(reader, m, sums, &error), 0);
		for (uint32_t c = 0; c < model->cube.cnode_count; c++) {
			double sum;

			compare_row(reader, model, m, c, &sum);
			assert_true(sums[c] == sum);
		}
	}
	assert_int_equal(fathom_cube_metric_by_name(&model->cube, "no such metric"), -1);
	fathom_cube_reader_close(reader);
}

static void random_profiles_come_back(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct model model;

		model_random(&model, seed);
		assert_int_equal(model_write(&model, "random.cubex"), 0);
		compare(&model, "random.cubex");
		assert_int_equal(unlink("random.cubex"), 0);
		model_free(&model);
	}
}

/* Values are put in pieces, in an order of their own, some twice. */
static void values_may_be_put_in_any_order(void **state)
{
	struct fathom_cube_writer *writer;
	struct model model;
	uint64_t cells;

	(void)state;
	model_random(&model, 5);
	cells = (uint64_t)model.cube.metric_count * model.cube.cnode_count * model.cube.location_count;
	assert_int_equal(fathom_cube_writer_open(&writer, "order.cubex", &model.cube, model_present, &model, 0), 0);
	/* steps of a prime number reach every cell, since it divides no dimension */
	for (uint64_t i = 0, cell = 0; i < cells + cells / 3; i++, cell = (cell + 1000003) % cells) {
		uint32_t l = (uint32_t)(cell % model.cube.location_count);
		uint32_t c = (uint32_t)(cell / model.cube.location_count % model.cube.cnode_count);
		uint32_t m = (uint32_t)(cell / model.cube.location_count / model.cube.cnode_count);
		char value[MODEL_VALUE_BYTES];

		model_value(&model, m, c, l, value);
		assert_int_equal(fathom_cube_writer_put(writer, m, c, l, 1, value),
				 model_present(&model, m, c) ? 0 : -22);
	}
	assert_int_equal(fathom_cube_writer_close(writer), 0);
	compare(&model, "order.cubex");
	model_free(&model);
}

static void what_is_never_put_reads_as_zero(void **state)
{
	struct fathom_cube_writer *writer;
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct model model;
	double values[64];

	(void)state;
	model_random(&model, 6);
	assert_int_equal(fathom_cube_writer_open(&writer, "zero.cubex", &model.cube, model_present, &model, 0), 0);
	assert_int_equal(fathom_cube_writer_close(writer), 0);
	assert_int_equal(fathom_cube_reader_open(&reader, "zero.cubex", &error), 0);
	for (uint32_t m = 0; m < model.cube.metric_count; m++) {
		for (uint32_t c = 0; c < model.cube.cnode_count; c++) {
			assert_int_equal(fathom_cube_reader_row(reader, m, c, values, &error), 0);
			for (uint32_t l = 0; model_present(&model, m, c) && l < model.cube.location_count; l++)
				assert_true(values[l] == 0);
		}
	}
	fathom_cube_reader_close(reader);
	model_free(&model);
}

/* Other readers would stop at these, so the writer replaces them. */
static void what_readers_cannot_bear_is_replaced(void **state)
{
	struct fathom_cube_parameter parameters[] = {
		{ "a", "12", true }, { "b", "1e5", true }, { "c", "0x12", true }, { "d", "", true }, { "e", "nan", true },
	};
	const struct fathom_cube *read;
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct model model;

	(void)state;
	model_random(&model, 8);
	model.cube.metrics[0].uniq_name = "L1 d-cache/misses::a=b_9";
	free(model.cube.parameters);
	model.cube.parameters = parameters;
	model.cube.parameter_count = 5;
	for (uint32_t i = 0; i < model.cube.cnode_count; i++)
		model.cube.cnodes[i].parameter_count = 0;
	model.cube.cnodes[0].first_parameter = 0;
	model.cube.cnodes[0].parameter_count = 5;
	model.cube.locations[0].type = "accelerator stream";
	assert_int_equal(model_write(&model, "odd.cubex"), 0);
	assert_int_equal(fathom_cube_reader_open(&reader, "odd.cubex", &error), 0);
	read = fathom_cube_reader_cube(reader);
	assert_string_equal(read->metrics[0].uniq_name, "L1_d_cache_misses::a=b_9");
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(read->parameters[i].is_numeric, i < 2);
	assert_string_equal(fathom_cube_attribute(read, "Cube anchor.xml syntax version"), "4.7");
	fathom_cube_reader_close(reader);
	model.cube.parameters = NULL;
	model_free(&model);
}

static int enter(void **state)
{
	(void)state;
	return scratch_enter() ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	scratch_leave();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_profiles_come_back),
		cmocka_unit_test(values_may_be_put_in_any_order),
		cmocka_unit_test(what_is_never_put_reads_as_zero),
		cmocka_unit_test(what_readers_cannot_bear_is_replaced),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
