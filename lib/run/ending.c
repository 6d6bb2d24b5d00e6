/*
 * ending: all the ways in which a process can end, and what is done about each.
 *
 *   return from main, exit       the library's destructor, after the program's own
 *   quick_exit                   a handler of its own
 *   _exit, exec                  interposed here
 *   abort, fatal signals         handlers, where the program has none
 *   MPI_Abort                    wrappers/mpi calls fathom_runtime_save
 *   fork                         the child stops measuring; nothing is saved when it ends
 *   daemon                       the child goes on with the measurement (daemon.c)
 *   SIGKILL                      nothing: the last copy of run_snapshot.c is what remains
 *
 * Exit codes and signals stay as they would be without the measurement: the first event that ends the process decides
 * how it ends, the thread concerned saves the result (crash_saving.h), and other threads that would end the process
 * wait for that. The program never sees our handler: where it asks for the disposition of a signal it finds SIG_DFL,
 * and where it sets one it has its own.
 */
#include "run/ending.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "event/location.h"
#include "event/state.h"
#include "metric/counters.h"
#include "platform/log.h"
#include "run/crash_result.h"
#include "run/crash_saving.h"
#include "run/finish.h"
#include "run/signal_handlers.h"

static bool is_from_instruction(int number, const siginfo_t *info)
{
	return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
				     number == SIGTRAP || number == SIGSYS);
}

/* This process is measured, and not a child of fork or vfork. */
static bool is_measured(void)
{
	return fathom.phase != FATHOM_PHASE_OFF && (pid_t)syscall(SYS_getpid) == fathom.pid;
}

static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

/* --- how the process ends --------------------------------------------------------------------------- */

/*
 * What comes first decides how the process ends, as it would without the measurement. Saving the result takes a while,
 * in which other threads may crash, call _exit, or get a signal.
 */
enum {
	BY_SIGNAL = 0x100,	/* and the signal's number */
	BY_CODE = 0x200,	/* and the exit code */
	BY_EXIT = 0x300,	/* the C library knows the code */
	KINDS = 0x300,
};

/* The thread that decided, and how: in one word, so that the first thread wins. 0: nothing has been decided. */
static uint64_t decision;

static uint64_t own_decision(int how)
{
	return (uint64_t)syscall(SYS_gettid) << 32 | (uint32_t)how;
}

static void decide(int how)
{
	uint64_t nothing = 0;

	__atomic_compare_exchange_n(&decision, &nothing, own_decision(how), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static bool has_decided(int how)
{
	return __atomic_load_n(&decision, __ATOMIC_RELAXED) == own_decision(how);
}

/* A signal that was put off may be ignored or handled by the program when it comes again. */
FATHOM_BEFORE_SANITIZER static void forget_decision(int number)
{
	if ((int)(__atomic_load_n(&decision, __ATOMIC_RELAXED) & 0xffffffff) == (BY_SIGNAL | number) &&
	    !fathom_crash_saving_is_busy())
		__atomic_store_n(&decision, 0, __ATOMIC_RELAXED);
}

static void end_by_signal(int number)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t only;

	fathom_signal_handlers_set(number, &action, NULL);
	sigfillset(&only);
	sigdelset(&only, number);
	pthread_sigmask(SIG_SETMASK, &only, NULL);
	syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), number);
}

/*
 * Ends the process as another thread has decided. That thread gets some time to do it itself, so that a core file shows
 * where it was. Comes back where this thread has decided, or none has, or where only the C library knows how to end.
 */
static void end_as_decided(int how)
{
	static const struct timespec patience = { .tv_sec = 2 };
	uint64_t decided = __atomic_load_n(&decision, __ATOMIC_RELAXED);
	int number = (int)decided & 0xff;

	if (!decided || has_decided(how))
		return;
	if (decided >> 32 != (uint64_t)syscall(SYS_gettid))
		syscall(SYS_nanosleep, &patience, NULL);
	switch (decided & KINDS) {
	case BY_SIGNAL:
		end_by_signal(number);
		break;
	case BY_CODE:
		syscall(SYS_exit_group, number);
	}
}

/* --- signals --------------------------------------------------------------------------------------- */

/*
 * Ends the process as the signal would have ended it without us, once the handler returns: then only this signal is not
 * blocked. A faulting instruction is executed again and raises the signal again, with all its circumstances.
 */
