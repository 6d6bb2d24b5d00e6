/* System calls that a handler has made fail start again, and no others. */
#include "unit_test.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "sample/sampling_signal.h"

#if defined(__x86_64__) && defined(__LP64__)
enum { MOV_BYTES = 5, CALL_BYTES = 7, END = 64 + CALL_BYTES };

static uint8_t code[4096] __attribute__((aligned(4096)));

/* Returns by how many bytes the program goes back if a handler has interrupted it behind a call that returned result. */
static int goes_back(uint32_t call, greg_t result)
{
	ucontext_t context;
	uint8_t *place = code + END - CALL_BYTES;

	memset(&context, 0, sizeof(context));
	place[0] = 0xb8;		/* mov $call, %eax; syscall */
	memcpy(place + 1, &call, sizeof(call));
	place[MOV_BYTES] = 0x0f;
	place[MOV_BYTES + 1] = 0x05;
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(code + END);
	context.uc_mcontext.gregs[REG_RAX] = result;
	errno = 4711;
	fathom_sampling_signal_restart_call(&context);
	assert_int_equal(errno, 4711);
	return (int)((greg_t)(uintptr_t)(code + END) - context.uc_mcontext.gregs[REG_RIP]);
}

static void calls_that_wait_start_again(void **state)
{
	(void)state;
	assert_int_equal(goes_back(SYS_poll, -EINTR), CALL_BYTES);
	assert_int_equal(goes_back(SYS_nanosleep, -EINTR), CALL_BYTES);
	assert_int_equal(goes_back(SYS_epoll_wait, -EINTR), CALL_BYTES);
	assert_int_equal(goes_back(SYS_futex, -EINTR), CALL_BYTES);
}

static void other_calls_and_results_stay(void **state)
{
	(void)state;
	assert_int_equal(goes_back(SYS_close, -EINTR), 0);
	assert_int_equal(goes_back(SYS_connect, -EINTR), 0);
	assert_int_equal(goes_back(SYS_poll, 0), 0);
	assert_int_equal(goes_back(SYS_poll, -EAGAIN), 0);
}

static void nothing_starts_again_where_another_signal_waits(void **state)
{
	sigset_t number, before;

	(void)state;
	sigemptyset(&number);
	sigaddset(&number, SIGUSR1);
	sigprocmask(SIG_BLOCK, &number, &before);
	raise(SIGUSR1);		/* the context that was interrupted blocks no signal */
	assert_int_equal(goes_back(SYS_poll, -EINTR), 0);
	assert_int_equal(sigwaitinfo(&number, NULL), SIGUSR1);
	assert_int_equal(goes_back(SYS_poll, -EINTR), CALL_BYTES);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void code_at_the_begin_of_a_page_is_not_read(void **state)
{
	enum { NOTHING_MAPPED = 4096 + 3 };
	ucontext_t context;

	(void)state;
	memset(&context, 0, sizeof(context));
	context.uc_mcontext.gregs[REG_RIP] = NOTHING_MAPPED;
	context.uc_mcontext.gregs[REG_RAX] = -EINTR;
	fathom_sampling_signal_restart_call(&context);
	assert_int_equal(context.uc_mcontext.gregs[REG_RIP], NOTHING_MAPPED);
}
#endif

int main(void)
{
#if defined(__x86_64__) && defined(__LP64__)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_wait_start_again),
		cmocka_unit_test(other_calls_and_results_stay),
		cmocka_unit_test(nothing_starts_again_where_another_signal_waits),
		cmocka_unit_test(code_at_the_begin_of_a_page_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	printf("SKIP: this is for x86-64\n");
	return 77;
#endif
}
