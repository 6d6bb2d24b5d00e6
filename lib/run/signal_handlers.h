/*
 * signal_handlers: our handler for the signals that end a process, and what the program sees of it: nothing.
 *
 * The handler is installed for each such signal that nobody handles. sigaction and signal of the C library are
 * interposed: where the program asks how such a signal is handled, it finds SIG_DFL; where it sets SIG_DFL, our handler
 * comes back; and where it sets a handler, it has its own.
 */
#ifndef FATHOM_RUN_SIGNAL_HANDLERS_H
#define FATHOM_RUN_SIGNAL_HANDLERS_H

#include <signal.h>
#include <stdbool.h>

/* ThreadSanitizer calls sigaction before it is ready: in a build for it, neither that function nor those that it calls
 * are instrumented. */
#define FATHOM_BEFORE_SANITIZER __attribute__((no_sanitize("thread")))

/*
 * Installs handler, unless FATHOM_SIGNALS says otherwise. on_change: called after the program has changed how a signal
 * is handled; must be FATHOM_BEFORE_SANITIZER. Context: start.
 */
void fathom_signal_handlers_init(void (*handler)(int, siginfo_t *, void *), void (*on_change)(int number));

/* Signals that end a process are handled in this one. Context: signal. */
bool fathom_signal_handlers_are_on(void);

/* The C library's sigaction, past the interposed one. Context: signal. */
int fathom_signal_handlers_set(int number, const struct sigaction *action, struct sigaction *old);

/* The signal goes to our handler from now on; how it was handled before goes to old. Context: signal. */
void fathom_signal_handlers_catch(int number, struct sigaction *old);

/* Takes away signals that our handler is installed for and that have come since the signals of before were pending. The
 * caller has blocked all signals. Context: signal. */
void fathom_signal_handlers_drop_since(const sigset_t *before);

#endif
