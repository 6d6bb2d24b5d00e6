/*
 * The quicker way of reading perf events is found and taken, and groups that take turns are scaled right. No counter
 * is needed: the instruction rdpmc is a function of this test, the pages are its own, and read() reads /dev/zero.
 */
#define FATHOM_METRIC_RDPMC_H
#include "unit_test.h"

#include <fcntl.h>
#include <unistd.h>

#include "platform/clock.h"

static bool fathom_rdpmc_has_trapped, has_rdpmc = true;
static uint64_t rdpmc_ns, rdpmc_value;	/* how long the instruction takes, and what the counter stands at */

__attribute__((unused)) static uint64_t fathom_rdpmc(uint32_t number)
{
	uint64_t begin = fathom_clock_monotonic_ns();

	while (rdpmc_ns && fathom_clock_monotonic_ns() - begin < rdpmc_ns)
		;
	return rdpmc_value + number;
}

__attribute__((unused)) static bool fathom_rdpmc_works(uint32_t number)
{
	(void)number;
	return has_rdpmc;
}

#include "metric/perf_read.c"

static struct fathom_metric_event events[FATHOM_METRIC_MOST_STRICT];
static struct perf_event_mmap_page pages[FATHOM_METRIC_MOST_STRICT];

/* A reader of count events of the processor, in one group; their ids are 0, 1, ... */
static struct fathom_metric_reader reader_of(uint32_t count)
{
	struct fathom_metric_reader reader = { .count = count };

	for (uint32_t i = 0; i < count; i++) {
		events[i].id = i;
		reader.events[i] = &events[i];
		pages[i] = (struct perf_event_mmap_page){ .index = i + 1, .offset = 1000, .pmc_width = 48,
							  .cap_user_rdpmc = 1 };
		reader.pages[i] = &pages[i];
		reader.fds[i] = open("/dev/zero", O_RDONLY | O_CLOEXEC);
		assert_true(reader.fds[i] >= 0);
	}
	reader.group[0] = (uint8_t)count;
	return reader;
}

static void close_reader(struct fathom_metric_reader *reader)
{
	for (uint32_t i = 0; i < reader->count; i++)
		close(reader->fds[i]);
}

static struct fathom_reading choose(struct fathom_metric_reader *reader)
{
	struct fathom_reading reading = { 0 };

	way.is_decided = false;
	assert_true(fathom_perf_wants_pages());
	fathom_perf_choose(reader, &reading);
	assert_int_equal(fathom_perf_wants_pages(), reading.by_rdpmc);
	assert_true(reading.read_ticks > 0);
	return reading;
}

#if defined(__x86_64__)

static void rdpmc_is_taken_where_it_is_quicker(void **state)
{
	struct fathom_metric_reader reader = reader_of(1);
	uint64_t values[4] = { 0 };
	struct fathom_reading reading;

	(void)state;
	rdpmc_ns = 0;
	reading = choose(&reader);
	assert_true(reading.by_rdpmc);
	rdpmc_value = 234;
	fathom_perf_read(&reader, values);
	assert_int_equal(values[0], 1234);
	/* The counter is not on the processor now: read() it is, and /dev/zero has no event. */
	pages[0].index = 0;
	values[0] = 1;
	fathom_perf_read(&reader, values);
	assert_int_equal(values[0], 1);
	close_reader(&reader);
}

static void read_is_taken_where_rdpmc_traps_into_a_hypervisor(void **state)
{
	struct fathom_metric_reader reader = reader_of(1);
	uint64_t values[4] = { 0 };
	struct fathom_reading reading;

	(void)state;
	rdpmc_ns = 300000;	/* a read() of /dev/zero takes less on any machine, at least once in a few times */
	reading = choose(&reader);
	assert_false(reading.by_rdpmc);
	assert_true(reading.rdpmc_ticks > reading.read_ticks);
	fathom_perf_read(&reader, values);
	assert_int_equal(values[0], 0);
	rdpmc_ns = 0;
	close_reader(&reader);
}

/* read() takes no more for four events than for one, rdpmc four times as long. */
static void the_number_of_events_decides_as_well(void **state)
{
	struct fathom_metric_reader one = reader_of(1), many = reader_of(20);
	struct fathom_reading of_one, of_many;

	(void)state;
	rdpmc_ns = 20000;
	of_one = choose(&one);
	of_many = choose(&many);
	assert_true(of_many.rdpmc_ticks > 10 * of_one.rdpmc_ticks);
	rdpmc_ns = 0;
	close_reader(&one);
	close_reader(&many);
}

