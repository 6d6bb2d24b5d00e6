/* The thread that saves the result: faults, threads that come second, its stack, its signals. */
#include "unit_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/crash_saving.h"
#include "run/signals/signal_handlers.h"
#include "event/state.h"

static void note(void *called)
{
	*(int *)called = 1;
}

static int *volatile nowhere = (int *)8;

static void crash(void *called)
{
	*(volatile int *)called = 1;
	*nowhere = 0;
	*(volatile int *)called = 2;
}

static void a_fault_ends_only_what_the_saver_does(void **state)
{
	volatile int called = 0;

	(void)state;
	assert_int_equal(fathom_crash_saving_run(crash, (void *)&called, false), FATHOM_SAVED_IN_PART);
	assert_int_equal(called, 1);
	assert_false(fathom_crash_saving_is_busy());
	assert_false(fathom_crash_saving_is_self());
	assert_int_equal(fathom_crash_saving_run(note, (void *)&called, false), FATHOM_SAVED);
}

static void use_much_stack(void *called)
{
	volatile char room[1 << 20];

	for (size_t i = 0; i < sizeof(room); i += 4096)
		room[i] = 1;
	assert_int_equal(room[4096], 1);
	*(int *)called = 1;
}

static void *save_with_much_stack(void *called)
{
	assert_int_equal(fathom_crash_saving_run(use_much_stack, called, false), FATHOM_SAVED);
	return NULL;
}

static void a_thread_with_a_small_stack_can_save(void **state)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int called = 0;

	(void)state;
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
	assert_int_equal(pthread_create(&thread, &attributes, save_with_much_stack, &called), 0);
	pthread_join(thread, NULL);
	assert_int_equal(called, 1);
}

static void look_at_signals(void *blocked)
{
	pthread_sigmask(SIG_SETMASK, NULL, blocked);
}

static void no_handler_of_the_program_interrupts_it(void **state)
{
	struct sigaction before, after;
	stack_t stack_before, stack_after;
	sigset_t blocked, mask;

	(void)state;
	fathom_signal_handlers_set(SIGSEGV, NULL, &before);
	sigaltstack(NULL, &stack_before);
	assert_int_equal(fathom_crash_saving_run(look_at_signals, &blocked, false), FATHOM_SAVED);
	fathom_signal_handlers_set(SIGSEGV, NULL, &after);
	sigaltstack(NULL, &stack_after);
	assert_true(sigismember(&blocked, SIGALRM) && sigismember(&blocked, SIGTERM) && sigismember(&blocked, SIGABRT));
	assert_false(sigismember(&blocked, SIGSEGV) || sigismember(&blocked, SIGBUS) || sigismember(&blocked, SIGTRAP));
	assert_ptr_equal(before.sa_sigaction, after.sa_sigaction);
	assert_ptr_equal(stack_before.ss_sp, stack_after.ss_sp);
	assert_int_equal(stack_before.ss_flags, stack_after.ss_flags);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	assert_false(sigismember(&mask, SIGALRM));
}

static void open_files(void *data)
{
	const char *path = data;

	for (int i = 0; i < 4; i++)
		if (open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0)
			return;
	assert_int_equal(unlink(path), 0);
}

/* Nothing that the program has opened is closed: the copy does that. */
static void a_process_without_file_descriptors_can_save(void **state)
{
	const struct rlimit few = { 32, 32 };
	char path[] = "/tmp/fathom-test-saver-XXXXXX";
	int fd = mkstemp(path), last = -1, again;
	struct rlimit before;
	struct stat facts;

	(void)state;
	assert_true(fd >= 0);
	getrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ few.rlim_cur, before.rlim_max }), 0);
	while ((again = dup(fd)) >= 0)
		last = again;
	assert_int_equal(fathom_crash_saving_run(open_files, path, false), FATHOM_SAVED);
	assert_int_not_equal(stat(path, &facts), 0);
	assert_int_equal(fstat(last, &facts), 0);
	assert_true(dup(fd) < 0);
	while (last > fd)
		close(last--);
	close(fd);
	setrlimit(RLIMIT_NOFILE, &before);
}

static volatile int has_begun, has_ended;

static void take_a_moment(void *unused)
{
	const struct timespec moment = { .tv_nsec = 50000000 };

	(void)unused;
	has_begun = 1;
	nanosleep(&moment, NULL);
	has_ended = 1;
}

static void *save_slowly(void *unused)
{
	assert_int_equal(fathom_crash_saving_run(take_a_moment, NULL, true), FATHOM_SAVED);
	return unused;
}

/* The last one: after that nobody saves any more. */
static void a_second_thread_waits_for_the_first(void **state)
{
	pthread_t thread;
	int called = 0;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, save_slowly, NULL), 0);
	while (!has_begun)
		sched_yield();
	assert_int_equal(fathom_crash_saving_run(note, &called, true), FATHOM_SAVED_BY_OTHER);
	assert_int_equal(has_ended, 1);
	assert_int_equal(called, 0);
	pthread_join(thread, NULL);
	assert_int_equal(fathom_crash_saving_run(note, &called, false), FATHOM_SAVED_BY_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_ends_only_what_the_saver_does),
		cmocka_unit_test(a_thread_with_a_small_stack_can_save),
		cmocka_unit_test(no_handler_of_the_program_interrupts_it),
		cmocka_unit_test(a_process_without_file_descriptors_can_save),
		cmocka_unit_test(a_second_thread_waits_for_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
