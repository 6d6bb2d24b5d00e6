/* Which bursts are found in sequences of events, with which counters and call paths; the list of bursts; durations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bursts/burst_extraction.h"
#include "bursts/burst_list.h"
#include "bursts/duration_histogram.h"

enum region { MAIN, SOLVE, SEND, PARALLEL, BARRIER, TASK, CREATE, REGIONS };
enum { MOST = 32 };

static struct fathom_otf2_archive trace;
static struct fathom_burst_extraction extraction;
static struct fathom_burst found[MOST];
static double instructions[MOST];
static int count;

static bool keep(void *taker, const struct fathom_burst *burst)
{
	(void)taker;
	assert_true(count < MOST);
	instructions[count] = burst->counters[0];
	found[count++] = *burst;
	return true;
}

static uint32_t add_string(const char *text)
{
	uint64_t id = fathom_otf2_count(&trace.defs, FATHOM_OTF2_STRING);
	struct fathom_otf2_string *string = fathom_otf2_defs_add(&trace.defs, FATHOM_OTF2_STRING, id);

	string->text = text;
	return (uint32_t)id;
}

/* A process with two threads. */
static int set_up(void **state)
{
	static const struct { const char *name; uint8_t paradigm, role; } regions[REGIONS] = {
		{ "main", OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION },
		{ "solve", OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION },
		{ "MPI_Send", OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_POINT2POINT },
		{ "!$omp parallel", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_PARALLEL },
		{ "!$omp implicit barrier", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_IMPLICIT_BARRIER },
		{ "!$omp task", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK },
		{ "!$omp create task", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_CREATE },
	};
	struct fathom_otf2_metric *metric;
	struct fathom_otf2_typed *member;
	static uint32_t members[1] = { 0 };

	(void)state;
	memset(&trace, 0, sizeof(trace));
	fathom_otf2_defs_init(&trace.defs);
	fathom_otf2_defs_add(&trace.defs, FATHOM_OTF2_PROCESS, 0);
	for (uint64_t l = 0; l < 2; l++)
		fathom_otf2_defs_add(&trace.defs, FATHOM_OTF2_LOCATION, l);
	for (uint64_t r = 0; r < REGIONS; r++) {
		struct fathom_otf2_region *region = fathom_otf2_defs_add(&trace.defs, FATHOM_OTF2_REGION, r);

		region->name = add_string(regions[r].name);
		region->paradigm = regions[r].paradigm;
		region->role = regions[r].role;
	}
	member = fathom_otf2_defs_add(&trace.defs, FATHOM_OTF2_MEMBER, 0);
	member->mode = OTF2_METRIC_ACCUMULATED_START;
	member->factor = 1;
	member->name = add_string("PAPI_TOT_INS");
	metric = fathom_otf2_defs_add(&trace.defs, FATHOM_OTF2_METRIC, 0);
	metric->of_class = -1;
	metric->count = 1;
	metric->members = members;
	count = 0;
	fathom_burst_extraction_init(&extraction, &trace, keep, NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fathom_burst_extraction_fini(&extraction);
	fathom_otf2_defs_fini(&trace.defs);
	return 0;
}

static void take(struct fathom_otf2_event event)
{
	assert_true(fathom_burst_extraction_take(&extraction, &event));
}

static void enter(uint32_t location, uint64_t time, uint64_t region)
{
	take((struct fathom_otf2_event){ .kind = FATHOM_RECORD_ENTER, .location = location, .time = time, .ref = region });
}

static void leave(uint32_t location, uint64_t time, uint64_t region)
{
	take((struct fathom_otf2_event){ .kind = FATHOM_RECORD_LEAVE, .location = location, .time = time, .ref = region });
}

static void other(enum fathom_record kind, uint32_t location, uint64_t time)
{
	take((struct fathom_otf2_event){ .kind = kind, .location = location, .time = time });
}

static void count_to(uint32_t location, uint64_t time, uint64_t value)
{
	const OTF2_Type type = OTF2_TYPE_UINT64;
	const OTF2_MetricValue number = { .unsigned_int = value };

	take((struct fathom_otf2_event){ .kind = FATHOM_RECORD_METRIC, .location = location, .time = time, .count = 1,
		.types = &type, .values = &number });
}

static void expect(int burst, uint32_t location, uint64_t begin, uint64_t end, const char *code)
{
	char text[256];

	assert_true(burst < count);
	assert_int_equal(found[burst].location, location);
	assert_int_equal(found[burst].begin, begin);
	assert_int_equal(found[burst].end, end);
	assert_string_equal(fathom_burst_path_text(&extraction, found[burst].code, text, sizeof(text)), code);
}

/* Counters are read before the enter and leave that have their time, or after. */
static void between_calls(void **state)
{
	char text[64];

	(void)state;
	enter(0, 1, MAIN);
	enter(0, 5, SEND);
	count_to(0, 10, 100);
	leave(0, 10, SEND);
	enter(0, 11, SOLVE);
	leave(0, 16, SOLVE);
	count_to(0, 17, 450);
	enter(0, 17, SEND);
	leave(0, 20, SEND);
	count_to(0, 20, 470);
	enter(0, 30, SEND);
	count_to(0, 30, 570);
	leave(0, 31, SEND);
	count_to(0, 35, 600);
	leave(0, 35, MAIN);
	fathom_burst_extraction_finish(&extraction);
	assert_int_equal(count, 4);
	expect(0, 0, 1, 5, "main");
	assert_true(isnan(instructions[0]));
	assert_int_equal(found[0].before, FATHOM_NO_BURST_PATH);
	expect(1, 0, 10, 17, "main > solve");
	assert_true(instructions[1] == 350);
	assert_string_equal(fathom_burst_path_text(&extraction, found[1].before, text, sizeof(text)), "main > MPI_Send");
	assert_string_equal(fathom_burst_path_text(&extraction, found[1].after, text, 12), "MPI_Send");
	expect(2, 0, 20, 30, "main");
	assert_true(instructions[2] == 100);
	expect(3, 0, 31, 35, "main");
	assert_true(instructions[3] == 30);
	assert_int_equal(found[3].after, FATHOM_NO_BURST_PATH);
}

/* The worker computes in the team only; its call paths are below the fork. */
static void team(void **state)
{
	(void)state;
	enter(0, 1, MAIN);
	enter(0, 10, PARALLEL);
	other(FATHOM_RECORD_THREAD_FORK, 0, 10);
	other(FATHOM_RECORD_THREAD_TEAM_BEGIN, 0, 11);
	other(FATHOM_RECORD_THREAD_TEAM_BEGIN, 1, 12);
	enter(1, 13, SOLVE);
	leave(1, 40, SOLVE);
	enter(1, 40, BARRIER);
	enter(0, 41, BARRIER);
	leave(0, 50, BARRIER);
	other(FATHOM_RECORD_THREAD_TEAM_END, 0, 50);
	leave(1, 52, BARRIER);
	other(FATHOM_RECORD_THREAD_TEAM_END, 1, 52);
	leave(0, 55, PARALLEL);
	leave(0, 60, MAIN);
	fathom_burst_extraction_finish(&extraction);
	assert_int_equal(count, 6);
	expect(0, 0, 1, 10, "main");
	expect(1, 0, 10, 11, "main > !$omp parallel");
	expect(3, 1, 12, 40, "main > !$omp parallel > solve");
	expect(2, 0, 11, 41, "main > !$omp parallel");
	expect(4, 0, 50, 55, "main > !$omp parallel");
	expect(5, 0, 55, 60, "main");
}

/* Time in which the buffer was written or nothing was recorded is in no burst. */
static void interruptions(void **state)
{
	(void)state;
	enter(0, 1, MAIN);
	enter(0, 5, SEND);
	leave(0, 6, SEND);
	other(FATHOM_RECORD_BUFFER_FLUSH, 0, 7);
	enter(0, 20, SEND);
	leave(0, 21, SEND);
	other(FATHOM_RECORD_MEASUREMENT_ON_OFF, 0, 25);
	take((struct fathom_otf2_event){ .kind = FATHOM_RECORD_MEASUREMENT_ON_OFF, .time = 45, .op = 1 });
	enter(0, 50, SEND);
	leave(0, 51, SEND);
	leave(0, 60, MAIN);
	fathom_burst_extraction_finish(&extraction);
	assert_int_equal(count, 2);
	expect(0, 0, 1, 5, "main");
	expect(1, 0, 51, 60, "main");
	assert_int_equal(extraction.interrupted, 3);
}

static void list_drops_the_shortest(void **state)
{
	struct fathom_burst_list list;
	double value = 0;
	uint64_t all = 0;

	(void)state;
	fathom_burst_list_init(&list, 1, 400);
	for (uint64_t i = 0; i < 1000; i++) {
		value = (double)i;
		all += 1 + i % 97;
		assert_true(fathom_burst_list_add(&list, &(struct fathom_burst){ .location = i % 3, .begin = i,
			.end = i + 1 + i % 97, .counters = &value }));
	}
	assert_true(list.count <= 400);
	assert_int_equal(list.count + list.dropped, 1000);
	fathom_burst_list_sort(&list, 3);
	for (size_t i = 0; i < list.count; i++) {
		const struct fathom_listed_burst *burst = &list.bursts[i];

		assert_true(burst->end - burst->begin >= list.least_ticks);
		assert_true((double)burst->begin == list.counters[i]);
		assert_true(i == 0 || list.bursts[i - 1].location < burst->location ||
			    (list.bursts[i - 1].location == burst->location && list.bursts[i - 1].begin < burst->begin));
		all -= burst->end - burst->begin;
	}
	assert_int_equal(all, list.dropped_ticks);
	fathom_burst_list_fini(&list);
	/* Bursts of equal duration cannot be told apart by it. */
	fathom_burst_list_init(&list, 0, 100);
	for (uint64_t i = 0; i < 101; i++)
		assert_int_equal(fathom_burst_list_add(&list, &(struct fathom_burst){ .begin = i, .end = i + 9 }), i < 100);
	fathom_burst_list_fini(&list);
}

static void histogram_chooses_by_time(void **state)
{
	static struct fathom_duration_histogram histogram;

	(void)state;
	assert_true(fathom_duration_histogram_least(&histogram, 0.9, 1) == 0);
	for (int i = 0; i < 1000; i++)
		fathom_duration_histogram_add(&histogram, 1e-6);
	for (int i = 0; i < 99; i++)
		fathom_duration_histogram_add(&histogram, 1e-3);
	assert_int_equal(histogram.count, 1099);
	assert_true(fabs(histogram.total_seconds - 0.1) < 1e-9);
	assert_true(fabs(fathom_duration_histogram_least(&histogram, 0.95, 99) - 1e-3) < 1e-6);
	assert_true(fabs(fathom_duration_histogram_least(&histogram, 1, 1) - 1e-6) < 1e-9);
	assert_true(fabs(fathom_duration_histogram_least(&histogram, 0.95, 100) - 1e-6) < 1e-9);
	assert_true(fabs(fathom_duration_histogram_least(&histogram, 0.95, 5000) - 1e-6) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(between_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(team, set_up, tear_down),
		cmocka_unit_test_setup_teardown(interruptions, set_up, tear_down),
		cmocka_unit_test(list_drops_the_shortest),
		cmocka_unit_test(histogram_chooses_by_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
