/* One thread at a time, and no handler on top of a holder. */
#include "unit_test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/lock.h"

enum { THREADS = 4, TURNS = 20000 };

static struct {
	struct fathom_lock lock;
	uint64_t one, other;	/* under the lock */
	int inside;
	int broken;		/* somebody else was inside */
} shared;

static void *take_turns(void *argument)
{
	(void)argument;
	for (int i = 0; i < TURNS; i++) {
		fathom_lock_take(&shared.lock);
		if (shared.inside++ || shared.one != shared.other)
			shared.broken = 1;
		shared.one++;
		shared.other = shared.one;
		shared.inside--;
		fathom_lock_give(&shared.lock);
	}
	return NULL;
}

static void one_thread_at_a_time(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, take_turns, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_false(shared.broken);
	assert_int_equal(shared.one, THREADS * TURNS);
}

static volatile sig_atomic_t caught;

static void count(int number)
{
	(void)number;
	caught++;
}

static void signals_wait_while_it_is_held(void **state)
{
	const int waiting[] = { SIGUSR1, SIGTERM, SIGINT, SIGALRM, SIGCHLD, SIGRTMIN };
	struct fathom_lock lock = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(waiting) / sizeof(*waiting); i++) {
		void (*before)(int) = signal(waiting[i], count);

		caught = 0;
		fathom_lock_take(&lock);
		raise(waiting[i]);
		assert_int_equal(caught, 0);
		fathom_lock_give(&lock);
		assert_int_equal(caught, 1);
		signal(waiting[i], before);
	}
}

/* Blocked, they would end the process and the measurement with it. */
static void crashes_do_not_wait(void **state)
{
	const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
	struct fathom_lock lock = { 0 };
	sigset_t blocked;

	(void)state;
	fathom_lock_take(&lock);
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	fathom_lock_give(&lock);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		assert_false(sigismember(&blocked, crashes[i]));
}

static void the_mask_is_afterwards_what_it_was(void **state)
{
	struct fathom_lock one = { 0 }, other = { 0 };
	sigset_t before, after;

	(void)state;
	sigemptyset(&before);
	sigaddset(&before, SIGUSR2);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	fathom_lock_take(&one);
	fathom_lock_take(&other);
	fathom_lock_give(&other);
	fathom_lock_give(&one);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int number = 1; number < SIGRTMIN; number++)
		assert_int_equal(sigismember(&after, number), sigismember(&before, number));
	sigemptyset(&before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void errno_is_kept(void **state)
{
	struct fathom_lock lock = { 0 };

	(void)state;
	errno = EDOM;
	fathom_lock_take(&lock);
	assert_int_equal(errno, EDOM);
	errno = ERANGE;
	fathom_lock_give(&lock);
	assert_int_equal(errno, ERANGE);
}

static void a_lock_reset_can_be_taken(void **state)
{
	struct fathom_lock lock = { 0 };
	sigset_t none;

	(void)state;
	fathom_lock_take(&lock);
	fathom_lock_reset(&lock);
	fathom_lock_take(&lock);
	fathom_lock_give(&lock);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int waiting_thread;

static void *wait_for_mutex(void *argument)
{
	waiting_thread = (int)syscall(SYS_gettid);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return argument;
}

static void a_thread_that_waits_for_a_lock_is_known(void **state)
{
	const struct timespec step = { .tv_nsec = 1000000 };
	pthread_t thread;
	bool is_awaited = false;

	(void)state;
	if (access("/proc/self/syscall", R_OK))
		skip();
	assert_false(fathom_lock_is_awaited_by((pid_t)syscall(SYS_gettid)));
	pthread_mutex_lock(&mutex);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_mutex, NULL), 0);
	for (int i = 0; i < 10000 && !is_awaited; i++) {
		nanosleep(&step, NULL);
		is_awaited = waiting_thread && fathom_lock_is_awaited_by(waiting_thread);
	}
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	assert_true(is_awaited);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_waits_for_a_lock_is_known),
		cmocka_unit_test(one_thread_at_a_time),
		cmocka_unit_test(signals_wait_while_it_is_held),
		cmocka_unit_test(crashes_do_not_wait),
		cmocka_unit_test(the_mask_is_afterwards_what_it_was),
		cmocka_unit_test(errno_is_kept),
		cmocka_unit_test(a_lock_reset_can_be_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
