/*
 * Threads put together: what FATHOM_THREADS makes of a process whose threads are known, as it stands in the file
 * in the end.
 */
#include "unit_test.h"

#include <float.h>
#include <math.h>
#include <unistd.h>

#include "aggregate_world.h"
#include "platform/log.h"

static void assert_tuple(const struct opened *file, const char *metric, const char *names,
			 struct fathom_cube_tuple expected)
{
	struct fathom_cube_tuple got = tuple(file, metric, names);

	if (memcmp(&got, &expected, sizeof(got)))
		fail_msg("%s of %s: (%u, %.17g, %.17g, %.17g, %.17g), expected (%u, %g, %g, %g, %g)", metric, names,
			 got.count, got.minimum, got.maximum, got.sum, got.squares, expected.count, expected.minimum,
			 expected.maximum, expected.sum, expected.squares);
}

static double mean(struct fathom_cube_tuple of)
{
	return of.sum / of.count;
}

static double deviation(struct fathom_cube_tuple of)
{
	double variance = of.squares / of.count - mean(of) * mean(of);

	return variance > 0 ? sqrt(variance) : 0;
}

static void assert_location(const struct opened *file, uint32_t location, const char *name, const char *threads)
{
	assert_true(location < file->cube->location_count);
	assert_string_equal(fathom_cube_location(file->cube, location).name, name);
	assert_int_equal(fathom_cube_location(file->cube, location).rank, location);
	if (threads)
		assert_string_equal(fathom_cube_location(file->cube, location).threads, threads);
	else
		assert_null(fathom_cube_location(file->cube, location).threads);
}

static void sum_adds_up_and_counts_threads(void **state)
{
	static const struct {
		const char *names;
		double seconds;
		int threads;
	} expected[] = {
		{ "main", 5, 1 }, { "main/init", 3, 1 }, { "main/parallel", 2, 4 }, { "main/parallel/loop", 32, 4 },
		{ "main/parallel/extra", 1, 1 }, { "main/parallel/barrier", 15, 4 },
	};
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(worked), 4, FATHOM_THREADS_SUM);
	assert_int_equal(file.cube->location_count, 1);
	assert_location(&file, 0, "sum of threads", "0-3");
	assert_string_equal(fathom_cube_attribute(file.cube, "fathom::threads"), "sum");
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		assert_true(value(&file, "time", expected[i].names, 0) == expected[i].seconds);
		assert_true(value(&file, "num_threads", expected[i].names, 0) == expected[i].threads);
		assert_true(value(&file, "visits", expected[i].names, 0) == expected[i].threads);
	}
	assert_true(value(&file, "omp_ibarrier", "main/parallel/barrier", 0) == 15);
	assert_true(value(&file, "min_time", "main/parallel/loop", 0) == 4);
	assert_int_equal(file.cube->metrics[metric_of(&file, "num_threads")].dtype, FATHOM_CUBE_UINT32);
	fathom_cube_reader_close(file.reader);
}

static void set_has_statistics_of_those_who_came(void **state)
{
	struct opened file;
	struct fathom_cube_tuple loop, barrier;

	(void)state;
	tell_and_open(&file, LINES(worked), 4, FATHOM_THREADS_SET);
	assert_int_equal(file.cube->location_count, 1);
	assert_location(&file, 0, "thread statistics", "0-3");
	assert_string_equal(fathom_cube_attribute(file.cube, "fathom::threads"), "set");
	assert_int_equal(fathom_cube_metric_by_name(file.cube, "num_threads"), -1);
	assert_tuple(&file, "time", "main/parallel/loop", (struct fathom_cube_tuple){ 4, 4, 11, 32, 286 });
	assert_tuple(&file, "comp", "main/parallel/loop", (struct fathom_cube_tuple){ 4, 4, 11, 32, 286 });
	assert_tuple(&file, "time", "main/parallel/barrier", (struct fathom_cube_tuple){ 4, 0, 8, 15, 93 });
	assert_tuple(&file, "omp_ibarrier", "main/parallel/barrier", (struct fathom_cube_tuple){ 4, 0, 8, 15, 93 });
	assert_tuple(&file, "comp", "main/parallel/barrier", (struct fathom_cube_tuple){ 0, DBL_MAX, -DBL_MAX, 0, 0 });
	assert_tuple(&file, "time", "main/parallel/extra", (struct fathom_cube_tuple){ 1, 1, 1, 1, 1 });
	assert_tuple(&file, "time", "main", (struct fathom_cube_tuple){ 1, 5, 5, 5, 25 });
	assert_tuple(&file, "visits", "main/parallel", (struct fathom_cube_tuple){ 4, 1, 1, 4, 4 });
	assert_true(value(&file, "min_time", "main/parallel/loop", 0) == 4);
	assert_true(value(&file, "max_time", "main/parallel/loop", 0) == 11 + 1 / SECOND);
	loop = tuple(&file, "time", "main/parallel/loop");
	barrier = tuple(&file, "time", "main/parallel/barrier");
	assert_near(mean(loop), 8, 0);
	assert_near(deviation(loop), 2.7386, .00005);
	assert_near(mean(barrier), 3.75, 0);
	assert_near(deviation(barrier), 3.0311, .00005);
	assert_near(deviation(tuple(&file, "time", "main/parallel/extra")), 0, 0);
	fathom_cube_reader_close(file.reader);
}

