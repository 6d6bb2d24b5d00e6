/* The instruction rdpmc is tried before it is used, and a trap that comes later ends nothing. */
#include "unit_test.h"

#include <signal.h>
#include <ucontext.h>

#include "metric/rdpmc.h"

static void trying_it_changes_no_handler_and_no_mask(void **state)
{
	struct sigaction before[2], after[2];
	sigset_t mask_before, mask_after;

	(void)state;
	sigemptyset(&mask_before);
	sigaddset(&mask_before, SIGSEGV);
	sigprocmask(SIG_BLOCK, &mask_before, NULL);
	sigprocmask(SIG_BLOCK, NULL, &mask_before);
	sigaction(SIGSEGV, NULL, &before[0]);
	sigaction(SIGILL, NULL, &before[1]);
	(void)fathom_rdpmc_works(0);	/* whatever this machine says: the process goes on */
	sigaction(SIGSEGV, NULL, &after[0]);
	sigaction(SIGILL, NULL, &after[1]);
	sigprocmask(SIG_BLOCK, NULL, &mask_after);
	assert_ptr_equal(before[0].sa_sigaction, after[0].sa_sigaction);
	assert_ptr_equal(before[1].sa_sigaction, after[1].sa_sigaction);
	assert_true(sigismember(&mask_after, SIGSEGV));
	sigdelset(&mask_after, SIGSEGV);
	sigprocmask(SIG_SETMASK, &mask_after, NULL);
}

#if defined(__x86_64__)

static int traps, strangers;

static void recover(int number, siginfo_t *info, void *context)
{
	(void)info;
	traps++;
	if (!fathom_rdpmc_recover(number, context)) {
		strangers++;
		_exit(3);
	}
}

static void a_trap_of_it_is_survived(void **state)
{
	struct sigaction action = { .sa_sigaction = recover, .sa_flags = SA_SIGINFO }, segv, ill;
	uint64_t value;

	(void)state;
	sigaction(SIGSEGV, &action, &segv);
	sigaction(SIGILL, &action, &ill);
	fathom_rdpmc_has_trapped = false;
	value = fathom_rdpmc(0);
	sigaction(SIGSEGV, &segv, NULL);
	sigaction(SIGILL, &ill, NULL);
	assert_int_equal(strangers, 0);
	assert_int_equal(traps != 0, fathom_rdpmc_has_trapped);
	if (!traps)
		skip();		/* this machine lets every process execute it */
	assert_int_equal(traps, 1);
	assert_int_equal(value, 0);
	assert_false(fathom_rdpmc_works(0));
}

static void traps_of_the_program_are_its_own(void **state)
{
	static ucontext_t context;

	(void)state;
	fathom_rdpmc_has_trapped = false;
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)traps_of_the_program_are_its_own;
	assert_false(fathom_rdpmc_recover(SIGSEGV, &context));
	assert_false(fathom_rdpmc_recover(SIGILL, &context));
	assert_false(fathom_rdpmc_recover(SIGTERM, &context));
	assert_false(fathom_rdpmc_has_trapped);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trying_it_changes_no_handler_and_no_mask),
#if defined(__x86_64__)
		cmocka_unit_test(a_trap_of_it_is_survived),
		cmocka_unit_test(traps_of_the_program_are_its_own),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
