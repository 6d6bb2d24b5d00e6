#include "run/signals/signal_handlers.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "event/state.h"
#include "platform/compiler.h"

/* The signals whose default action ends the process. */
static const int fatal_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
	SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
};
enum { FATAL_COUNT = sizeof(fatal_signals) / sizeof(*fatal_signals) };

/* Another name of the C library for its sigaction, which is not interposed. It exists in static programs, too. */
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* In the handler all signals are blocked, because a handler of the program could jump out of it. */
static struct sigaction fathom_action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };

/* The same for the signal of FATHOM_TRACE_SIGNAL, after which the program goes on: system calls are restarted. */
static struct sigaction keep_action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

static void (*note_change)(int number);	/* NULL before fathom_signal_handlers_init */

int fathom_signal_handlers_set(int number, const struct sigaction *action, struct sigaction *old)
{
	return __sigaction(number, action, old);
}

void fathom_signal_handlers_catch(int number, struct sigaction *old)
{
	__sigaction(number, &fathom_action, old);
}

FATHOM_BEFORE_SANITIZER bool fathom_signal_handlers_are_on(void)
{
	return fathom_peek(&fathom.phase) != FATHOM_PHASE_OFF && fathom.settings.signals;
}

FATHOM_BEFORE_SANITIZER static bool is_fatal(int number)
{
	for (size_t i = 0; i < FATAL_COUNT; i++)
		if (fatal_signals[i] == number)
			return true;
	return false;
}

/* Returns fathom's action for the signal. */
FATHOM_BEFORE_SANITIZER static const struct sigaction *action_for(int number)
{
	return (uint64_t)number == fathom.settings.trace_signal ? &keep_action : &fathom_action;
}

FATHOM_BEFORE_SANITIZER static bool is_fathoms(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == fathom_action.sa_sigaction;
}

/* Translates between fathom's handler and SIG_DFL, in both directions. */
FATHOM_API int sigaction(int number, const struct sigaction *action, struct sigaction *old);
FATHOM_BEFORE_SANITIZER
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	bool to_default = action && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
	int err;

	if (to_default && fathom_signal_handlers_are_on() && is_fatal(number))
		action = action_for(number);
	err = __sigaction(number, action, old);
	if (!err && action && action != &fathom_action && action != &keep_action && note_change)
		note_change(number);
	if (!err && old && is_fathoms(old)) {
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

/* Returns whether the handler of the program for the signal may be taken away. The signals of faults and of abort are
 * raised by the thread that needs their handlers; SIGCHLD would be lost for waitpid. */
static bool is_dispensable(int number, const struct sigaction *action)
{
	static const int needed[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGCHLD };

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (needed[i] == number)
			return false;
	return ((action->sa_flags & SA_SIGINFO) ||
		(action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)) &&
	       !is_fathoms(action);
}

void fathom_signal_handlers_ignore_rest(void)
{
	static const struct sigaction ignore = { .sa_handler = SIG_IGN };

	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;

		/* For its own signals (32 and 33) the C library returns an error. */
		if (!__sigaction(number, NULL, &action) && is_dispensable(number, &action))
			__sigaction(number, &ignore, NULL);
	}
}

void fathom_signal_handlers_drop_since(const sigset_t *before)
{
	static const struct timespec at_once;
	sigset_t dropped;

	sigemptyset(&dropped);
	for (size_t i = 0; i < FATAL_COUNT; i++) {
		struct sigaction action;

		if (!sigismember(before, fatal_signals[i]) && !__sigaction(fatal_signals[i], NULL, &action) &&
		    is_fathoms(&action))
			sigaddset(&dropped, fatal_signals[i]);
	}
	while (sigtimedwait(&dropped, NULL, &at_once) > 0)
		;
}

static void install_handlers(void)
{
	for (size_t i = 0; i < FATAL_COUNT; i++) {
		struct sigaction old;

		if (!fathom.settings.signals && (uint64_t)fatal_signals[i] != fathom.settings.trace_signal)
			continue;
		if (__sigaction(fatal_signals[i], NULL, &old) || (old.sa_flags & SA_SIGINFO) ||
		    old.sa_handler != SIG_DFL)
			continue;	/* the parent process ignores the signal, or it has a handler already */
		__sigaction(fatal_signals[i], action_for(fatal_signals[i]), NULL);
	}
}

void fathom_signal_handlers_init(void (*handler)(int, siginfo_t *, void *), void (*on_change)(int number))
{
	fathom_action.sa_sigaction = handler;
	keep_action.sa_sigaction = handler;
	sigfillset(&fathom_action.sa_mask);
	sigfillset(&keep_action.sa_mask);
	note_change = on_change;
	if (fathom.settings.signals || fathom.settings.trace_signal)
		install_handlers();
}
