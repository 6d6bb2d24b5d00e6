/*
 * The functions that OPARI2 has programs call, called by hand, with a recorder in the core's place and a runtime
 * system that only notes what it is asked.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../wrappers/openmp/pomp2/nesting.h"
#include "openmp/pomp2/calls.h"
#include "define/region.h"
#include "pomp2_recorder.h"

/* --- the runtime system: it only notes who was called with what ---------------------------------- */

static __thread int thread_num;
static const char *called;
static void *called_with, *called_hint;
static int called_depth;

static int note(const char *name, void *lock)
{
	called = name;
	called_with = lock;
	called_depth = (int)recorder_depth();
	return 7;
}

int omp_get_thread_num(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void) { return thread_num; }
int omp_get_max_threads(void) { return 5; }
int omp_get_num_threads(void);
int omp_get_num_threads(void) { return thread_num + 1; }
int omp_get_cancellation(void);
int omp_get_cancellation(void) { return 1; }

#define LOCK_FUNCTION(type, name) \
	type name(void *lock); \
	type name(void *lock) { return (type)note(#name, lock); }
LOCK_FUNCTION(void, omp_init_lock)
LOCK_FUNCTION(void, omp_destroy_lock)
LOCK_FUNCTION(void, omp_set_lock)
LOCK_FUNCTION(void, omp_unset_lock)
LOCK_FUNCTION(int, omp_test_lock)
LOCK_FUNCTION(void, omp_init_nest_lock)
LOCK_FUNCTION(void, omp_destroy_nest_lock)
LOCK_FUNCTION(void, omp_set_nest_lock)
LOCK_FUNCTION(void, omp_unset_nest_lock)
LOCK_FUNCTION(int, omp_test_nest_lock)
LOCK_FUNCTION(void, omp_init_lock_)
LOCK_FUNCTION(void, omp_destroy_lock_)
LOCK_FUNCTION(void, omp_set_lock_)
LOCK_FUNCTION(void, omp_unset_lock_)
LOCK_FUNCTION(int, omp_test_lock_)
LOCK_FUNCTION(void, omp_init_nest_lock_)
LOCK_FUNCTION(void, omp_destroy_nest_lock_)
LOCK_FUNCTION(void, omp_set_nest_lock_)
LOCK_FUNCTION(void, omp_unset_nest_lock_)
LOCK_FUNCTION(int, omp_test_nest_lock_)

/* Of those with a hint this runtime has half. */
void omp_init_lock_with_hint(void *lock, int hint);
void omp_init_lock_with_hint(void *lock, int hint)
{
	note("omp_init_lock_with_hint", lock);
	called_hint = (void *)(intptr_t)hint;
}

void omp_init_nest_lock_with_hint_(void *lock, void *hint);
void omp_init_nest_lock_with_hint_(void *lock, void *hint)
{
	note("omp_init_nest_lock_with_hint_", lock);
	called_hint = hint;
}

/* --- helpers --------------------------------------------------------------------------------- */

static int reset(void **state)
{
	(void)state;
	recorder_reset();
	recorder_measure(true);
	recorder_refuse_tasks(false);
	called = NULL;
	pomp_tpd_ = 0;
	thread_num = 0;
	return 0;
}

static void expect_visits(const char *path, uint64_t visits)
{
	if (recorder_visits(path) != visits)
		fail_msg("%s: %llu visits, not %llu", path, (unsigned long long)recorder_visits(path),
			 (unsigned long long)visits);
}

static void expect_balance(void)
{
	assert_int_equal(recorder_faults(), 0);
	assert_int_equal(recorder_depth(), 0);
}

#define TEXT(type, line) "1*regionType=" type "*sscl=/s/e.c:" line ":" line "*escl=/s/e.c:" line ":" line "**"

/* As Fortran hands them over: behind the text is something that does not belong to it. */
#define FORTRAN(type, line) TEXT(type, line) "  XXXX", sizeof(TEXT(type, line)) + 1

/* --- every function -------------------------------------------------------------------------- */

/* What the next four tests leave behind, with loops called for and do. */
static void expect_loop(const char *loop)
{
	static const char *const inside[] = { "", "/!$omp ordered @e.c:2", "/!$omp ordered @e.c:2/!$omp ordered sblock @e.c:2",
		"/!$omp critical @e.c:3", "/!$omp critical @e.c:3/!$omp critical sblock @e.c:3", "/!$omp atomic @e.c:4",
		"/!$omp flush @e.c:5", "/!$omp implicit barrier @e.c:1" };
	char path[300];

	expect_balance();
	expect_visits("pomp region", 1);
	expect_visits("pomp region/!$omp parallel @e.c:1", 1);
	expect_visits("pomp region/!$omp parallel @e.c:1/!$omp fork and join @e.c:1", 2);
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		strcpy(path, "pomp region/!$omp parallel @e.c:1/!$omp ");
		strcat(strcat(strcat(path, loop), " @e.c:1"), inside[i]);
		expect_visits(path, 1);
	}
}

static void expect_blocks(void)
{
	expect_balance();
	expect_visits("!$omp sections @e.c:6/!$omp section @e.c:6", 1);
	expect_visits("!$omp workshare @e.c:7", 1);
	expect_visits("!$omp single @e.c:8/!$omp single sblock @e.c:8/!$omp master @e.c:9", 1);
	expect_visits("!$omp create task @e.c:10", 1);
	expect_visits("!$omp taskwait @e.c:11", 1);
	expect_visits("TASKS/!$omp task @e.c:10", 1);
	expect_visits("!$omp create untied @e.c:12", 1);
	expect_visits("!$omp barrier @e.c:13", 1);
	expect_visits("TASKS/!$omp untied task @e.c:12", 1);
}

static void a_loop_in_c(void **state)
{
	static void *h[6];
	int64_t old, outer;

	(void)state;
	POMP2_Init();
	POMP2_On();
	POMP2_USER_Assign_handle(&h[5], TEXT("userRegion", "1"));
	POMP2_Assign_handle(&h[0], TEXT("parallelfor", "1"));
	assert_non_null(h[0]);
	POMP2_Begin(&h[5], TEXT("userRegion", "1"));
	POMP2_Parallel_fork(&h[0], 1, 1, &outer, TEXT("parallelfor", "1"));
	POMP2_Parallel_begin(&h[0]);
	POMP2_For_enter(&h[0], TEXT("parallelfor", "1"));
	POMP2_Ordered_enter(&h[1], TEXT("ordered", "2"));
	POMP2_Ordered_begin(&h[1]);
	POMP2_Ordered_end(&h[1]);
	POMP2_Ordered_exit(&h[1]);
	POMP2_Critical_enter(&h[2], TEXT("critical", "3"));
	POMP2_Critical_begin(&h[2]);
	POMP2_Critical_end(&h[2]);
	POMP2_Critical_exit(&h[2]);
	POMP2_Atomic_enter(&h[3], TEXT("atomic", "4"));
	POMP2_Atomic_exit(&h[3]);
	POMP2_Flush_enter(&h[4], TEXT("flush", "5"));
	POMP2_Flush_exit(&h[4]);
	POMP2_Implicit_barrier_enter(&h[0], &old);
	POMP2_Implicit_barrier_exit(&h[0], old);
	POMP2_For_exit(&h[0]);
	POMP2_Parallel_end(&h[0]);
	POMP2_Parallel_join(&h[0], outer);
	POMP2_End(&h[5]);
	POMP2_Off();
	POMP2_Finalize();
	expect_loop("for");
	assert_int_equal(POMP2_Lib_get_max_threads(), 5);
	assert_int_equal(POMP2_Get_new_task_handle(), 0);
}

static void blocks_in_c(void **state)
{
	static void *h[8];
	int64_t old, new;

	(void)state;
	POMP2_Sections_enter(&h[0], TEXT("sections", "6"));
	POMP2_Section_begin(&h[0], TEXT("sections", "6"));
	POMP2_Section_end(&h[0]);
	POMP2_Sections_exit(&h[0]);
	POMP2_Workshare_enter(&h[1], TEXT("workshare", "7"));
	POMP2_Workshare_exit(&h[1]);
	POMP2_Single_enter(&h[2], TEXT("single", "8"));
	POMP2_Single_begin(&h[2]);
	POMP2_Master_begin(&h[3], TEXT("master", "9"));
	POMP2_Master_end(&h[3]);
	POMP2_Single_end(&h[2]);
	POMP2_Single_exit(&h[2]);
	POMP2_Task_create_begin(&h[4], &new, &old, 1, TEXT("task", "10"));
	POMP2_Task_create_end(&h[4], old);
	POMP2_Taskwait_begin(&h[5], &old, TEXT("taskwait", "11"));
	POMP2_Task_begin(&h[4], new);
	POMP2_Task_end(&h[4]);
	POMP2_Taskwait_end(&h[5], old);
	POMP2_Untied_task_create_begin(&h[6], &new, &old, 1, TEXT("task", "12") "hasUntied=1*");
	POMP2_Untied_task_create_end(&h[6], old);
	POMP2_Barrier_enter(&h[7], &old, TEXT("barrier", "13"));
	POMP2_Untied_task_begin(&h[6], new);
	POMP2_Untied_task_end(&h[6]);
	POMP2_Barrier_exit(&h[7], old);
	expect_blocks();
}

static void a_loop_in_fortran(void **state)
{
	static void *h[6];
	const int32_t yes = 1, one = 1;
	int64_t old, outer;

	(void)state;
	pomp2_init_();
	pomp2_on_();
	pomp2_user_assign_handle_(&h[5], FORTRAN("userRegion", "1"));
	pomp2_assign_handle_(&h[0], FORTRAN("paralleldo", "1"));
	assert_non_null(h[0]);
	pomp2_begin_(&h[5], FORTRAN("userRegion", "1"));
	pomp2_parallel_fork_(&h[0], &yes, &one, &outer, FORTRAN("paralleldo", "1"));
	pomp2_parallel_begin_(&h[0]);
	pomp2_do_enter_(&h[0], FORTRAN("paralleldo", "1"));
	pomp2_ordered_enter_(&h[1], FORTRAN("ordered", "2"));
	pomp2_ordered_begin_(&h[1]);
	pomp2_ordered_end_(&h[1]);
	pomp2_ordered_exit_(&h[1]);
	pomp2_critical_enter_(&h[2], FORTRAN("critical", "3"));
	pomp2_critical_begin_(&h[2]);
	pomp2_critical_end_(&h[2]);
	pomp2_critical_exit_(&h[2]);
	pomp2_atomic_enter_(&h[3], FORTRAN("atomic", "4"));
	pomp2_atomic_exit_(&h[3]);
	pomp2_flush_enter_(&h[4], FORTRAN("flush", "5"));
	pomp2_flush_exit_(&h[4]);
	pomp2_implicit_barrier_enter_(&h[0], &old);
	pomp2_implicit_barrier_exit_(&h[0], &old);
	pomp2_do_exit_(&h[0]);
	pomp2_parallel_end_(&h[0]);
	pomp2_parallel_join_(&h[0], &outer);
	pomp2_end_(&h[5]);
	pomp2_off_();
	pomp2_finalize_();
	expect_loop("do");
	assert_int_equal(pomp2_lib_get_max_threads_(), 5);
}

static void blocks_in_fortran(void **state)
{
	static void *h[8];
	static const char untied[] = TEXT("task", "12") "hasUntied=1*  ";
	const int32_t yes = 1;
	int64_t old, new;

	(void)state;
	pomp2_sections_enter_(&h[0], FORTRAN("sections", "6"));
	pomp2_section_begin_(&h[0], FORTRAN("sections", "6"));
	pomp2_section_end_(&h[0]);
	pomp2_sections_exit_(&h[0]);
	pomp2_workshare_enter_(&h[1], FORTRAN("workshare", "7"));
	pomp2_workshare_exit_(&h[1]);
	pomp2_single_enter_(&h[2], FORTRAN("single", "8"));
	pomp2_single_begin_(&h[2]);
	pomp2_master_begin_(&h[3], FORTRAN("master", "9"));
	pomp2_master_end_(&h[3]);
	pomp2_single_end_(&h[2]);
	pomp2_single_exit_(&h[2]);
	pomp2_task_create_begin_(&h[4], &new, &old, &yes, FORTRAN("task", "10"));
	pomp2_task_create_end_(&h[4], &old);
	pomp2_taskwait_begin_(&h[5], &old, FORTRAN("taskwait", "11"));
	pomp2_task_begin_(&h[4], &new);
	pomp2_task_end_(&h[4]);
	pomp2_taskwait_end_(&h[5], &old);
	pomp2_untied_task_create_begin_(&h[6], &new, &old, &yes, untied, sizeof(untied) - 1);
	pomp2_untied_task_create_end_(&h[6], &old);
	pomp2_barrier_enter_(&h[7], &old, FORTRAN("barrier", "13"));
	pomp2_untied_task_begin_(&h[6], &new);
	pomp2_untied_task_end_(&h[6]);
	pomp2_barrier_exit_(&h[7], &old);
	expect_blocks();
}

/* --- locks ----------------------------------------------------------------------------------- */

struct lock_case {
	const char *name;		/* of the region */
	const char *real;		/* what must be called */
	void (*call)(void *lock);	/* the one of these that there is */
	int (*test)(void *lock);
	int64_t (*test_fortran)(void *lock);
};

static const struct lock_case lock_cases[] = {
	{ "omp_init_lock", "omp_init_lock", POMP2_Init_lock, NULL, NULL },
	{ "omp_destroy_lock", "omp_destroy_lock", POMP2_Destroy_lock, NULL, NULL },
	{ "omp_set_lock", "omp_set_lock", POMP2_Set_lock, NULL, NULL },
	{ "omp_unset_lock", "omp_unset_lock", POMP2_Unset_lock, NULL, NULL },
	{ "omp_test_lock", "omp_test_lock", NULL, POMP2_Test_lock, NULL },
	{ "omp_init_nest_lock", "omp_init_nest_lock", POMP2_Init_nest_lock, NULL, NULL },
	{ "omp_destroy_nest_lock", "omp_destroy_nest_lock", POMP2_Destroy_nest_lock, NULL, NULL },
	{ "omp_set_nest_lock", "omp_set_nest_lock", POMP2_Set_nest_lock, NULL, NULL },
	{ "omp_unset_nest_lock", "omp_unset_nest_lock", POMP2_Unset_nest_lock, NULL, NULL },
	{ "omp_test_nest_lock", "omp_test_nest_lock", NULL, POMP2_Test_nest_lock, NULL },
	{ "omp_init_lock", "omp_init_lock_", pomp2_init_lock_, NULL, NULL },
	{ "omp_destroy_lock", "omp_destroy_lock_", pomp2_destroy_lock_, NULL, NULL },
	{ "omp_set_lock", "omp_set_lock_", pomp2_set_lock_, NULL, NULL },
	{ "omp_unset_lock", "omp_unset_lock_", pomp2_unset_lock_, NULL, NULL },
	{ "omp_test_lock", "omp_test_lock_", NULL, NULL, pomp2_test_lock_ },
	{ "omp_init_nest_lock", "omp_init_nest_lock_", pomp2_init_nest_lock_, NULL, NULL },
	{ "omp_destroy_nest_lock", "omp_destroy_nest_lock_", pomp2_destroy_nest_lock_, NULL, NULL },
	{ "omp_set_nest_lock", "omp_set_nest_lock_", pomp2_set_nest_lock_, NULL, NULL },
	{ "omp_unset_nest_lock", "omp_unset_nest_lock_", pomp2_unset_nest_lock_, NULL, NULL },
	{ "omp_test_nest_lock", "omp_test_nest_lock_", NULL, NULL, pomp2_test_nest_lock_ },
};

static void call_locks(bool measured)
{
	for (size_t i = 0; i < sizeof(lock_cases) / sizeof(*lock_cases); i++) {
		const struct lock_case *one = &lock_cases[i];
		uint64_t before = recorder_visits(one->name);
		int lock;

		if (one->test)
			assert_int_equal(one->test(&lock), 7);
		else if (one->test_fortran)
			assert_int_equal(one->test_fortran(&lock), 7);
		else
			one->call(&lock);
		assert_string_equal(called, one->real);
		assert_ptr_equal(called_with, &lock);
		assert_int_equal(called_depth, measured);
		expect_visits(one->name, before + measured);
	}
	expect_balance();
}

static void locks_are_the_runtimes_measured_or_not(void **state)
{
	(void)state;
	recorder_measure(false);
	call_locks(false);
	assert_null(recorder_region("omp_set_lock"));
	recorder_measure(true);
	call_locks(true);
	assert_string_equal(recorder_region("omp_set_lock")->file, "OMP");
	assert_int_equal(recorder_region("omp_set_lock")->role, FATHOM_ROLE_LOCK);
	assert_int_equal(recorder_region("omp_test_nest_lock")->role, FATHOM_ROLE_LOCK);
	assert_int_equal(recorder_region("omp_unset_lock")->role, FATHOM_ROLE_WRAPPER);
	assert_int_equal(recorder_region("omp_init_nest_lock")->role, FATHOM_ROLE_WRAPPER);
}

static void hints_reach_the_runtimes_that_take_them(void **state)
{
	int lock, hint;

	(void)state;
	POMP2_Init_lock_with_hint(&lock, 4);
	assert_string_equal(called, "omp_init_lock_with_hint");
	assert_int_equal((intptr_t)called_hint, 4);
	pomp2_init_nest_lock_with_hint_(&lock, &hint);
	assert_string_equal(called, "omp_init_nest_lock_with_hint_");
	assert_ptr_equal(called_hint, &hint);
	POMP2_Init_nest_lock_with_hint(&lock, 4);
	assert_string_equal(called, "omp_init_nest_lock");
	pomp2_init_lock_with_hint_(&lock, &hint);
	assert_string_equal(called, "omp_init_lock_");
	expect_visits("omp_init_lock_with_hint", 2);
	expect_visits("omp_init_nest_lock_with_hint", 2);
	expect_balance();
}

/* --- teams ----------------------------------------------------------------------------------- */

static void *parallel_handle;
#define PARALLEL TEXT("parallel", "50")

/* A thread of a team as the runtime and the copyin make it. */
struct member {
	int64_t copied;
	int number;
	int nested;	/* teams to fork in it */
	pthread_t thread;
};

static void run_team(int threads, int nested);

static void *member_body(void *argument)
{
	struct member *member = argument;

	thread_num = member->number;
	pomp_tpd_ = member->copied;
	POMP2_Parallel_begin(&parallel_handle);
	for (int i = 0; i < member->nested; i++)
		run_team(2, member->nested - 1);
	thread_num = member->number;
	POMP2_Parallel_end(&parallel_handle);
	return NULL;
}

static void run_team(int threads, int nested)
{
	struct member members[4];
	int64_t old, before = pomp_tpd_;

	assert_in_range(threads, 1, 4);
	POMP2_Parallel_fork(&parallel_handle, 1, threads, &old, PARALLEL);
	for (int i = 0; i < threads; i++) {
		members[i] = (struct member){ .copied = pomp_tpd_, .number = i, .nested = nested };
		if (i)
			assert_int_equal(pthread_create(&members[i].thread, NULL, member_body, &members[i]), 0);
	}
	member_body(&members[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(members[i].thread, NULL);
	POMP2_Parallel_join(&parallel_handle, old);
	assert_int_equal(pomp_tpd_, before);
}

static void nested_teams_find_their_own(void **state)
{
	(void)state;
	run_team(4, 2);
	expect_balance();
	expect_visits("!$omp parallel @e.c:50", 4);
	expect_visits("!$omp parallel @e.c:50/!$omp parallel @e.c:50", 4 * 2 * 2);
	expect_visits("!$omp parallel @e.c:50/!$omp parallel @e.c:50/!$omp parallel @e.c:50", 4 * 2 * 2 * 1 * 2);
	expect_visits("!$omp parallel @e.c:50/!$omp parallel @e.c:50/!$omp fork and join @e.c:50", 4 * 2 * 2);
}

static void *forking_thread(void *argument)
{
	for (int i = 0; i < 50; i++)
		run_team(2, 0);
	return argument;
}

static void threads_fork_teams_of_their_own(void **state)
{
	pthread_t threads[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, forking_thread, NULL), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	expect_balance();
	expect_visits("!$omp parallel @e.c:50", 300);
}

static void recurse(int depth)
{
	int64_t old, before = pomp_tpd_;

	POMP2_Parallel_fork(&parallel_handle, depth % 2, 4, &old, PARALLEL);
	POMP2_Parallel_begin(&parallel_handle);
	if (depth)
		recurse(depth - 1);
	POMP2_Parallel_end(&parallel_handle);
	POMP2_Parallel_join(&parallel_handle, old);
	assert_int_equal(pomp_tpd_, before);
}

static void *recursing_thread(void *argument)
{
	recurse(150);
	recurse(150);
	return argument;
}

/* Far more than a thread has room for itself. */
static void teams_of_one_nest_deeply(void **state)
{
	pthread_t threads[2];
	uint64_t visits = 0;
	char path[8000] = "";

	(void)state;
	recurse(150);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, recursing_thread, NULL), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	expect_balance();
	for (int i = 0; i <= 150; i++) {
		strcat(path, i ? "/!$omp parallel @e.c:50" : "!$omp parallel @e.c:50");
		expect_visits(path, 5);
		visits++;
	}
	assert_int_equal(visits, 151);
}

static void the_number_of_threads_is_the_most_there_can_be(void **state)
{
	static const struct {
		int parallel, threads, highest;
	} cases[] = { { 1, 3, 2 }, { 0, 3, 0 }, { 1, 0, 4 }, { 1, -1, 4 } };	/* omp_get_max_threads says 5 */
	int64_t old;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (int beyond = 0; beyond < 2; beyond++) {
			struct member member = { .number = cases[i].highest + beyond };

			recorder_reset();
			POMP2_Parallel_fork(&parallel_handle, cases[i].parallel, cases[i].threads, &old, PARALLEL);
			member.copied = pomp_tpd_;
			if (member.number) {
				pthread_create(&member.thread, NULL, member_body, &member);
				pthread_join(member.thread, NULL);
			} else {
				member_body(&member);
			}
			POMP2_Parallel_join(&parallel_handle, old);
			assert_int_equal(recorder_faults() != 0, beyond);
		}
	}
}

/* A team's thread that begins in code without copyin must not take an old team for its own. */
static void a_team_is_forgotten_at_its_end(void **state)
{
	int64_t old;

	(void)state;
	POMP2_Parallel_fork(&parallel_handle, 1, 1, &old, PARALLEL);
	POMP2_Parallel_begin(&parallel_handle);
	POMP2_Parallel_end(&parallel_handle);
	assert_int_equal(pomp_tpd_, 0);
	POMP2_Parallel_begin(&parallel_handle);
	POMP2_Parallel_end(&parallel_handle);
	POMP2_Parallel_join(&parallel_handle, old);
	POMP2_Parallel_join(&parallel_handle, old);	/* its fork was never told */
	expect_balance();
}

/* --- tasks ----------------------------------------------------------------------------------- */

static void *task_handle, *wait_handle;
#define TASK TEXT("task", "60")
#define TASKWAIT TEXT("taskwait", "61")

/* As the instrumented code has it, executed at once. */
static void run_task(int depth)
{
	int64_t new, old, waiting;

	POMP2_Task_create_begin(&task_handle, &new, &old, 1, TASK);
	POMP2_Task_create_end(&task_handle, old);
	POMP2_Taskwait_begin(&wait_handle, &waiting, TASKWAIT);
	POMP2_Task_begin(&task_handle, new);
	if (depth)
		run_task(depth - 1);
	POMP2_Task_end(&task_handle);
	POMP2_Taskwait_end(&wait_handle, waiting);
}

static void tasks_nest(void **state)
{
	(void)state;
	run_task(5);
	expect_balance();
	expect_visits("TASKS/!$omp task @e.c:60", 6);
	expect_visits("TASKS/!$omp task @e.c:60/!$omp create task @e.c:60", 5);
	expect_visits("TASKS/!$omp task @e.c:60/!$omp taskwait @e.c:61", 5);
	expect_visits("!$omp create task @e.c:60", 1);
}

static void tasks_without_memory_end_no_other(void **state)
{
	int64_t new, old;

	(void)state;
	POMP2_Task_create_begin(&task_handle, &new, &old, 1, TASK);
	POMP2_Task_create_end(&task_handle, old);
	POMP2_Task_begin(&task_handle, new);
	recorder_refuse_tasks(true);
	run_task(2);
	recorder_refuse_tasks(false);
	run_task(0);
	POMP2_Task_end(&task_handle);
	expect_balance();
	expect_visits("TASKS/!$omp task @e.c:60", 2);
	/* What is in tasks that are not recorded counts for the one that is. */
	expect_visits("TASKS/!$omp task @e.c:60/!$omp taskwait @e.c:61", 2);
	expect_visits("TASKS/!$omp task @e.c:60/!$omp taskwait @e.c:61/!$omp taskwait @e.c:61/!$omp taskwait @e.c:61", 1);
}

/* Variables of Fortran code that other threads wrote to, or nobody. */
static void task_ids_that_are_none_do_no_harm(void **state)
{
	static const int64_t ids[] = { 0, 1, -1, 0x7fffffffffff, INT64_MIN, INT64_MAX, 0x123456789abcdef0 };
	int64_t new, old;

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		POMP2_Task_begin(&task_handle, ids[i]);
		POMP2_Taskwait_begin(&wait_handle, &old, TASKWAIT);
		POMP2_Taskwait_end(&wait_handle, ids[i]);
		POMP2_Task_end(&task_handle);
	}
	expect_balance();

	/* An end too many ends nothing. */
	POMP2_Task_create_begin(&task_handle, &new, &old, 1, TASK);
	POMP2_Task_create_end(&task_handle, old);
	POMP2_Task_begin(&task_handle, new);
	POMP2_Task_end(&task_handle);
	POMP2_Task_end(&task_handle);
	expect_balance();
}

