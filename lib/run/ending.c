/*
 * ending: all the ways in which a process can end, and what is done about each.
 *
 *   return from main, exit       the library's destructor, after the program's own
 *   quick_exit                   a handler of its own
 *   _exit, exec                  interposed here
 *   abort, fatal signals         handlers, where the program has none
 *   MPI_Abort                    wrappers/mpi calls fathom_runtime_save
 *   fork                         the child stops measuring; nothing is saved when it ends
 *   SIGKILL                      nothing: the last copy of run_snapshot.c is what remains
 *
 * Exit codes and signals stay as they would be without the measurement: the first event that ends the process decides
 * how it ends, the thread concerned saves the result (crash_saving.h), and other threads that would end the process
 * wait for that. The program never sees our handler: where it asks for the disposition of a signal it finds SIG_DFL,
 * and where it sets one it has its own.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "event/location.h"
#include "run/crash_saving.h"
#include "event/state.h"
#include "metric/counters.h"
#include "platform/log.h"

/* Signals that end a process if nobody handles them. */
static const int fatal_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
	SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
};
enum { FATAL_COUNT = sizeof(fatal_signals) / sizeof(*fatal_signals) };

static void on_fatal_signal(int number, siginfo_t *info, void *context);

/* The C library's own name for it, which nobody interposes; also in static programs. */
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* All signals are blocked in the handler (fathom_ending_init): a handler of the program could jump out of it. */
static struct sigaction our_action = {
	.sa_sigaction = on_fatal_signal,
	.sa_flags = SA_SIGINFO | SA_ONSTACK,
};

int fathom_ending_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	return __sigaction(number, action, old);
}

void fathom_ending_catch(int number, struct sigaction *old)
{
	__sigaction(number, &our_action, old);
}

bool fathom_ending_has_handlers(void)
{
	return fathom.phase != FATHOM_PHASE_OFF && fathom.settings.signals;
}

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

/* ThreadSanitizer calls sigaction before it is ready: in a build for it, neither that nor what it calls then is
 * instrumented. */
#define BEFORE_SANITIZER __attribute__((no_sanitize("thread")))

/* A signal that was put off may be ignored or handled by the program when it comes again. */
BEFORE_SANITIZER static void forget_decision(int number)
{
	if ((int)(__atomic_load_n(&decision, __ATOMIC_RELAXED) & 0xffffffff) == (BY_SIGNAL | number) &&
	    !fathom_crash_saving_is_busy())
		__atomic_store_n(&decision, 0, __ATOMIC_RELAXED);
}

static void end_by_signal(int number)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t only;

	__sigaction(number, &action, NULL);
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

	__sigaction(number, &action, NULL);
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
	fathom_runtime_rescue(why, FATHOM_END_BY_FORCE);
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

static bool is_fatal(int number)
{
	for (size_t i = 0; i < FATAL_COUNT; i++)
		if (fatal_signals[i] == number)
			return true;
	return false;
}

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_fatal_signal;
}

/* To the program, our handler is SIG_DFL, in both directions. */
FATHOM_API int sigaction(int number, const struct sigaction *action, struct sigaction *old);
BEFORE_SANITIZER
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	bool to_default = action && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
	int err;

	if (to_default && fathom_ending_has_handlers() && is_fatal(number))
		action = &our_action;
	err = __sigaction(number, action, old);
	if (!err && action && action != &our_action)
		forget_decision(number);
	if (!err && old && is_ours(old)) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = SIG_DFL;
	}
	return err;
}

FATHOM_API sighandler_t signal(int number, sighandler_t handler);
sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction old;

	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, number);
	return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

static void install_handlers(void)
{
	for (size_t i = 0; i < FATAL_COUNT; i++) {
		struct sigaction old;

		if (__sigaction(fatal_signals[i], NULL, &old) || (old.sa_flags & SA_SIGINFO) ||
		    old.sa_handler != SIG_DFL)
			continue;	/* ignored by the parent's wish, or somebody was earlier */
		__sigaction(fatal_signals[i], &our_action, NULL);
	}
}

