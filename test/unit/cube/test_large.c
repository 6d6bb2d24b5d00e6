/* Trees far deeper and wider than any program's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "cube/reader/reader.h"
#include "cube/writer/writer.h"
#include "model.h"

static int32_t chain(uint32_t cnode)
{
	return (int32_t)cnode - 1;
}

static int32_t star(uint32_t cnode)
{
	return cnode ? 0 : -1;
}

/* Children of one cnode, each with one of its own. */
static int32_t broom(uint32_t cnode)
{
	return cnode == 0 ? -1 : cnode % 2 ? 0 : (int32_t)cnode - 1;
}

static bool all_present(void *context, uint32_t metric, uint32_t cnode)
{
	(void)context;
	(void)metric;
	(void)cnode;
	return true;
}

static void write_and_read(uint32_t cnodes, int32_t (*parent)(uint32_t cnode))
{
	struct fathom_cube_writer *writer;
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct model model;
	double *sums = malloc(cnodes * sizeof(*sums));

	assert_non_null(sums);
	model_shape(&model, cnodes, parent, 1);
	assert_int_equal(fathom_cube_writer_open(&writer, "x.cubex", &model.cube, all_present, NULL, 0), 0);
	for (uint32_t m = 0; m < 2; m++) {
		for (uint32_t c = 0; c < cnodes; c++) {
			double value = c + m / 2.0;

			assert_int_equal(fathom_cube_writer_put(writer, m, c, 0, 1, &value), 0);
		}
	}
	assert_int_equal(fathom_cube_writer_close(writer), 0);

	assert_int_equal(fathom_cube_reader_open(&reader, "x.cubex", &error), 0);
	assert_int_equal(fathom_cube_reader_cube(reader)->cnode_count, cnodes);
	for (uint32_t m = 0; m < 2; m++) {
		assert_int_equal(fathom_cube_reader_sums(reader, m, sums, &error), 0);
		for (uint32_t c = 0; c < cnodes; c++) {
			assert_int_equal(fathom_cube_reader_cube(reader)->cnodes[c].parent, parent(c));
			assert_true(sums[c] == c + m / 2.0);
		}
	}
	for (uint32_t c = 0; c < cnodes; c++)
		sums[c] = 1;
	fathom_cube_make_inclusive(fathom_cube_reader_cube(reader), 0, sums);
	assert_true(sums[0] == cnodes);
	fathom_cube_make_exclusive(fathom_cube_reader_cube(reader), 1, sums);
	assert_true(sums[0] == 1);
	fathom_cube_reader_close(reader);
	unlink("x.cubex");
	free(sums);
	model_free(&model);
}

static void a_chain_of_100000_calls(void **state)
{
	(void)state;
	write_and_read(100000, chain);
}

static void a_million_callees_of_one_caller(void **state)
{
	(void)state;
	write_and_read(1000000, star);
}

static void half_a_million_callees_with_a_callee_each(void **state)
{
	(void)state;
	write_and_read(1000001, broom);
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
		cmocka_unit_test(a_chain_of_100000_calls),
		cmocka_unit_test(a_million_callees_of_one_caller),
		cmocka_unit_test(half_a_million_callees_with_a_callee_each),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
