/* What thread functions do, and that activities stand in an order in which their parents come first. */
#include "unit_test.h"

#include "cube/reader/activity_rules.h"
#include "define/region.h"

static enum fathom_activity of_pthread(const char *name)
{
	const struct fathom_cube_region region = {
		.name = name, .file = "PTHREAD", .paradigm = "pthread", .role = "wrapper",
	};

	return fathom_activity_by_rules(&region);
}

static void each_thread_function_belongs_to_what_it_does(void **state)
{
	static const struct {
		const char *name, *metric;
	} expected[] = {
		{ "pthread_create", "pthread_management" },
		{ "pthread_join", "pthread_management" },
		{ "pthread_tryjoin_np", "pthread_management" },
		{ "pthread_timedjoin_np", "pthread_management" },
		{ "pthread_clockjoin_np", "pthread_management" },
		{ "pthread_detach", "pthread_management" },
		{ "pthread_cancel", "pthread_management" },
		{ "pthread_exit", "pthread_management" },
		{ "thrd_create", "pthread_management" },
		{ "thrd_join", "pthread_management" },
		{ "thrd_detach", "pthread_management" },
		{ "thrd_exit", "pthread_management" },
		{ "pthread_mutex_lock", "pthread_lock_api" },
		{ "pthread_mutex_clocklock", "pthread_lock_api" },
		{ "mtx_timedlock", "pthread_lock_api" },
		{ "pthread_cond_wait", "pthread_conditional" },
		{ "cnd_broadcast", "pthread_conditional" },
		{ "pthread_rwlock_tryrdlock", "pthread_rwlock" },
		{ "pthread_spin_lock", "pthread_spin" },
		{ "pthread_barrier_wait", "pthread_barrier" },
		{ "pthread_once", "pthread_once" },
		{ "call_once", "pthread_once" },
		/* Not functions of threads: the thread itself, and what only reads like one. */
		{ "{thread}", "comp" },
		{ "pthread_mutexes", "comp" },
		{ "my_pthread_mutex_lock", "comp" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		enum fathom_activity activity = of_pthread(expected[i].name);

		if (strcmp(fathom_activity_table[activity].metric, expected[i].metric))
			fail_msg("%s is %s and not %s", expected[i].name, fathom_activity_table[activity].metric,
				 expected[i].metric);
	}
}

static void all_locks_are_synchronization(void **state)
{
	static const char *const names[] = { "pthread_mutex_lock", "pthread_rwlock_wrlock", "pthread_spin_lock",
					     "pthread_barrier_wait", "cnd_wait", "pthread_once" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(fathom_activity_within(of_pthread(names[i]), FATHOM_ACTIVITY_PTHREAD_SYNC));
		assert_true(fathom_activity_within(of_pthread(names[i]), FATHOM_ACTIVITY_PTHREAD));
	}
	assert_false(fathom_activity_within(of_pthread("pthread_join"), FATHOM_ACTIVITY_PTHREAD_SYNC));
}

static void a_region_has_the_class_of_its_role_or_the_given_one(void **state)
{
	const struct fathom_region barrier = { .name = "MPI_Barrier", .paradigm = FATHOM_PARADIGM_MPI,
					       .role = FATHOM_ROLE_BARRIER };
	const struct fathom_region wait = { .name = "MPI_Wait", .paradigm = FATHOM_PARADIGM_MPI,
					    .role = FATHOM_ROLE_FUNCTION,
					    .activity = FATHOM_ACTIVITY_MPI_REQUEST_COMPLETION };
	const struct fathom_region solve = { .name = "solve", .paradigm = FATHOM_PARADIGM_COMPILER,
					     .role = FATHOM_ROLE_FUNCTION };

	(void)state;
	assert_int_equal(fathom_region_define(&barrier)->activity, FATHOM_ACTIVITY_MPI_BARRIER);
	assert_int_equal(fathom_region_define(&wait)->activity, FATHOM_ACTIVITY_MPI_REQUEST_COMPLETION);
	assert_int_equal(fathom_region_define(&solve)->activity, FATHOM_ACTIVITY_COMPUTATION);
}

static void a_class_is_found_by_its_metric(void **state)
{
	(void)state;
	for (int a = 0; a < FATHOM_ACTIVITY_COUNT; a++)
		assert_int_equal(fathom_activity_by_metric(fathom_activity_table[a].metric), a);
	assert_int_equal(fathom_activity_by_metric("mpi_nothing"), FATHOM_ACTIVITY_NONE);
}

static void parents_come_first_and_metrics_differ(void **state)
{
	(void)state;
	for (int a = 0; a < FATHOM_ACTIVITY_COUNT; a++) {
		assert_non_null(fathom_activity_table[a].metric);
		assert_non_null(fathom_activity_table[a].title);
		assert_true(fathom_activity_table[a].parent < a);
		for (int b = 0; b < a; b++)
			assert_string_not_equal(fathom_activity_table[a].metric, fathom_activity_table[b].metric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_function_belongs_to_what_it_does),
		cmocka_unit_test(all_locks_are_synchronization),
		cmocka_unit_test(a_region_has_the_class_of_its_role_or_the_given_one),
		cmocka_unit_test(a_class_is_found_by_its_metric),
		cmocka_unit_test(parents_come_first_and_metrics_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
