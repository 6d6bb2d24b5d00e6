/*
 * ending: all the ways in which a process can end, and what saves the result in each case.
 *
 *   return from main, exit       the library's destructor, which runs after the program's own
 *   quick_exit                   a handler registered with at_quick_exit
 *   _exit                        the function is interposed here
 *   exec                         the functions are interposed (exec.c)
 *   abort, fatal signals         signal handlers, unless the program has its own
 *   MPI_Abort                    wrappers/mpi calls fathom_runtime_save
 *   fork                         the child stops measuring; nothing is saved when it ends
 *   daemon                       the child continues the measurement (daemon.c)
 *   SIGKILL                      nothing: only the last copy of run_snapshot.c remains
 *
 * Exit codes and signals are the same as without the measurement: the first event that ends the process decides how it
 * ends, the thread of that event saves the result (crash_saving.h), and other threads that would end the process wait
 * for it. The program does not notice fathom's handler (signal_handlers.h).
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

#include "event/event.h"
#include "event/location.h"
#include "event/state.h"
#include "metric/counters.h"
#include "platform/log.h"
#include "run/crash_result.h"
#include "run/crash_saving.h"
#include "run/finish.h"
#include "run/signals/signal_handlers.h"
#include "sample/sampling.h"

/* Returns whether an instruction of this thread raised the signal, and not another thread or process. */
static bool is_from_instruction(int number, const siginfo_t *info)
{
	return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
				     number == SIGTRAP || number == SIGSYS);
}

/* Returns whether this process is measured and is no child of fork or vfork. */
static bool is_measured(void)
{
	return fathom_peek(&fathom.phase) != FATHOM_PHASE_OFF && (pid_t)syscall(SYS_getpid) == fathom.pid;
}

static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

/* --- how the process ends --------------------------------------------------------------------------- */

/*
 * How the process ends. The first event decides, as it would without the measurement. Saving the result takes a while,
 * in which other threads may crash, call _exit, or receive a signal.
 */
enum {
	BY_SIGNAL = 0x100,	/* plus the number of the signal */
	BY_CODE = 0x200,	/* plus the exit code: by _exit */
	BY_EXIT = 0x300,	/* by exit or quick_exit: the C library has the exit code */
	KINDS = 0x300,		/* the bits of the three above */
};

/* The id of the thread that decided, in the upper half, and how the process ends, in the lower one. Both are in one
 * word, so that one compare-and-swap lets the first thread decide. 0: no thread has decided. */
static uint64_t decision;

static uint64_t decision_of_this_thread(int how)
{
	return (uint64_t)syscall(SYS_gettid) << 32 | (uint32_t)how;
}

static void decide(int how)
{
	uint64_t nothing = 0;

	__atomic_compare_exchange_n(&decision, &nothing, decision_of_this_thread(how), false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

static bool has_decided(int how)
{
	return __atomic_load_n(&decision, __ATOMIC_RELAXED) == decision_of_this_thread(how);
}

/* Withdraws a decision for the signal, whose handling the program has changed: a signal that raise_again_later has
 * postponed may then no longer end the process. */
FATHOM_BEFORE_SANITIZER static void forget_decision(int number)
{
	if ((int)(__atomic_load_n(&decision, __ATOMIC_RELAXED) & 0xffffffff) == (BY_SIGNAL | number) &&
	    !fathom_crash_saving_is_busy())
		__atomic_store_n(&decision, 0, __ATOMIC_RELAXED);
}

/* Ends the process by the signal, at once. */
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
 * Ends the process as another thread has decided. That thread first gets 2 s to end the process itself, so that a core
 * file shows where it was. Returns if this thread has decided, or no thread has, or if the process ends by exit.
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
 * Makes the signal end the process as without fathom, as soon as the handler returns: then all other signals are
 * blocked. A faulting instruction is executed again and raises the signal again, with the same siginfo; other signals
 * are raised here.
 */
static void end_by_signal_on_return(int number, const siginfo_t *info, ucontext_t *context)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	fathom_signal_handlers_set(number, &action, NULL);
	/* The kernel's signal set is smaller than the C library's, and other data follow it. */
	memset(&context->uc_sigmask, 0xff, _NSIG / 8);
	sigdelset(&context->uc_sigmask, number);
	if (number == SIGSYS || !is_from_instruction(number, info))
		syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), number);
}

