/*
 * Who waits for a lock, and who is blamed for it, under a clock that the test moves: what threads have waited is what
 * others are blamed for, to the tick.
 */
#include "recorded_tree.h"
#include "stepping_threads.h"
#include "unit_test.h"

#include "event/event.h"
#include "event/locks/locks.h"

enum { THREADS = 3, MOST_LOCKS = 4 };

static struct {			/* by thread */
	int lock;
	const struct fathom_region *function;
} threads[THREADS];

static char locks[MOST_LOCKS];
static const struct fathom_region *lock_region, *unlock_region, *critical, *block, *wait_region;

static void begin_function(uint32_t thread)
{
	fathom_event_enter_block(threads[thread].function);
}

static void end_function(uint32_t thread)
{
	fathom_event_exit(threads[thread].function);
}

static void ask(uint32_t thread)
{
	(void)thread;
	fathom_event_enter_block(lock_region);
}

static void get(uint32_t thread)
{
	fathom_event_lock_acquired(&locks[threads[thread].lock], FATHOM_PARADIGM_PTHREAD);
	fathom_event_exit(lock_region);
}

static void release(uint32_t thread)
{
	fathom_event_enter_block(unlock_region);
	fathom_event_lock_release(&locks[threads[thread].lock], FATHOM_PARADIGM_PTHREAD);
	fathom_event_exit(unlock_region);
}

/* The release is reported when other threads may have acquired the lock already. */
static void report_release(uint32_t thread)
{
	fathom_event_lock_released(&locks[threads[thread].lock], FATHOM_PARADIGM_PTHREAD);
}

static void ask_for_block(uint32_t thread)
{
	(void)thread;
	fathom_event_enter_block(critical);
}

static void begin_block(uint32_t thread)
{
	fathom_event_lock_acquired(&locks[threads[thread].lock], FATHOM_PARADIGM_OPENMP);
	fathom_event_enter_block(block);
}

static void end_block(uint32_t thread)
{
	fathom_event_exit_and_release(block, &locks[threads[thread].lock], FATHOM_PARADIGM_OPENMP);
	fathom_event_exit(critical);
}

static uint32_t lent_depth;

static void begin_condition(uint32_t thread)
{
	fathom_event_enter_block(wait_region);
	lent_depth = fathom_event_lock_lend(&locks[threads[thread].lock], FATHOM_PARADIGM_PTHREAD);
}

static void end_condition(uint32_t thread)
{
	fathom_event_lock_regain(&locks[threads[thread].lock], FATHOM_PARADIGM_PTHREAD, lent_depth);
	fathom_event_exit(wait_region);
}

static void begin_test(const char *name)
{
	static int tests;

	stepping_threads_begin_test();
	for (uint32_t t = 0; t < THREADS; t++) {
		char text[64];

		snprintf(text, sizeof(text), "%s %u", name, t);
		threads[t].lock = tests % MOST_LOCKS;
		threads[t].function = fathom_region_define(
			&(struct fathom_region){ .name = text, .paradigm = FATHOM_PARADIGM_USER });
		at(0, t, begin_function);
	}
	tests++;
}

/* --- what was recorded ----------------------------------------------------------------------------- */

static const struct fathom_process_tree *tree;

static void end_test(void)
{
	for (uint32_t t = 0; t < THREADS; t++)
		at(stepping_threads_time(), t, end_function);
	fathom_event_locks_settle();
	tree = recorded_tree_build();
}

/* Returns the sum over locations at the call path with region below that of a thread's function; NULL: of the function
 * itself. */
static uint64_t value_of(uint32_t thread, const struct fathom_region *region, enum fathom_counter counter)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < tree->tree.count; i++) {
		const struct fathom_tree_node *node = &tree->tree.nodes[i];
		const struct fathom_tree_node *function = region ? &tree->tree.nodes[node->parent] : node;

		if (function->key != threads[thread].function->id || (region && node->key != region->id))
			continue;
		sum += recorded_tree_sum(i, FATHOM_VALUE_COUNTERS + (uint32_t)counter);
	}
	return sum;
}

static void waited(uint32_t thread, const struct fathom_region *region, uint64_t ticks)
{
	assert_int_equal(value_of(thread, region, FATHOM_COUNTER_LOCK_WAIT), ticks);
}