/* Takes away signals that would end the process and have come since the signals of before were pending. */
static void drop_signals_since(const sigset_t *before)
{
	static const struct timespec at_once;
	sigset_t dropped;

	sigemptyset(&dropped);
	for (size_t i = 0; i < FATAL_COUNT; i++) {
		struct sigaction action;

		if (!sigismember(before, fatal_signals[i]) && !__sigaction(fatal_signals[i], NULL, &action) &&
		    is_ours(&action))
			sigaddset(&dropped, fatal_signals[i]);
	}
	while (sigtimedwait(&dropped, NULL, &at_once) > 0)
		;
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
	fathom_runtime_end();
	end_as_decided(BY_EXIT);
	drop_signals_since(&pending);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Only the calling thread lives on in the child; it is not measured. */
static void in_forked_child(void)
{
	fathom.phase = FATHOM_PHASE_OFF;
	fathom_location_forget_all();
	fathom_counters_forget();
}

void fathom_ending_init(void)
{
	pthread_atfork(NULL, NULL, in_forked_child);
	if (at_quick_exit(end_by_exit))
		fathom_log(FATHOM_LOG_INFO, "no place for a handler: quick_exit will lose the measurement");
	if (!fathom.settings.signals)
		return;
	sigfillset(&our_action.sa_mask);
	install_handlers();
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
		fathom_runtime_rescue("ended by _exit", FATHOM_END_BY_ITSELF);
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

/* Most calls of exec that fail do so for lack of a program; then nothing ends. */
static bool is_program(const char *path)
{
	return path && *path && access(path, X_OK) == 0;
}

/* The same for the way exec goes about a name without a slash: through the directories of PATH. */
static bool is_found(const char *file)
{
	const char *at = getenv("PATH");
	char path[1024];

	if (!file || strchr(file, '/'))
		return is_program(file);
	for (at = at ? at : "/bin:/usr/bin"; at; at = strchr(at, ':'), at = at ? at + 1 : NULL) {
		size_t length = strcspn(at, ":");

		fathom_format(path, sizeof(path), "%.*s%s%s", (int)length, at, length ? "/" : "", file);
		if (is_program(path))
			return true;
	}
	return false;
}

static void rescue_for_exec(bool is_there)
{
	int saved = errno;
	sigset_t mask;

	if (!is_there || !is_measured())
		return;
	block_signals(&mask);
	fathom_runtime_rescue("another program took its place (exec)", FATHOM_END_PERHAPS);
	end_as_decided(0);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	errno = saved;
}

FATHOM_API int execve(const char *path, char *const arguments[], char *const environment[]);
int execve(const char *path, char *const arguments[], char *const environment[])
{
	rescue_for_exec(is_program(path));
	return (int)syscall(SYS_execve, path, arguments, environment);
}

FATHOM_API int execv(const char *path, char *const arguments[]);
int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

/* fathom_interposed_NAME is NAME in the shared library (lib/local.mk): these go on to the C library's. */

typedef int exec_function(const char *, char *const[], char *const[]);

FATHOM_API int fathom_interposed_execvpe(const char *file, char *const arguments[], char *const environment[]);
int fathom_interposed_execvpe(const char *file, char *const arguments[], char *const environment[])
{
	exec_function *real;

	*(void **)&real = dlsym(RTLD_NEXT, "execvpe");
	if (!real) {
		errno = ENOSYS;
		return -1;
	}
	rescue_for_exec(is_found(file));
	return real(file, arguments, environment);
}

FATHOM_API int fathom_interposed_execvp(const char *file, char *const arguments[]);
int fathom_interposed_execvp(const char *file, char *const arguments[])
{
	return fathom_interposed_execvpe(file, arguments, environ);
}

/* The variadic ones: their arguments as an array, which is as large as it must be, for the stack of a thread may be
 * small; and behind the NULL perhaps an environment. */

/* With the NULL. */
static size_t count_arguments(const char *first, va_list rest)
{
	size_t count = 1;

	for (const char *argument = first; argument; argument = va_arg(rest, const char *))
		count++;
	return count;
}

static void collect(char *arguments[], const char *first, va_list rest)
{
	*arguments = (char *)first;
	while (*arguments++)
		*arguments = va_arg(rest, char *);
}

FATHOM_API int fathom_interposed_execl(const char *path, const char *argument, ...);
int fathom_interposed_execl(const char *path, const char *argument, ...)
{
	char **arguments;
	va_list rest;

	va_start(rest, argument);
	arguments = alloca(count_arguments(argument, rest) * sizeof(*arguments));
	va_end(rest);
	va_start(rest, argument);
	collect(arguments, argument, rest);
	va_end(rest);
	return execve(path, arguments, environ);
}

FATHOM_API int fathom_interposed_execlp(const char *file, const char *argument, ...);
int fathom_interposed_execlp(const char *file, const char *argument, ...)
{
	char **arguments;
	va_list rest;

	va_start(rest, argument);
	arguments = alloca(count_arguments(argument, rest) * sizeof(*arguments));
	va_end(rest);
	va_start(rest, argument);
	collect(arguments, argument, rest);
	va_end(rest);
	return fathom_interposed_execvpe(file, arguments, environ);
}

FATHOM_API int fathom_interposed_execle(const char *path, const char *argument, ...);
int fathom_interposed_execle(const char *path, const char *argument, ...)
{
	char *const *environment;
	char **arguments;
	va_list rest;

	va_start(rest, argument);
	arguments = alloca(count_arguments(argument, rest) * sizeof(*arguments));
	va_end(rest);
	va_start(rest, argument);
	collect(arguments, argument, rest);
	environment = va_arg(rest, char *const *);
	va_end(rest);
	return execve(path, arguments, environment);
}
