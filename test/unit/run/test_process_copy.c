/* What a copy of the process returns, and that it never waits for a thread that was not copied. */
#include "unit_test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/process_copy.h"
#include "platform/lock.h"

enum { SECONDS = 20 };

static int return_it(void *data)
{
	return *(int *)data;
}

static void the_result_comes_back(void **state)
{
	int results[] = { 0, -ENOENT, -EDEADLK };

	(void)state;
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++)
		assert_int_equal(fathom_process_copy_run(return_it, &results[i], SECONDS), results[i]);
}

static int take_and_give(void *data)
{
	struct fathom_lock *lock = data;

	fathom_lock_take(lock);
	fathom_lock_give(lock);
	return 0;
}

struct hold {
	struct fathom_lock lock;
	pthread_barrier_t is_held;
};

static void *hold_for_a_while(void *data)
{
	struct hold *hold = data;

	fathom_lock_take(&hold->lock);
	pthread_barrier_wait(&hold->is_held);
	usleep(30000);
	fathom_lock_give(&hold->lock);
	return NULL;
}

/* Three copies made at once would all find the lock taken. */
static void a_lock_that_is_released_later_does_no_harm(void **state)
{
	static struct hold hold;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_barrier_init(&hold.is_held, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, hold_for_a_while, &hold), 0);
	pthread_barrier_wait(&hold.is_held);
	assert_int_equal(fathom_process_copy_run(take_and_give, &hold.lock, SECONDS), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_barrier_destroy(&hold.is_held);
}

static void a_lock_that_is_taken_ends_the_copy(void **state)
{
	struct fathom_lock lock = { 0 };

	(void)state;
	assert_int_equal(fathom_process_copy_run(take_and_give, &lock, SECONDS), 0);
	fathom_lock_take(&lock);
	assert_int_equal(fathom_process_copy_run(take_and_give, &lock, SECONDS), -EDEADLK);
	fathom_lock_give(&lock);
	assert_int_equal(fathom_process_copy_run(take_and_give, &lock, SECONDS), 0);
}

static int compute_for_ever(void *data)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (volatile int *number = data; *number >= 0;)
		*number ^= 1;
	return 0;
}

/* Also where the copy has blocked all signals. */
static void a_copy_that_computes_for_ever_is_killed(void **state)
{
	int number = 0;

	(void)state;
	assert_int_equal(fathom_process_copy_run(compute_for_ever, &number, 1), -EDEADLK);
}

static int wait_for_ever(void *data)
{
	sigset_t before;

	fathom_signals_block(&before);
	for (;;)
		pause();
	return *(int *)data;
}

/* Also where the copy has blocked signals as our locks do. */
static void a_copy_that_waits_for_ever_is_ended(void **state)
{
	(void)state;
	assert_int_equal(fathom_process_copy_run(wait_for_ever, NULL, 1), -EFAULT);
}

/* What timeout sends to the whole process group, more than once. */
static int be_signalled(void *data)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < 2 * sizeof(numbers) / sizeof(*numbers); i++)
		kill(getpid(), numbers[i / 2]);
	return *(int *)data;
}

static void signals_from_outside_do_not_end_the_copy(void **state)
{
	int result = -ENOENT;

	(void)state;
	assert_int_equal(fathom_process_copy_run(be_signalled, &result, SECONDS), result);
}

static int crash(void *data)
{
	const struct rlimit none = { 0, 0 };

	(void)data;
	setrlimit(RLIMIT_CORE, &none);
	abort();
}

static void a_crash_ends_the_copy_alone(void **state)
{
	(void)state;
	assert_int_equal(fathom_process_copy_run(crash, NULL, SECONDS), -EFAULT);
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_result_comes_back),
		cmocka_unit_test(a_lock_that_is_taken_ends_the_copy),
		cmocka_unit_test(a_lock_that_is_released_later_does_no_harm),
		cmocka_unit_test(a_copy_that_computes_for_ever_is_killed),
		cmocka_unit_test(a_copy_that_waits_for_ever_is_ended),
		cmocka_unit_test(signals_from_outside_do_not_end_the_copy),
		cmocka_unit_test(a_crash_ends_the_copy_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