/* A task in which a team is forked: of tasks that are not recorded each side has its own count. */
static void a_team_in_a_task_counts_its_own_tasks(void **state)
{
	int64_t new, old, fork;

	(void)state;
	recorder_refuse_tasks(true);
	POMP2_Task_create_begin(&task_handle, &new, &old, 1, TASK);
	POMP2_Task_create_end(&task_handle, old);
	POMP2_Task_begin(&task_handle, new);
	recorder_refuse_tasks(false);
	POMP2_Parallel_fork(&parallel_handle, 1, 1, &fork, PARALLEL);
	POMP2_Parallel_begin(&parallel_handle);
	run_task(1);
	POMP2_Parallel_end(&parallel_handle);
	POMP2_Parallel_join(&parallel_handle, fork);
	POMP2_Task_end(&task_handle);
	run_task(0);
	expect_balance();
	expect_visits("TASKS/!$omp task @e.c:60", 3);
}

/* Some stack between a task and who runs it, as the runtime's functions need. */
static __attribute__((noinline)) void run_cancelled_task(int depth, bool ends)
{
	char below[300];
	int64_t new, old;

	__asm__ volatile("" : : "r"(below));
	POMP2_Task_create_begin(&task_handle, &new, &old, 1, TASK);
	POMP2_Task_create_end(&task_handle, old);
	POMP2_Task_begin(&task_handle, new);
	if (depth)
		run_cancelled_task(depth - 1, false);
	if (ends)
		POMP2_Task_end(&task_handle);
	__asm__ volatile("" : : "r"(below));
}

