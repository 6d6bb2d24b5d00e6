/*
 * Which call paths are blamed for idle threads, under a clock that the test moves: the blame is what threads have waited,
 * to the tick.
 */
#include "recorded_tree.h"
#include "stepping_threads.h"
#include "unit_test.h"

#include "event/event.h"
#include "event/state.h"
#include "event/teams/idleness.h"
#include "event/teams/task.h"
#include "event/teams/team.h"
#include "event/teams/waiting.h"

enum { THREADS = 4 };

static const struct fathom_region *regions_of[THREADS];	/* by thread: the region of its next step */
static const struct fathom_region *parallel, *management, *barrier, *wait_region, *a, *b, *inner, *serial, *task_region,
	*program;
static struct fathom_team *team;
static struct fathom_task *task;

static void enter(uint32_t thread)
{
	fathom_event_enter_block(regions_of[thread]);
}

static void leave(uint32_t thread)
{
	fathom_event_exit(regions_of[thread]);
}

static void enters(uint64_t time, uint32_t thread, const struct fathom_region *region)
{
	regions_of[thread] = region;
	at(time, thread, enter);
}

static void leaves(uint64_t time, uint32_t thread, const struct fathom_region *region)
{
	regions_of[thread] = region;
	at(time, thread, leave);
}

static void fork_team(uint32_t thread)
{
	(void)thread;
	team = fathom_event_fork(parallel, management, THREADS, FATHOM_PLACES_THREADS);
}

static void begin_team(uint32_t thread)
{
	fathom_event_team_begin(team, thread, THREADS);
}

static void wait_in(uint32_t thread)
{
	fathom_event_enter_block(regions_of[thread]);
	fathom_event_wait_begin();
}

static void go_on(uint32_t thread)
{
	fathom_event_wait_end();
	fathom_event_exit(regions_of[thread]);
}

static void waits(uint64_t time, uint32_t thread, const struct fathom_region *region)
{
	regions_of[thread] = region;
	at(time, thread, wait_in);
}

static void goes_on(uint64_t time, uint32_t thread, const struct fathom_region *region)
{
	regions_of[thread] = region;
	at(time, thread, go_on);
}

static void end_team(uint32_t thread)
{
	(void)thread;
	fathom_event_team_end(team);
}

static void join_team(uint32_t thread)
{
	(void)thread;
	fathom_event_join(team);
}

static void create_task(uint32_t thread)
{
	(void)thread;
	task = fathom_event_task_create(task_region);
}

static void begin_task(uint32_t thread)
{
	(void)thread;
	fathom_event_task_begin(task);
}

static void end_task(uint32_t thread)
{
	(void)thread;
	fathom_event_task_end(task);
}

static const struct fathom_region *test_region;

static void begin_test(const char *name)
{
	stepping_threads_begin_test();
	test_region = fathom_region_define(
		&(struct fathom_region){ .name = name, .paradigm = FATHOM_PARADIGM_USER });
	enters(0, 0, test_region);
	at(0, 0, fork_team);
	for (uint32_t t = 0; t < THREADS; t++)
		at(0, t, begin_team);
}

/* All threads are in the barrier at time. */
static void end_all(uint64_t time)
{
	for (uint32_t t = 0; t < THREADS; t++)
		goes_on(time, t, barrier);
	for (uint32_t t = THREADS; t-- > 0;)
		at(time, t, end_team);
	at(time, 0, join_team);
}

/* --- what was recorded ----------------------------------------------------------------------------- */

static struct fathom_process_tree *tree;

static void end_test(uint64_t time)
{
	leaves(time, 0, test_region);
	tree = recorded_tree_build();
	tree->processors = 8;
}

/* Returns whether path is below the test's region, or is in a task. */
static bool is_of_test(uint32_t path)
{
	for (; path; path = tree->tree.nodes[path].parent)
		if (tree->tree.nodes[path].key == test_region->id || tree->tree.nodes[path].key == task_region->id)
			return true;
	return false;
}

/* Returns the sum over all threads and all call paths of region; NULL: of all regions. */
static uint64_t value_of(const struct fathom_region *region, uint32_t value)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < tree->tree.count; i++) {
		if ((region && tree->tree.nodes[i].key != region->id) || !is_of_test(i))
			continue;
		sum += recorded_tree_sum(i, value);
	}
	return sum;
}

enum { BLAME = FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_IDLE_BLAME };

/* --- the tests ------------------------------------------------------------------------------------- */

/* A region of 10 s: thread 0 works 10 s in a, threads 1 to 3 work 4 s in b and wait then. */
static void who_works_alone_is_blamed(void **state)
{
	(void)state;
	begin_test("known answer");
	enters(0, 0, a);
	for (uint32_t t = 1; t < THREADS; t++)
		enters(0, t, b);
	for (uint32_t t = 1; t < THREADS; t++)
		leaves(4000, t, b);
	for (uint32_t t = 1; t < THREADS; t++)
		waits(4000, t, barrier);
	leaves(10000, 0, a);
	waits(10000, 0, barrier);
	end_all(10000);
	enters(10000, 0, serial);
	leaves(11000, 0, serial);
	end_test(11000);
	assert_int_equal(value_of(a, BLAME), 18000);
	assert_int_equal(value_of(b, BLAME), 0);
	assert_int_equal(value_of(barrier, FATHOM_VALUE_TIME), 18000);
	assert_int_equal(value_of(NULL, BLAME), 18000 + 3000);
	/* Outside of the region three threads are idle. */
	assert_int_equal(value_of(serial, BLAME), 3000);
	assert_int_equal(value_of(serial, FATHOM_VALUE_MISSING_THREADS), 3000);
	assert_int_equal(value_of(serial, FATHOM_VALUE_IDLE_PROCESSORS), 7000);
	/* Of 8 processors, 4 are idle until 4 s, and 7 then. */
	assert_int_equal(value_of(a, FATHOM_VALUE_MISSING_THREADS), 18000);
	assert_int_equal(value_of(a, FATHOM_VALUE_IDLE_PROCESSORS), 4000 + 7 * 6000);
	assert_int_equal(value_of(b, FATHOM_VALUE_IDLE_PROCESSORS), 3 * 4000);
	recorded_tree_free();
}