static void blamed(uint32_t thread, const struct fathom_region *region, uint64_t ticks)
{
	assert_int_equal(value_of(thread, region, FATHOM_COUNTER_LOCK_BLAME), ticks);
}

/* --- the tests ------------------------------------------------------------------------------------- */

/* T0 holds 0..10, T1 waits from 2 and T2 from 4; T1 then holds 10..13, T2 13..14. */
static void holders_are_blamed_for_the_part_that_they_held(void **state)
{
	(void)state;
	begin_test("known answer");
	at(0, 0, ask);
	at(0, 0, get);
	at(2, 1, ask);
	at(4, 2, ask);
	at(10, 0, release);
	at(10, 1, get);
	at(13, 1, release);
	at(13, 2, get);
	at(14, 2, release);
	end_test();
	waited(0, lock_region, 0);
	waited(1, lock_region, 8);
	waited(2, lock_region, 9);
	blamed(0, NULL, 14);
	blamed(1, NULL, 3);
	blamed(2, NULL, 0);
	recorded_tree_free();
}

static void critical_constructs_are_locks(void **state)
{
	(void)state;
	begin_test("critical");
	at(0, 0, ask_for_block);
	at(0, 0, begin_block);
	at(2, 1, ask_for_block);
	at(4, 2, ask_for_block);
	at(10, 0, end_block);
	at(11, 1, begin_block);		/* the time in between belongs to the next hold */
	at(13, 1, end_block);
	at(13, 2, begin_block);
	at(14, 2, end_block);
	end_test();
	waited(1, critical, 8);
	waited(2, critical, 9);
	blamed(0, critical, 14);
	blamed(1, critical, 3);
	recorded_tree_free();
}

/* OMPT reports a release when it is over: here T1 has acquired the lock before. */
static void late_releases_end_with_the_next_acquisition(void **state)
{
	(void)state;
	begin_test("late");
	at(0, 0, ask);
	at(0, 0, get);
	at(5, 0, report_release);
	at(6, 0, ask);
	at(6, 0, get);
	at(7, 1, ask);
	at(10, 1, get);
	at(11, 0, report_release);
	at(12, 2, ask);
	at(15, 1, report_release);
	at(15, 2, get);
	at(16, 2, report_release);
	end_test();
	waited(0, lock_region, 0);
	waited(1, lock_region, 3);
	waited(2, lock_region, 3);
	blamed(0, NULL, 3);
	blamed(1, NULL, 3);
	blamed(2, NULL, 0);
	recorded_tree_free();
}

static void a_nested_acquisition_is_no_hold_of_its_own(void **state)
{
	(void)state;
	begin_test("nested");
	at(0, 0, ask);
	at(0, 0, get);
	at(1, 1, ask);
	at(2, 0, ask);
	at(3, 0, get);
	at(4, 0, release);
	at(9, 0, release);
	at(9, 1, get);
	at(10, 1, release);
	end_test();
	waited(0, lock_region, 0);
	waited(1, lock_region, 8);
	blamed(0, NULL, 8);
	recorded_tree_free();
}

static void a_condition_is_charged_to_the_last_holder(void **state)
{
	(void)state;
	begin_test("condition");
	at(0, 0, ask);
	at(0, 0, get);
	at(3, 0, begin_condition);
	at(5, 1, ask);
	at(5, 1, get);
	at(20, 1, release);
	at(21, 0, end_condition);
	at(22, 0, begin_condition);	/* nobody holds the lock meanwhile: a timeout */
	at(30, 0, end_condition);
	at(31, 2, ask);
	at(33, 0, release);
	at(33, 2, get);
	at(34, 2, release);
	end_test();
	assert_int_equal(value_of(0, wait_region, FATHOM_COUNTER_CONDITION_WAIT), 17);
	assert_int_equal(value_of(1, NULL, FATHOM_COUNTER_CONDITION_BLAME), 17);
	assert_int_equal(value_of(0, NULL, FATHOM_COUNTER_CONDITION_BLAME), 0);
	waited(2, lock_region, 2);
	blamed(0, NULL, 2);
	recorded_tree_free();
}

