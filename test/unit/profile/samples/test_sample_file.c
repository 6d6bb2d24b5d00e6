/*
 * Lines of samples that processes never had are added up over simulated ranks; the file must have the sums, in order,
 * whatever modules the ranks have, and in whatever order.
 */
#include "unit_test.h"

#include <unistd.h>

#include "event/result.h"
#include "event/sample.h"
#include "platform/clock.h"
#include "profile/process_tree/process_tree.h"
#include "profile/samples/sample_file.h"
#include "simulated_comm.h"

enum { MOST_RANKS = 40, MODULES = 3, PLACES = 50 };

static char dir[] = "/tmp/fathom-test.XXXXXX";
static char profile_path[64], file_path[64];
static const struct fathom_sample_event events[] = { { "time", "sec", "" }, { "cycles", "occ", "" } };
static const struct fathom_sampling sampling = { .source = "test", .rate = 200, .events = events, .event_count = 2 };

/* What rank has at a place of a module: samples, and for each of them so many ticks or counts. */
static uint64_t samples_of(int rank, uint32_t module, uint32_t place, uint32_t event)
{
	return (module + place + event + (uint32_t)rank) % 4;
}

static void add_line(struct fathom_sample_lines *lines, int rank, uint32_t number, uint32_t module, uint32_t place,
		     uint32_t event)
{
	struct fathom_sample_line key = {
		.function = 0x100 * place, .offset = 0x100 * place + 4, .module = number, .event = (uint16_t)event,
		.is_call = place & 1,
	}, *line;
	uint64_t samples = samples_of(rank, module, place, event);

	if (!samples)
		return;
	line = fathom_sample_lines_find(lines, &key);
	line->samples = samples;
	line->value = samples << (event ? 0 : 30);	/* a tick is a unit: a quarter of a second */
}

static int write_rank(struct fathom_comm *comm, void *argument)
{
	static const char *const paths[MODULES] = { "/bin/program", "/lib/a library.so", "/lib/libm.so.6" };
	static const unsigned char ids[MODULES][3] = { { 1, 2, 3 }, { 0xab, 0xcd, 0xef }, { 0 } };
	struct fathom_process_tree process = { .scale = { .units_per_tick_q32 = (uint64_t)1 << 32 } };
	struct fathom_result result = { .path = profile_path, .sampling = &sampling };
	int err;

	(void)argument;
	process.lines.arena = &process.arena;
	for (uint32_t i = 0; i < MODULES; i++) {
		uint32_t module = (i + (uint32_t)comm->rank) % MODULES;	/* each rank found them in an order of its own */
		struct fathom_sample_module added = { paths[module], ids[module], module == 2 ? 0 : 3 };
		uint32_t number = fathom_sample_lines_module(&process.lines, &added);

		for (uint32_t place = 0; place < PLACES; place++)
			for (uint32_t event = 0; event < 2; event++)
				add_line(&process.lines, comm->rank, number, module, place, event);
	}
	err = fathom_sample_file_write(comm, comm->rank % 7 == 5 ? NULL : &process, &result);
	fathom_arena_fini(&process.arena);
	return err;
}

static uint64_t sum_of(int size, uint32_t module, uint32_t place, uint32_t event)
{
	uint64_t sum = 0;

	for (int rank = 0; rank < size; rank++)
		sum += rank % 7 == 5 ? 0 : samples_of(rank, module, place, event);
	return sum;
}

/* Reads the file, which must have the sums of that many ranks. */
static void is_sum(int size)
{
	FILE *file = fopen(file_path, "r");
	char line[256], kind[8];
	unsigned event, module, lines = 0, expected = 0;
	unsigned long function, offset, samples;
	double value;

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "fathom samples 1\n");
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "event 0 time seconds\n");
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "event 1 cycles occ\n");
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "module 0 010203 /bin/program\n");
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "module 1 abcdef /lib/a library.so\n");
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "module 2 - /lib/libm.so.6\n");
	while (fscanf(file, "%7s %u %u %lx %lx %lu %lf", kind, &event, &module, &function, &offset, &samples,
		      &value) == 7) {
		uint32_t place = (uint32_t)(function / 0x100);

		assert_int_equal(offset, function + 4);
		assert_string_equal(kind, place & 1 ? "call" : "leaf");
		assert_int_equal(samples, sum_of(size, module, place, event));
		assert_true(value == (double)samples * (event ? 1 : 0.25));
		lines++;
	}
	assert_true(feof(file));
	fclose(file);
	for (uint32_t i = 0; i < MODULES * PLACES * 2; i++)
		expected += sum_of(size, i % MODULES, i / MODULES % PLACES, i / MODULES / PLACES) != 0;
	assert_int_equal(lines, expected);
}

static void sums_of_any_number_of_ranks(void **state)
{
	static const int sizes[] = { 1, 2, 3, 8, 17, MOST_RANKS };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		void *arguments[MOST_RANKS] = { NULL };
		int results[MOST_RANKS];

		unlink(file_path);
		simulated_run(sizes[i], write_rank, arguments, results);
		for (int rank = 0; rank < sizes[i]; rank++)
			assert_int_equal(results[rank], 0);
		is_sum(sizes[i]);
		assert_int_equal(simulated_mismatches, 0);
	}
}

static void without_samples_there_is_no_file(void **state)
{
	struct fathom_process_tree process = { .value_count = 0 };
	struct fathom_result result = { .path = profile_path };

	(void)state;
	unlink(file_path);
	assert_int_equal(fathom_sample_file_write(fathom_comm_serial(), &process, &result), 0);
	assert_int_not_equal(access(file_path, F_OK), 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(profile_path, sizeof(profile_path), "%s/profile.cubex", dir);
	snprintf(file_path, sizeof(file_path), "%s/samples.txt", dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unlink(file_path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_any_number_of_ranks),
		cmocka_unit_test(without_samples_there_is_no_file),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, begin, end);
}
