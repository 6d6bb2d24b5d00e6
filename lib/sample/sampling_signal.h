/*
 * sampling_signal: the signal by which sources interrupt threads, and its handler.
 *
 * It is the second of the two signals that the C library keeps for itself (SIGSETXID). The C library does not let the
 * program handle, block, wait for or see these two: sigaction refuses them, sigfillset leaves them out, and so do the
 * functions that set a mask. So nothing has to be hidden from the program. The C library uses the signal only for
 * setuid and the like in a program with several threads; the handler passes on what no source has sent.
 *
 * The C library installs its own handler when the first thread is created, over fathom's. Its handler ignores signals
 * of sources. fathom_sampling_signal_keep, which is called when a thread has been created and when one begins to be
 * measured, notices this.
 */
#ifndef FATHOM_SAMPLE_SAMPLING_SIGNAL_H
#define FATHOM_SAMPLE_SAMPLING_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

enum { FATHOM_SAMPLING_SIGNAL = 33 };

/* Takes the sample if a source of the calling thread has sent the signal; otherwise returns false. All signals but
 * those of a crash are blocked. Need not keep errno. Context: signal. */
typedef bool fathom_sampling_handler(const siginfo_t *info, ucontext_t *context);

/* Installs handler, and opens the signal for the calling thread, whose parent process may have blocked it. 0 or -errno.
 * Context: start. */
int fathom_sampling_signal_init(fathom_sampling_handler *handler);

/* Installs the handler again if the C library has replaced it. Returns whether it had. Context: birth. */
bool fathom_sampling_signal_keep(void);

/*
 * A handler has interrupted the program at context. If a system call of the program has failed because of that (EINTR),
 * makes the program start the system call again when the handler returns; not if another signal is about to be handled,
 * and not for calls that must not be repeated. A call that waits for a limited time begins to wait anew.
 * Context: signal.
 */
void fathom_sampling_signal_restart_call(ucontext_t *context);

#endif