/* By work, that is: with the wait in the barrier counted, all took the same time. */
static void key_keeps_the_first_the_fastest_and_the_slowest(void **state)
{
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(worked), 4, FATHOM_THREADS_KEY);
	assert_int_equal(file.cube->location_count, 4);
	assert_location(&file, 0, "master thread", "0");
	assert_location(&file, 1, "fastest thread", "1");
	assert_location(&file, 2, "slowest thread", "3");
	assert_location(&file, 3, "remaining threads", "2");
	assert_string_equal(fathom_cube_attribute(file.cube, "fathom::threads"), "key");
	assert_true(value(&file, "time", "main/parallel/loop", 0) == 10);
	assert_true(value(&file, "time", "main/parallel/loop", 1) == 4);
	assert_true(value(&file, "time", "main/parallel/loop", 2) == 11);
	assert_true(value(&file, "time", "main/parallel/loop", 3) == 7);
	assert_true(value(&file, "num_threads", "main", 0) == 1);
	assert_true(value(&file, "num_threads", "main", 3) == 0);
	fathom_cube_reader_close(file.reader);
}

static void calltree_groups_those_who_came_to_the_same_places(void **state)
{
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(worked), 4, FATHOM_THREADS_CALLTREE);
	assert_int_equal(file.cube->location_count, 3);
	assert_location(&file, 0, "cluster 0 (1 thread)", "0");
	assert_location(&file, 1, "cluster 1 (2 threads)", "1-2");
	assert_location(&file, 2, "cluster 2 (1 thread)", "3");
	assert_string_equal(fathom_cube_attribute(file.cube, "fathom::threads"), "calltree");
	assert_true(value(&file, "time", "main/parallel/loop", 1) == 11);
	assert_true(value(&file, "time", "main/parallel/barrier", 1) == 13);
	assert_true(value(&file, "time", "main/parallel", 1) == 1);
	assert_true(value(&file, "num_threads", "main/parallel", 1) == 2);
	assert_true(value(&file, "num_threads", "main/parallel/extra", 1) == 0);
	fathom_cube_reader_close(file.reader);
}

static void all_keeps_each_thread_under_its_name(void **state)
{
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(worked), 4, FATHOM_THREADS_ALL);
	assert_int_equal(file.cube->location_count, 4);
	assert_location(&file, 0, "Master thread", NULL);
	assert_location(&file, 1, "Pthread thread 1", NULL);
	assert_location(&file, 3, "Pthread thread 3", NULL);
	assert_string_equal(fathom_cube_attribute(file.cube, "fathom::threads"), "all");
	assert_int_equal(fathom_cube_metric_by_name(file.cube, "num_threads"), -1);
	fathom_cube_reader_close(file.reader);
}

/* 27000 iterations in chunks of 2000 over 8 threads, 932.5 visits each: an imbalance that was published with these
 * means and deviations (Lorenz, Shudler, Wolf 2015, section 6.1). */
