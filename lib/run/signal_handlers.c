#include "run/signal_handlers.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "event/state.h"
#include "platform/compiler.h"

/* Signals that end a process if nobody handles them. */
static const int fatal_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
	SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
};
enum { FATAL_COUNT = sizeof(fatal_signals) / sizeof(*fatal_signals) };

/* The C library's own name for sigaction, which nobody interposes; also in static programs. */
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* All signals are blocked in the handler: a handler of the program could jump out of it. */
static struct sigaction our_action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };

static void (*note_change)(int number);	/* NULL before fathom_signal_handlers_init */

int fathom_signal_handlers_set(int number, const struct sigaction *action, struct sigaction *old)
{
	return __sigaction(number, action, old);
}

void fathom_signal_handlers_catch(int number, struct sigaction *old)
{
	__sigaction(number, &our_action, old);
}

bool fathom_signal_handlers_are_on(void)
{
	return fathom.phase != FATHOM_PHASE_OFF && fathom.settings.signals;
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
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == our_action.sa_sigaction;
}

/* To the program, our handler is SIG_DFL, in both directions. */
FATHOM_API int sigaction(int number, const struct sigaction *action, struct sigaction *old);
FATHOM_BEFORE_SANITIZER
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	bool to_default = action && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
	int err;

	if (to_default && fathom_signal_handlers_are_on() && is_fatal(number))
		action = &our_action;
	err = __sigaction(number, action, old);
	if (!err && action && action != &our_action && note_change)
		note_change(number);
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

void fathom_signal_handlers_drop_since(const sigset_t *before)
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

void fathom_signal_handlers_init(void (*handler)(int, siginfo_t *, void *), void (*on_change)(int number))
{
	our_action.sa_sigaction = handler;
	sigfillset(&our_action.sa_mask);
	note_change = on_change;
	if (fathom.settings.signals)
		install_handlers();
}