/* T1 asks at 10 and gets the lock after T0 has held it 200 times: more than are kept. */
static void a_thread_may_wait_for_many_holds(void **state)
{
	uint64_t time = 10;

	(void)state;
	begin_test("many");
	at(0, 0, ask);
	at(0, 0, get);
	at(2, 2, ask);
	at(5, 0, release);
	at(5, 2, get);
	at(6, 2, release);
	at(10, 1, ask);
	for (int i = 0; i < 200; i++) {
		at(time, 0, ask);
		at(time, 0, get);
		at(time += 3, 0, release);
		time += 1;
	}
	at(time, 1, get);
	at(time, 2, ask);
	at(time + 5, 1, release);
	at(time + 5, 2, get);
	at(time + 5, 2, release);
	end_test();
	blamed(1, NULL, 5);
	blamed(2, NULL, 0);
	waited(2, lock_region, 3 + 5);
	/* Of the holds that are kept, only the time when the lock was held counts. */
	assert_true(value_of(1, lock_region, FATHOM_COUNTER_LOCK_WAIT) >= 200 * 3);
	assert_true(value_of(1, lock_region, FATHOM_COUNTER_LOCK_WAIT) < 200 * 4);
	blamed(0, NULL, value_of(1, lock_region, FATHOM_COUNTER_LOCK_WAIT) + 3);
	recorded_tree_free();
}

/* Three threads in any order: the sums are equal, also when a result is made in between. */
static void what_is_waited_is_blamed(void **state)
{
	enum { FREE, ASKED, HOLDS } doing[THREADS] = { FREE, FREE, FREE };
	uint32_t seed = 7;
	int64_t holder = -1;
	uint64_t all_waited = 0, all_blamed = 0;

	(void)state;
	begin_test("random");
	for (uint64_t time = 0; time < 20000; time++) {
		uint32_t t = ((seed = seed * 1664525 + 1013904223) >> 16) % THREADS;

		if (doing[t] == FREE) {
			at(time, t, ask);
			doing[t] = ASKED;
		} else if (doing[t] == ASKED && holder < 0) {
			at(time, t, get);
			doing[t] = HOLDS;
			holder = t;
		} else if (doing[t] == HOLDS) {
			at(time, t, release);
			doing[t] = FREE;
			holder = -1;
		}
		if (time % 1000 == 0)
			fathom_event_locks_settle();
	}
	if (holder >= 0)
		at(20000, (uint32_t)holder, release);
	end_test();
	for (uint32_t t = 0; t < THREADS; t++) {
		all_waited += value_of(t, lock_region, FATHOM_COUNTER_LOCK_WAIT);
		all_blamed += value_of(t, NULL, FATHOM_COUNTER_LOCK_BLAME);
	}
	assert_true(all_waited > 10000);
	assert_int_equal(all_waited, all_blamed);
	recorded_tree_free();
}

static const struct recorded_region regions[] = {
	{ "lock", &lock_region, FATHOM_ROLE_LOCK, FATHOM_PARADIGM_PTHREAD, FATHOM_ACTIVITY_PTHREAD_MUTEX },
	{ "unlock", &unlock_region, FATHOM_ROLE_LOCK, FATHOM_PARADIGM_PTHREAD, FATHOM_ACTIVITY_PTHREAD_MUTEX },
	{ "critical", &critical, FATHOM_ROLE_CRITICAL, FATHOM_PARADIGM_OPENMP, FATHOM_ACTIVITY_OMP_CRITICAL },
	{ "block", &block, FATHOM_ROLE_CRITICAL_SBLOCK, FATHOM_PARADIGM_OPENMP,
	  FATHOM_ACTIVITY_COMPUTATION },
	{ "wait", &wait_region, FATHOM_ROLE_WRAPPER, FATHOM_PARADIGM_PTHREAD,
	  FATHOM_ACTIVITY_PTHREAD_CONDITION },
};

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holders_are_blamed_for_the_part_that_they_held),
		cmocka_unit_test(critical_constructs_are_locks),
		cmocka_unit_test(late_releases_end_with_the_next_acquisition),
		cmocka_unit_test(a_nested_acquisition_is_no_hold_of_its_own),
		cmocka_unit_test(a_condition_is_charged_to_the_last_holder),
		cmocka_unit_test(a_thread_may_wait_for_many_holds),
		cmocka_unit_test(what_is_waited_is_blamed),
	};

	recorded_tree_begin(regions, sizeof(regions) / sizeof(*regions), THREADS);
	return cmocka_run_group_tests(tests, NULL, recorded_tree_end);
}