static void the_visits_of_the_static_schedule(void **state)
{
	static const uint64_t iterations[8] = { 4000, 4000, 4000, 4000, 4000, 3000, 2000, 2000 };
	struct line lines[] = { { "loop", 0, { 0 }, { 0 } } };
	struct fathom_cube_tuple visits;
	struct opened file;

	(void)state;
	for (int t = 0; t < 8; t++)
		lines[0].visits[t] = iterations[t] * 9325 / 10;
	tell_and_open(&file, LINES(lines), 8, FATHOM_THREADS_SET);
	visits = tuple(&file, "visits", "loop");
	assert_int_equal(visits.count, 8);
	assert_near(mean(visits) / 1e6, 3.147, .0005);
	assert_near(deviation(visits) / 1e6, .799, .0005);
	assert_near(visits.maximum / 1e6, 3.730, 0);
	assert_near(visits.minimum / 1e6, 1.865, 0);
	fathom_cube_reader_close(file.reader);
}

/* --- corners ------------------------------------------------------------------------------------- */

static void few_threads_have_few_key_threads(void **state)
{
	static const struct line lines[] = { { "loop", 0, { 1, 3, 2 }, { 0 } } };
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(lines), 1, FATHOM_THREADS_KEY);
	assert_int_equal(file.cube->location_count, 1);
	assert_location(&file, 0, "master thread", "0");
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(lines), 2, FATHOM_THREADS_KEY);
	assert_int_equal(file.cube->location_count, 2);
	assert_location(&file, 0, "master thread", "0");
	assert_location(&file, 1, "slowest thread", "1");
	assert_true(value(&file, "time", "loop", 1) == 3);
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(lines), 3, FATHOM_THREADS_KEY);
	assert_int_equal(file.cube->location_count, 3);
	assert_location(&file, 1, "fastest thread", "2");
	assert_location(&file, 2, "slowest thread", "1");
	fathom_cube_reader_close(file.reader);
}

static void one_thread_is_one_in_every_way(void **state)
{
	static const struct line lines[] = { { "loop", 0, { 3 }, { 0 } } };
	static const char *const names[] = { "Master thread", "sum of threads", "thread statistics", "master thread",
					     "cluster 0 (1 thread)" };
	struct opened file;

	(void)state;
	for (uint32_t s = FATHOM_THREADS_ALL; s <= FATHOM_THREADS_CALLTREE; s++) {
		tell_and_open(&file, LINES(lines), 1, (enum fathom_threads)s);
		assert_int_equal(file.cube->location_count, 1);
		assert_location(&file, 0, names[s], s == FATHOM_THREADS_ALL ? NULL : "0");
		assert_true(value(&file, "time", "loop", 0) == 3);
		fathom_cube_reader_close(file.reader);
	}
}

static void of_equal_threads_the_lower_is_chosen(void **state)
{
	static const struct line same[] = { { "loop", 0, { 9, 2, 2, 2, 2 }, { 0 } } };
	static const struct line pairs[] = { { "loop", 0, { 0, 1, 5, 1, 5, 3, 3 }, { 0 } } };
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(same), 5, FATHOM_THREADS_KEY);
	assert_location(&file, 1, "fastest thread", "2");	/* the lower one is the slowest already */
	assert_location(&file, 2, "slowest thread", "1");
	assert_location(&file, 3, "remaining threads", "3-4");
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(pairs), 7, FATHOM_THREADS_KEY);
	assert_location(&file, 1, "fastest thread", "1");
	assert_location(&file, 2, "slowest thread", "2");
	assert_location(&file, 3, "remaining threads", "3-6");
	fathom_cube_reader_close(file.reader);
}

/* A thread that exists but never ran anything here is a group of its own, and in no statistics. */
static void an_idle_thread_is_alone(void **state)
{
	static const struct line lines[] = { { "loop", 0, { 1, 1, NEVER, 1, NEVER }, { 0 } } };
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(lines), 5, FATHOM_THREADS_CALLTREE);
	assert_int_equal(file.cube->location_count, 3);
	assert_location(&file, 0, "cluster 0 (1 thread)", "0");		/* the initial one was in main besides */
	assert_location(&file, 1, "cluster 1 (2 threads)", "1,3");
	assert_location(&file, 2, "cluster 2 (2 threads)", "2,4");
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(lines), 5, FATHOM_THREADS_SET);
	assert_tuple(&file, "time", "loop", (struct fathom_cube_tuple){ 3, 1, 1, 3, 3 });
	fathom_cube_reader_close(file.reader);
}