/*
 * Postpones a signal that another thread or process sent while this thread records an event: a timer raises it again 50
 * us later. To end the process now would leave the record incomplete. Returns false if the signal cannot be postponed
 * or has been postponed too often.
 */
static bool raise_again_later(int number, const siginfo_t *info)
{
	enum { PAUSE_NS = 50000, MOST_TRIES = 200 };
	static FATHOM_TLS int tries;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number };
	const struct itimerspec pause = { .it_value.tv_nsec = PAUSE_NS };
	int timer;

	if (!fathom_self->busy || fathom_self->busy == FATHOM_BUSY_FOR_EVER || is_from_instruction(number, info) ||
	    number == SIGABRT || fathom_peek(&fathom.phase) != FATHOM_PHASE_RECORDING || ++tries > MOST_TRIES)
		return false;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0 &&
	       syscall(SYS_timer_settime, timer, 0, &pause, NULL) == 0;
}

static void save_and_end(int number, const siginfo_t *info, void *context)
{
	const char *name = sigabbrev_np(number);
	/* The result has been saved in exit, and the thread that called exit still writes the program's buffered
	 * output. */
	bool is_late = (__atomic_load_n(&decision, __ATOMIC_RELAXED) & KINDS) == BY_EXIT &&
		       !fathom_crash_saving_is_busy();
	char why[64];

	decide(BY_SIGNAL | number);
	if (raise_again_later(number, info))
		return;
	fathom_signal_handlers_ignore_rest();
	fathom_format(why, sizeof(why), "ended by SIG%s", name ? name : "?");
	fathom_crash_result_save(why, FATHOM_END_BY_FORCE);
	if (!is_late)
		end_as_decided(BY_SIGNAL | number);
	end_by_signal_on_return(number, info, context);
}

static void on_fatal_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (fathom_counters_recover(number, context) || fathom_sampling_recover(number, info)) {
		errno = saved;
		return;
	}
	if (!is_measured()) {
		end_by_signal_on_return(number, info, context);
	} else if ((uint64_t)number == fathom.settings.trace_signal) {
		fathom_event_keep_newest();
	} else if (!fathom_crash_saving_is_self()) {
		save_and_end(number, info, context);
	} else if (is_from_instruction(number, info)) {
		fathom_crash_saving_give_up();
		end_as_decided(BY_SIGNAL | number);
		end_by_signal_on_return(number, info, context);
	}
	errno = saved;
}

/* Finishes the measurement in exit or quick_exit, which continues afterwards. */
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
		fathom_log(FATHOM_LOG_INFO, "at_quick_exit has failed: if the program calls quick_exit, its "
			   "measurement is lost");
	fathom_signal_handlers_init(on_fatal_signal, forget_decision);
}

/* Runs after the program's own destructors, whose work is still recorded. */
__attribute__((destructor(101))) static void finish(void)
{
	end_by_exit();
}

/* --- ends without destructors ------------------------------------------------------------------ */

FATHOM_API void _exit(int code);
void _exit(int code)
{
	sigset_t mask;

	if (is_measured()) {
		block_signals(&mask);
		decide(BY_CODE | (code & 0xff));
		fathom_signal_handlers_ignore_rest();
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

/* Saves the result of a process that is about to end in a call that may also fail; then the process continues. Returns
 * whether the process is measured. */
static bool save_before(const char *why)
{
	int saved = errno;
	sigset_t mask;

	if (!is_measured())
		return false;
	block_signals(&mask);
	fathom_crash_result_save(why, FATHOM_END_PERHAPS);
	end_as_decided(0);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	errno = saved;
	return true;
}

bool fathom_ending_before_exec(void)
{
	if (!save_before("another program replaced it (exec)"))
		return false;
	fathom_sampling_before_exec();
	return true;
}

void fathom_ending_before_daemon(void)
{
	save_before("a child continued as a daemon, without its other threads");
}