/* Their end is seen by where the next event comes from. */
static void cancelled_tasks_end_without_saying_so(void **state)
{
	static void *master;

	(void)state;
	for (int depth = 0; depth < 40; depth += 3) {
		POMP2_Master_begin(&master, TEXT("master", "80"));
		run_cancelled_task(depth, depth % 2);
		run_cancelled_task(depth, false);
		POMP2_Master_end(&master);
		expect_balance();
	}
	run_task(3);
	expect_balance();
	expect_visits("!$omp master @e.c:80", 14);
}

static void cancelled_tasks_without_memory_end_too(void **state)
{
	(void)state;
	for (int depth = 0; depth < 8; depth++) {
		recorder_refuse_tasks(true);
		run_cancelled_task(depth, depth % 2);
		recorder_refuse_tasks(false);
		run_task(1);
		expect_balance();
	}
	expect_visits("TASKS/!$omp task @e.c:60", 16);
}

/* --- not measured ---------------------------------------------------------------------------- */

static void nothing_is_done_while_nothing_is_measured(void **state)
{
	static void *h[4];
	int64_t new = 5, old = 5, fork = 5;

	(void)state;
	recorder_measure(false);
	POMP2_Parallel_fork(&h[0], 1, 4, &fork, TEXT("parallel", "70"));
	POMP2_Parallel_begin(&h[0]);
	POMP2_Barrier_enter(&h[1], &old, TEXT("barrier", "71"));
	POMP2_Barrier_exit(&h[1], old);
	POMP2_Task_create_begin(&h[2], &new, &old, 1, TEXT("task", "72"));
	POMP2_Task_create_end(&h[2], old);
	assert_int_equal(new | old | fork | pomp_tpd_, 0);
	POMP2_Task_begin(&h[2], new);
	POMP2_Task_end(&h[2]);
	POMP2_For_enter(&h[3], TEXT("for", "73"));

	/* It begins now. What is under way stays away, what comes is seen. */
	recorder_measure(true);
	POMP2_Implicit_barrier_enter(&h[3], &old);
	POMP2_Implicit_barrier_exit(&h[3], old);
	POMP2_For_exit(&h[3]);
	POMP2_Parallel_end(&h[0]);
	POMP2_Parallel_join(&h[0], fork);
	expect_balance();
	for (int i = 0; i < 4; i++)
		assert_null(h[i]);
	POMP2_Barrier_enter(&h[1], &old, TEXT("barrier", "71"));
	POMP2_Barrier_exit(&h[1], old);
	expect_visits("!$omp barrier @e.c:71", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_loop_in_c, reset),
		cmocka_unit_test_setup(blocks_in_c, reset),
		cmocka_unit_test_setup(a_loop_in_fortran, reset),
		cmocka_unit_test_setup(blocks_in_fortran, reset),
		cmocka_unit_test_setup(locks_are_the_runtimes_measured_or_not, reset),
		cmocka_unit_test_setup(hints_reach_the_runtimes_that_take_them, reset),
		cmocka_unit_test_setup(nested_teams_find_their_own, reset),
		cmocka_unit_test_setup(threads_fork_teams_of_their_own, reset),
		cmocka_unit_test_setup(teams_of_one_nest_deeply, reset),
		cmocka_unit_test_setup(the_number_of_threads_is_the_most_there_can_be, reset),
		cmocka_unit_test_setup(a_team_is_forgotten_at_its_end, reset),
		cmocka_unit_test_setup(tasks_nest, reset),
		cmocka_unit_test_setup(tasks_without_memory_end_no_other, reset),
		cmocka_unit_test_setup(task_ids_that_are_none_do_no_harm, reset),
		cmocka_unit_test_setup(a_team_in_a_task_counts_its_own_tasks, reset),
		cmocka_unit_test_setup(cancelled_tasks_end_without_saying_so, reset),
		cmocka_unit_test_setup(cancelled_tasks_without_memory_end_too, reset),
		cmocka_unit_test_setup(nothing_is_done_while_nothing_is_measured, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