/* Task bodies are work where they ran, whatever their stub stands under; waits inside them are not. */
static void tasks_are_work_once(void **state)
{
	static const struct line lines[] = {
		{ "loop", 0, { 1, 6, 1, 3 }, { 0 } },
		{ "barrier", 0, { 0, 1, 1, 1 }, { 0 } },
		{ "task", 2, { NEVER, NEVER, 10, 4 }, { 0 } },	/* the stubs */
		{ "TASKS", 0, { NEVER, NEVER, NEVER, NEVER }, { 0 } },
		{ "task", 4, { NEVER, NEVER, 2, 4 }, { 0 } },
		{ "critical", 5, { NEVER, NEVER, 8, NEVER }, { 0 } },
	};
	struct opened file;

	(void)state;
	/* Work: 6, 1 + 2, 3 + 4. With stubs, or with the wait inside the task, thread 2 would be the slowest. */
	tell_and_open(&file, LINES(lines), 4, FATHOM_THREADS_KEY);
	assert_location(&file, 1, "fastest thread", "2");
	assert_location(&file, 2, "slowest thread", "3");
	fathom_cube_reader_close(file.reader);
}

/* A task that came from another thread leaves time here, but its visit is there. */
static void time_without_a_visit_is_not_lost(void **state)
{
	static const struct line lines[] = { { "task", 0, { NEVER, 3, 4 }, { 0, 2, NO_VISIT } } };
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(lines), 3, FATHOM_THREADS_SET);
	assert_tuple(&file, "time", "task", (struct fathom_cube_tuple){ 2, 3, 4, 7, 25 });
	assert_tuple(&file, "visits", "task", (struct fathom_cube_tuple){ 1, 2, 2, 2, 4 });
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(lines), 3, FATHOM_THREADS_SUM);
	assert_true(value(&file, "time", "task", 0) == 7);
	assert_true(value(&file, "num_threads", "task", 0) == 1);
	fathom_cube_reader_close(file.reader);
}

/* Call paths that read the same are one for each thread before anything is made of the threads. */
static void twins_are_one_before(void **state)
{
	static const struct line lines[] = {
		{ "twin", 0, { 2, 3, NEVER }, { 1, 2, 0 } },
		{ "twin's twin", 0, { NEVER, 4, 5 }, { 0, 1, 1 } },
	};
	struct opened file;

	(void)state;
	tell_and_open(&file, LINES(lines), 3, FATHOM_THREADS_SET);
	assert_int_equal(file.cube->cnode_count, 2);
	assert_tuple(&file, "time", "twin", (struct fathom_cube_tuple){ 3, 2, 7, 14, 78 });
	assert_tuple(&file, "visits", "twin", (struct fathom_cube_tuple){ 3, 1, 3, 5, 11 });
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(lines), 3, FATHOM_THREADS_SUM);
	assert_true(value(&file, "num_threads", "twin", 0) == 3);
	assert_true(value(&file, "time", "twin", 0) == 14);
	assert_true(value(&file, "min_time", "twin", 0) == 1.5);
	fathom_cube_reader_close(file.reader);
	tell_and_open(&file, LINES(lines), 3, FATHOM_THREADS_ALL);
	assert_true(value(&file, "time", "twin", 1) == 7);
	fathom_cube_reader_close(file.reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sum_adds_up_and_counts_threads),
		cmocka_unit_test(set_has_statistics_of_those_who_came),
		cmocka_unit_test(key_keeps_the_first_the_fastest_and_the_slowest),
		cmocka_unit_test(calltree_groups_those_who_came_to_the_same_places),
		cmocka_unit_test(all_keeps_each_thread_under_its_name),
		cmocka_unit_test(the_visits_of_the_static_schedule),
		cmocka_unit_test(few_threads_have_few_key_threads),
		cmocka_unit_test(one_thread_is_one_in_every_way),
		cmocka_unit_test(of_equal_threads_the_lower_is_chosen),
		cmocka_unit_test(an_idle_thread_is_alone),
		cmocka_unit_test(tasks_are_work_once),
		cmocka_unit_test(time_without_a_visit_is_not_lost),
		cmocka_unit_test(twins_are_one_before),
	};

	fathom_log_set_level(FATHOM_LOG_ERROR);		/* what was truncated in made-up runs is no news */
	alarm(300);	/* a rank that waits for ever */
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
