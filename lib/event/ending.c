/*
 * ending: all the ways in which a process can end, and what is done about each.
 *
 *   return from main, exit       the library's destructor, after the program's own
 *   quick_exit                   a handler of its own
 *   _exit, exec                  interposed here
 *   abort, fatal signals         handlers, where the program has none
 *   MPI_Abort                    wrappers/mpi calls fathom_runtime_save
 *   fork                         the child stops measuring; its end is nobody's
 *   SIGKILL                      nothing can be done
 *
 * The program keeps its ways: exit codes and signals stay as they are, and where it asks for
 * or sets the disposition of a signal it never meets our handler.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event/location.h"
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

static const struct sigaction our_action = {
	.sa_sigaction = on_fatal_signal,
	.sa_flags = SA_SIGINFO | SA_ONSTACK,
};

static bool is_from_instruction(int number, const siginfo_t *info)
{
	return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
				     number == SIGTRAP || number == SIGSYS);
}

/* End as the signal would have ended the program without us. */
static void end_by(int number, const siginfo_t *info)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	__sigaction(number, &action, NULL);
	/* Back to a faulting instruction it happens again by itself, with all its circumstances. */
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

static void on_fatal_signal(int number, siginfo_t *info, void *context)
{
	char why[64];
	int saved = errno;
	const char *name = sigabbrev_np(number);

	if (fathom_counters_recover(number, context))
		return;
	if (comes_again(number, info)) {
		errno = saved;
		return;
	}
	fathom_format(why, sizeof(why), "ended by SIG%s", name ? name : "?");
	fathom_runtime_rescue(why, FATHOM_END_BY_FORCE);
	end_by(number, info);
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

static bool watches_signals(void)
{
	return fathom.phase != FATHOM_PHASE_OFF && fathom.settings.signals;
}

/* To the program, our handler is SIG_DFL, in both directions. A build for ThreadSanitizer is called by it before it is
 * ready. */
FATHOM_API int sigaction(int number, const struct sigaction *action, struct sigaction *old);
__attribute__((no_sanitize("thread")))
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	bool to_default = action && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
	int err;

	if (to_default && watches_signals() && is_fatal(number))
		action = &our_action;
	err = __sigaction(number, action, old);
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

/* A deep recursion that overflows the stack leaves no room for a handler on it. */
static void give_alternate_stack(void)
{
	static char room[64 << 10];
	stack_t stack;

	if (sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_DISABLE))
		return;
	stack.ss_sp = room;
	stack.ss_size = sizeof(room);
	stack.ss_flags = 0;
	sigaltstack(&stack, NULL);
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
	if (at_quick_exit(fathom_runtime_end))
		fathom_log(FATHOM_LOG_INFO, "no place for a handler: quick_exit will lose the measurement");
	if (!fathom.settings.signals)
		return;
	give_alternate_stack();
	install_handlers();
}

/* After the program's own destructors, which may still do something worth recording. */
__attribute__((destructor(101))) static void finish(void)
{
	fathom_runtime_end();
}

/* --- leaving without handlers ------------------------------------------------------------------ */

FATHOM_API void _exit(int code);
void _exit(int code)
{
	fathom_runtime_rescue("ended by _exit", FATHOM_END_BY_ITSELF);
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
	char path[4096];

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

	if (is_there)
		fathom_runtime_rescue("another program took its place (exec)", FATHOM_END_PERHAPS);
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

/* The variadic ones: their arguments as an array, and behind the NULL perhaps an environment. */
enum { MOST_ARGUMENTS = 4096 };

static int collect(char *arguments[], const char *first, va_list rest)
{
	int count = 0;

	arguments[count++] = (char *)first;
	while (arguments[count - 1]) {
		if (count == MOST_ARGUMENTS) {
			errno = E2BIG;
			return -1;
		}
		arguments[count++] = va_arg(rest, char *);
	}
	return 0;
}

FATHOM_API int fathom_interposed_execl(const char *path, const char *argument, ...);
int fathom_interposed_execl(const char *path, const char *argument, ...)
{
	char *arguments[MOST_ARGUMENTS];
	va_list rest;
	int err;

	va_start(rest, argument);
	err = collect(arguments, argument, rest);
	va_end(rest);
	return err ? err : execve(path, arguments, environ);
}

FATHOM_API int fathom_interposed_execlp(const char *file, const char *argument, ...);
int fathom_interposed_execlp(const char *file, const char *argument, ...)
{
	char *arguments[MOST_ARGUMENTS];
	va_list rest;
	int err;

	va_start(rest, argument);
	err = collect(arguments, argument, rest);
	va_end(rest);
	return err ? err : fathom_interposed_execvpe(file, arguments, environ);
}

FATHOM_API int fathom_interposed_execle(const char *path, const char *argument, ...);
int fathom_interposed_execle(const char *path, const char *argument, ...)
{
	char *arguments[MOST_ARGUMENTS];
	char *const *environment = NULL;
	va_list rest;
	int err;

	va_start(rest, argument);
	err = collect(arguments, argument, rest);
	if (!err)
		environment = va_arg(rest, char *const *);
	va_end(rest);
	return err ? err : execve(path, arguments, environment);
}