/* The blame goes to the function that a thread is in while another one waits, not to those before or after. */
static void the_function_of_that_moment_is_blamed(void **state)
{
	(void)state;
	begin_test("functions");
	enters(0, 0, a);
	enters(100, 0, inner);
	waits(200, 1, barrier);		/* rate 1/3 for the others */
	leaves(500, 0, inner);
	waits(800, 2, barrier);		/* 2/2 */
	waits(800, 3, barrier);		/* 3/1 */
	enters(1000, 0, inner);
	leaves(1100, 0, inner);
	leaves(1200, 0, a);
	waits(1200, 0, barrier);
	end_all(1200);
	end_test(1200);
	/* Of one tick, fractions may be lost at each change. */
	assert_in_range(value_of(inner, BLAME), 100 + 300 - 2, 100 + 300);
	assert_in_range(value_of(a, BLAME), 100 + 600 + 300 - 2, 100 + 600 + 300);
	assert_in_range(value_of(NULL, BLAME), 1000 + 400 + 400 - 6, 1000 + 400 + 400);
	assert_int_equal(value_of(barrier, FATHOM_VALUE_TIME), 1000 + 400 + 400);
	recorded_tree_free();
}

/* A thread that executes a task in a barrier works, and one that waits for it does not. */
static void tasks_are_work(void **state)
{
	(void)state;
	begin_test("tasks");
	enters(0, 0, a);
	at(0, 0, create_task);
	for (uint32_t t = 1; t < THREADS; t++)
		waits(100, t, barrier);
	at(200, 1, begin_task);		/* so far, a was blamed for 300 */
	waits(300, 0, wait_region);	/* 100 more, as the task; from now on only the task works */
	waits(500, 1, wait_region);	/* 600; nobody works */
	goes_on(550, 1, wait_region);
	at(600, 1, end_task);		/* 150 */
	goes_on(600, 0, wait_region);
	leaves(700, 0, a);		/* 300 */
	waits(700, 0, barrier);
	end_all(700);
	end_test(700);
	assert_int_equal(value_of(a, BLAME), 300 + 100 + 300);
	assert_int_equal(value_of(task_region, BLAME), 100 + 600 + 150);
	/* The task has waited, and was created in a. */
	assert_int_equal(value_of(a, FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_TASK_WAIT), 50);
	recorded_tree_free();
}

/* After a team, nothing is charged any more, and enters take the short way. */
static void no_thread_is_idle_after_the_team(void **state)
{
	(void)state;
	begin_test("after");
	waits(10, 1, barrier);
	assert_ptr_equal(fathom.enter, fathom_idle_stage_enter);
	waits(20, 2, barrier);
	waits(20, 3, barrier);
	waits(20, 0, barrier);
	end_all(30);
	assert_ptr_equal(fathom.enter, fathom.substrate->chain.enter);
	assert_ptr_equal(fathom.exit, fathom.substrate->chain.exit);
	end_test(30);
	recorded_tree_free();
}

static const struct recorded_region regions[] = {
	{ "parallel", &parallel, FATHOM_ROLE_PARALLEL, FATHOM_PARADIGM_OPENMP, 0 },
	{ "fork and join", &management, FATHOM_ROLE_ARTIFICIAL, FATHOM_PARADIGM_OPENMP, 0 },
	{ "barrier", &barrier, FATHOM_ROLE_IMPLICIT_BARRIER, FATHOM_PARADIGM_OPENMP, 0 },
	{ "taskwait", &wait_region, FATHOM_ROLE_TASK_WAIT, FATHOM_PARADIGM_OPENMP, 0 },
	{ "task", &task_region, FATHOM_ROLE_TASK, FATHOM_PARADIGM_OPENMP, 0 },
	{ "a", &a, FATHOM_ROLE_FUNCTION, FATHOM_PARADIGM_COMPILER, 0 },
	{ "b", &b, FATHOM_ROLE_FUNCTION, FATHOM_PARADIGM_COMPILER, 0 },
	{ "inner", &inner, FATHOM_ROLE_FUNCTION, FATHOM_PARADIGM_COMPILER, 0 },
	{ "serial", &serial, FATHOM_ROLE_FUNCTION, FATHOM_PARADIGM_COMPILER, 0 },
	{ "program", &program, FATHOM_ROLE_FUNCTION, FATHOM_PARADIGM_COMPILER, 0 },
};

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_works_alone_is_blamed),
		cmocka_unit_test(the_function_of_that_moment_is_blamed),
		cmocka_unit_test(tasks_are_work),
		cmocka_unit_test(no_thread_is_idle_after_the_team),
	};

	fathom.settings.idleness = 1;
	recorded_tree_begin(regions, sizeof(regions) / sizeof(*regions), THREADS);
	enters(0, 0, program);		/* the leader is the first thread that records */
	return cmocka_run_group_tests(tests, NULL, recorded_tree_end);
}
