/* The range coder: what was written is read again, and likely numbers take little room. */
#include "callgraphs/range_coder.h"
#include "unit_test.h"

static uint64_t seed = 42;

enum { NUMBERS = 20000, MODELS = 7 };

/* Returns the bytes that the numbers take, after they were read again. */
static size_t round_trip(const uint64_t *numbers, size_t count)
{
	struct fathom_coder writer, reader;
	struct fathom_number_model *models = fathom_number_models_create(MODELS);
	size_t bytes;

	fathom_coder_write_init(&writer);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(numbers[i], fathom_code_number(&writer, &models[i % MODELS], numbers[i]));
	fathom_coder_flush(&writer);
	free(models);
	models = fathom_number_models_create(MODELS);
	fathom_coder_read_init(&reader, writer.bytes, writer.count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(numbers[i], fathom_code_number(&reader, &models[i % MODELS], 0));
	assert_false(reader.is_broken);
	bytes = writer.count;
	fathom_coder_free(&reader);
	fathom_coder_free(&writer);
	free(models);
	return bytes;
}

static void numbers_of_all_sizes(void **state)
{
	static uint64_t numbers[NUMBERS];

	(void)state;
	for (unsigned shift = 0; shift < 64; shift++) {
		for (size_t i = 0; i < 200; i++)
			numbers[200 * shift + i] = next_random(&seed) >> shift;
		numbers[200 * shift] = UINT64_MAX >> shift;
		numbers[200 * shift + 1] = 0;
	}
	round_trip(numbers, (size_t)200 * 64);
	for (size_t i = 0; i < NUMBERS; i++)		/* every length in turn, with carries */
		numbers[i] = i % 3 ? UINT64_MAX >> i % 64 : next_random(&seed);
	round_trip(numbers, NUMBERS);
}

static void likely_numbers_are_small(void **state)
{
	static uint64_t numbers[NUMBERS];

	(void)state;
	memset(numbers, 0, sizeof(numbers));
	assert_true(round_trip(numbers, NUMBERS) < 120);	/* 7 models with 7 bits each learn that they are 0 */
	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = next_random(&seed) % 16;		/* 4 bits each */
	assert_true(round_trip(numbers, NUMBERS) < NUMBERS / 2 * 104 / 100);
	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = (next_random(&seed) % 2 + 2) << 20;	/* round numbers: 1 bit each */
	assert_true(round_trip(numbers, NUMBERS) < NUMBERS / 8 * 130 / 100);
}

static void the_end_is_noticed(void **state)
{
	struct fathom_coder writer, reader;
	struct fathom_number_model *models = fathom_number_models_create(1);
	size_t i;

	(void)state;
	fathom_coder_write_init(&writer);
	for (i = 0; i < 1000; i++)
		fathom_code_number(&writer, models, next_random(&seed));
	fathom_coder_flush(&writer);
	free(models);
	models = fathom_number_models_create(1);
	fathom_coder_read_init(&reader, writer.bytes, writer.count / 2);
	for (i = 0; i < 1000 && !reader.is_broken; i++)
		fathom_code_number(&reader, models, 0);
	assert_true(reader.is_broken);
	fathom_coder_free(&writer);
	free(models);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_all_sizes),
		cmocka_unit_test(likely_numbers_are_small),
		cmocka_unit_test(the_end_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
