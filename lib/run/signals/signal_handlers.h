/*
 * signal_handlers: installs fathom's handler for the signals that end a process, and hides it from the program.
 *
 * The handler is installed for each of these signals that has no handler yet. The functions sigaction and signal of the
 * C library are interposed: where the program asks how a signal with fathom's handler is handled, it gets SIG_DFL;
 * where it sets SIG_DFL, fathom's handler is installed again; and where it sets a handler, that handler replaces
 * fathom's.
 */
#ifndef FATHOM_RUN_SIGNAL_HANDLERS_H
#define FATHOM_RUN_SIGNAL_HANDLERS_H

#include <signal.h>
#include <stdbool.h>

#include "platform/compiler.h"

/* ThreadSanitizer calls sigaction before it is ready. In a build with it, the interposed sigaction and the functions
 * that it calls must therefore not be instrumented: they have this attribute. */
#if defined(__clang__) && defined(FATHOM_FOR_THREAD_SANITIZER)
#define FATHOM_BEFORE_SANITIZER __attribute__((disable_sanitizer_instrumentation))
#else
#define FATHOM_BEFORE_SANITIZER __attribute__((no_sanitize("thread")))
#endif

/*
 * Installs handler, unless FATHOM_SIGNALS forbids it; in any case for the signal of FATHOM_TRACE_SIGNAL. on_change is
 * called with the number of each signal whose handling the program has changed; it must have the attribute
 * FATHOM_BEFORE_SANITIZER. Context: start.
 */
void fathom_signal_handlers_init(void (*handler)(int, siginfo_t *, void *), void (*on_change)(int number));

/* Returns whether fathom handles the signals that end this process. Context: signal. */
bool fathom_signal_handlers_are_on(void);

/* Calls the C library's sigaction instead of the interposed one. Returns 0, or -1 with errno. Context: signal. */
int fathom_signal_handlers_set(int number, const struct sigaction *action, struct sigaction *old);

/* Installs fathom's handler for the signal. Writes to *old how the signal was handled before. Context: signal. */
void fathom_signal_handlers_catch(int number, struct sigaction *old);

/*
 * Makes the process ignore the signals for which the program has a handler, except those of faults, SIGABRT and
 * SIGCHLD. The process is about to end, and the calling thread, which saves the result first, has blocked all signals.
 * Without this, the kernel would choose another thread for a signal, and a handler that jumps to the stack of the
 * calling thread would destroy that stack. Context: signal.
 */
void fathom_signal_handlers_ignore_rest(void);

/* Discards pending signals for which fathom's handler is installed, except those in *before, the set of signals that
 * were pending earlier. The caller has blocked all signals. Context: signal. */
void fathom_signal_handlers_drop_since(const sigset_t *before);

#endif