static void rdpmc_is_not_taken_where_it_does_not_work(void **state)
{
	struct fathom_metric_reader reader = reader_of(2);

	(void)state;
	rdpmc_ns = 0;
	has_rdpmc = false;
	assert_false(choose(&reader).by_rdpmc);
	has_rdpmc = true;
	pages[1].cap_user_rdpmc = 0;
	assert_false(choose(&reader).by_rdpmc);
	pages[1].cap_user_rdpmc = 1;
	pages[1].index = 0;
	assert_false(choose(&reader).by_rdpmc);
	pages[1].index = 2;
	reader.pages[1] = NULL;		/* an event of the kernel */
	assert_false(choose(&reader).by_rdpmc);
	assert_int_equal(choose(&reader).rdpmc_ticks, 0);
	reader.pages[1] = &pages[1];
	assert_true(choose(&reader).by_rdpmc);
	close_reader(&reader);
}

static void after_a_trap_read_is_used(void **state)
{
	struct fathom_metric_reader reader = reader_of(1);
	uint64_t values[4] = { 77 };

	(void)state;
	rdpmc_ns = 0;
	assert_true(choose(&reader).by_rdpmc);
	fathom_rdpmc_has_trapped = true;
	fathom_perf_read(&reader, values);
	assert_int_equal(values[0], 77);
	fathom_rdpmc_has_trapped = false;
	close_reader(&reader);
}

#endif

static void a_group_is_taken_as_it_is(void **state)
{
	struct fathom_metric_reader reader = { .count = 3 };
	const uint64_t data[] = { 3, 10, 20, 30 };
	uint64_t values[3] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		events[i].id = 2 - i;
		reader.events[i] = &events[i];
	}
	fathom_perf_take_group(&reader, 0, data, values);
	assert_int_equal(values[2], 10);
	assert_int_equal(values[1], 20);
	assert_int_equal(values[0], 30);
}

static void take_turn_of(struct fathom_metric_reader *reader, uint64_t enabled_ns, uint64_t counted_ns, uint64_t count,
			 uint64_t *values)
{
	const uint64_t data[] = { 2, enabled_ns, counted_ns, count, 2 * count };

	fathom_perf_take_group(reader, 1, data, values);
}

/* A group of two events, behind another event, counts 3 events in a microsecond; half of the time others count. */
static void turns_are_scaled(void **state)
{
	struct fathom_metric_reader reader = { .count = 3, .is_multiplexed = true };
	uint64_t values[3] = { 5 };

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		events[i].id = i;
		reader.events[i] = &events[i];
	}
	take_turn_of(&reader, 0, 0, 0, values);			/* nothing yet */
	assert_int_equal(values[1], 0);
	take_turn_of(&reader, 1000000, 0, 0, values);		/* others began */
	assert_int_equal(values[1], 0);
	take_turn_of(&reader, 2000000, 1000000, 3000, values);
	assert_int_equal(values[1], 6000);			/* what others had is estimated */
	assert_int_equal(values[2], 12000);
	take_turn_of(&reader, 2500000, 1500000, 3700, values);	/* exact while it counts, whatever the rate was */
	assert_int_equal(values[1], 6700);
	take_turn_of(&reader, 4000000, 1500000, 3700, values);	/* others: the mean rate is charged at once */
	assert_int_equal(values[1], 6700 + 3700);
	take_turn_of(&reader, 4000000, 1500000, 3700, values);	/* no time has passed */
	assert_int_equal(values[1], 10400);
	assert_int_equal(values[2], 20800);
	assert_int_equal(values[0], 5);				/* of another group */
}

/* However the turns fall, no reading is less than the one before, and the sum is right for a steady rate. */
static void turns_never_count_down(void **state)
{
	struct fathom_metric_reader reader = { .count = 3, .is_multiplexed = true };
	uint64_t values[3] = { 0 }, before = 0, random = 7, enabled = 0, counted = 0;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		events[i].id = i;
		reader.events[i] = &events[i];
	}
	for (int i = 0; i < 100000; i++) {
		uint64_t ns = 1 + random_below(&random, 5000);

		enabled += ns;
		counted += random_below(&random, 3) ? ns : random_below(&random, (uint32_t)ns);
		take_turn_of(&reader, enabled, counted, 4 * counted, values);
		assert_true(values[1] >= before);
		before = values[1];
	}
	assert_true(values[1] <= 4 * enabled && values[1] + values[1] / 1000 >= 4 * enabled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
		cmocka_unit_test(rdpmc_is_taken_where_it_is_quicker),
		cmocka_unit_test(read_is_taken_where_rdpmc_traps_into_a_hypervisor),
		cmocka_unit_test(the_number_of_events_decides_as_well),
		cmocka_unit_test(rdpmc_is_not_taken_where_it_does_not_work),
		cmocka_unit_test(after_a_trap_read_is_used),
#endif
		cmocka_unit_test(a_group_is_taken_as_it_is),
		cmocka_unit_test(turns_are_scaled),
		cmocka_unit_test(turns_never_count_down),
	};

	fathom_clock_init(FATHOM_CLOCK_AUTO);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