static void end_by(int number, const siginfo_t *info, ucontext_t *context)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	fathom_signal_handlers_set(number, &action, NULL);
	/* The kernel's set of signals is smaller than the C library's: other data stand behind it. */
	memset(&context->uc_sigmask, 0xff, _NSIG / 8);
	sigdelset(&context->uc_sigmask, number);
	if (number == SIGSYS || !is_from_instruction(number, info))
		syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), number);
}

/*
 * A signal from outside came while this thread records an event: what it writes would be cut in the middle. It comes
 * again a moment later, by a timer. False: that cannot be, or has been tried too often.
 */
static bool comes_again(int number, const siginfo_t *info)
{
	enum { PAUSE_NS = 50000, MOST_TRIES = 200 };
	static FATHOM_TLS int tries;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number };
	const struct itimerspec pause = { .it_value.tv_nsec = PAUSE_NS };
	int timer;

	if (!fathom_self->busy || fathom_self->busy == FATHOM_BUSY_FOR_EVER || is_from_instruction(number, info) ||
	    number == SIGABRT || fathom.phase != FATHOM_PHASE_RECORDING || ++tries > MOST_TRIES)
		return false;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0 &&
	       syscall(SYS_timer_settime, timer, 0, &pause, NULL) == 0;
}

static void rescue_and_end(int number, const siginfo_t *info, void *context)
{
	const char *name = sigabbrev_np(number);
	/* The process ends, but is not gone yet: the thread that called exit writes what the program has buffered. */
	bool is_late = (__atomic_load_n(&decision, __ATOMIC_RELAXED) & KINDS) == BY_EXIT &&
		       !fathom_crash_saving_is_busy();
	char why[64];

	decide(BY_SIGNAL | number);
	if (comes_again(number, info))
		return;
	fathom_format(why, sizeof(why), "ended by SIG%s", name ? name : "?");
	fathom_crash_result_save(why, FATHOM_END_BY_FORCE);
	if (!is_late)
		end_as_decided(BY_SIGNAL | number);
	end_by(number, info, context);
}

static void on_fatal_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (fathom_counters_recover(number, context))
		return;
	if (!is_measured()) {
		end_by(number, info, context);
	} else if (!fathom_crash_saving_is_self()) {
		rescue_and_end(number, info, context);
	} else if (is_from_instruction(number, info)) {
		fathom_crash_saving_give_up();
		end_by(number, info, context);
	}
	errno = saved;
}

/* The process ends by exit or quick_exit, which goes on afterwards: the C library writes what is buffered. */
static void end_by_exit(void)
{
	sigset_t mask, pending;

	if (!is_measured())
		return;
	sigpending(&pending);
	block_signals(&mask);
	decide(BY_EXIT);
	fathom_finish_process();
	end_as_decided(BY_EXIT);
	fathom_signal_handlers_drop_since(&pending);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void fathom_ending_init(void)
{
	if (at_quick_exit(end_by_exit))
		fathom_log(FATHOM_LOG_INFO, "no place for a handler: quick_exit will lose the measurement");
	fathom_signal_handlers_init(on_fatal_signal, forget_decision);
}

/* After the program's own destructors, which may still do something worth recording. */
__attribute__((destructor(101))) static void finish(void)
{
	end_by_exit();
}

/* --- leaving without handlers ------------------------------------------------------------------ */

FATHOM_API void _exit(int code);
void _exit(int code)
{
	sigset_t mask;

	if (is_measured()) {
		block_signals(&mask);
		decide(BY_CODE | (code & 0xff));
		fathom_crash_result_save("ended by _exit", FATHOM_END_BY_ITSELF);
		end_as_decided(BY_CODE | (code & 0xff));
	}
	for (;;)
		syscall(SYS_exit_group, code);
}

FATHOM_API void _Exit(int code);
void _Exit(int code)
{
	_exit(code);
}

/* Saves the result of a process that is about to end in a call that may also fail. */
static void save_before(const char *why)
{
	int saved = errno;
	sigset_t mask;

	if (!is_measured())
		return;
	block_signals(&mask);
	fathom_crash_result_save(why, FATHOM_END_PERHAPS);
	end_as_decided(0);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	errno = saved;
}

void fathom_ending_before_exec(void)
{
	save_before("another program took its place (exec)");
}

void fathom_ending_before_daemon(void)
{
	save_before("a child went on as a daemon, without its other threads");
}
