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
#include "profile/result/sample_file.h"
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

enum { PATHS = 8, THREADS = 3 };

/* Samples of a thread of a rank at a path. */
static uint64_t path_samples(int rank, uint32_t thread, uint32_t path)
{
	return rank % 7 == 5 ? 0 : ((uint32_t)rank + thread + path) % 3;
}

/* Adds PATHS places, each in what the one before it called. Call path i of this rank is 100 + i in the profile, and its
 * threads are columns from THREADS * rank on. */
static void add_paths(struct fathom_process_tree *process, int rank)
{
	uint32_t parent = FATHOM_PATH_NO_PLACE;

	process->sampled.paths.arena = &process->arena;
	for (uint32_t i = 0; i < PATHS; i++) {
		struct fathom_path_place key = {
			.function = 0x10 * i, .offset = 0x10 * i + 2, .parent = parent, .call_path = i,
			/* Module 0 of the file is the second one of rank 2, ...; the last place has no module. */
			.module = i + 1 < PATHS ? (uint32_t)(MODULES - rank % MODULES) % MODULES :
						  FATHOM_PATH_NO_MODULE,
			.is_call = i + 1 < PATHS,
		}, *place = fathom_sample_paths_find(&process->sampled.paths, &key);

		for (uint32_t thread = 0; thread < THREADS; thread++)
			if (path_samples(rank, thread, i))
				fathom_sample_paths_count(&process->sampled.paths, place, thread,
							  path_samples(rank, thread, i));
		parent = place->number;
	}
}

static int write_rank(struct fathom_comm *comm, void *argument)
{
	static const char *const paths[MODULES] = { "/bin/program", "/lib/a library.so", "/lib/libm.so.6" };
	static const uint32_t call_paths[PATHS] = { 100, 101, 102, 103, 104, 105, 106, 107 };
	static const uint32_t columns[THREADS] = { 0, 1, 2 };
	static const unsigned char ids[MODULES][3] = { { 1, 2, 3 }, { 0xab, 0xcd, 0xef }, { 0 } };
	struct fathom_process_tree process = { .scale = { .units_per_tick_q32 = (uint64_t)1 << 32 } };
	struct fathom_result result = { .path = profile_path, .sampling = &sampling };
	int err;

	struct fathom_sample_numbers numbers = { call_paths, columns, (uint32_t)comm->rank * THREADS };

	(void)argument;
	process.sampled.lines.arena = &process.arena;
	for (uint32_t i = 0; i < MODULES; i++) {
		uint32_t module = (i + (uint32_t)comm->rank) % MODULES;	/* each rank found them in an order of its own */
		struct fathom_sample_module added = { paths[module], ids[module], module == 2 ? 0 : 3 };
		uint32_t number = fathom_sample_lines_module(&process.sampled.lines, &added);

		for (uint32_t place = 0; place < PLACES; place++)
			for (uint32_t event = 0; event < 2; event++)
				add_line(&process.sampled.lines, comm->rank, number, module, place, event);
	}
	add_paths(&process, comm->rank);
	err = fathom_sample_file_write(comm, comm->rank % 7 == 5 ? NULL : &process, &numbers, &result);
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

/* Reads the lines of paths, behind their first word: all places once, with the samples of each thread. */
static void are_paths(FILE *file, int size)
{
	unsigned number, parent, call_path, column;
	char kind[8], module[8];
	unsigned long function, offset, samples, of_column;

	for (uint32_t i = 0; i < PATHS; i++) {
		unsigned long sum = 0, listed = 0;

		assert_int_equal(fscanf(file, "%u %u %u %7s %7s %lx %lx %lu", &number, &parent, &call_path, kind,
					module, &function, &offset, &samples), 8);
		assert_int_equal(number, i + 1);
		assert_int_equal(parent, i);
		assert_int_equal(call_path, 100 + i);
		assert_string_equal(kind, i + 1 < PATHS ? "call" : "leaf");
		assert_string_equal(module, i + 1 < PATHS ? "0" : "-");
		assert_int_equal(offset, i + 1 < PATHS ? 0x10 * i + 2 : 0);
		while (fscanf(file, "%u:%lu", &column, &of_column) == 2) {
			assert_int_equal(of_column, path_samples((int)(column / THREADS), column % THREADS, i));
			listed += of_column;
		}
		for (int rank = 0; rank < size; rank++)
			for (uint32_t thread = 0; thread < THREADS; thread++)
				sum += path_samples(rank, thread, i);
		assert_int_equal(samples, sum);
		assert_int_equal(listed, sum);
		assert_true(fscanf(file, "%7s", kind) == (i + 1 < PATHS ? 1 : EOF));
	}
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
	assert_string_equal(line, "fathom samples 2\n");
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
	while (fscanf(file, "%7s", kind) == 1 && strcmp(kind, "path") != 0) {
		uint32_t place;

		assert_int_equal(fscanf(file, "%u %u %lx %lx %lu %lf", &event, &module, &function, &offset, &samples,
					&value), 6);
		place = (uint32_t)(function / 0x100);
		assert_int_equal(offset, function + 4);
		assert_string_equal(kind, place & 1 ? "call" : "leaf");
		assert_int_equal(samples, sum_of(size, module, place, event));
		assert_true(value == (double)samples * (event ? 1 : 0.25));
		lines++;
	}
	are_paths(file, size);
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
	struct fathom_sample_numbers numbers = { NULL, NULL, 0 };

	(void)state;
	unlink(file_path);
	assert_int_equal(fathom_sample_file_write(fathom_comm_serial(), &process, &numbers, &result), 0);
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
