/*
 * lock: short exclusion between threads, also around code that a signal may interrupt.
 *
 * The holder blocks all signals that can be blocked: a handler on the same thread could
 * otherwise wait for a lock that its own thread holds. A crash (a signal that cannot wait) inside
 * the lock leaves it taken; whoever saves the measurement then must not need it.
 */
#ifndef FATHOM_PLATFORM_LOCK_H
#define FATHOM_PLATFORM_LOCK_H

#include <signal.h>
#include <stdint.h>

#include "platform/compiler.h"

/* All zero: free. */
struct fathom_lock {
	uint32_t taken;
	sigset_t blocked_before;	/* the holder's mask, to be restored */
};

/* Waits by giving the processor away. Not recursive. Keeps errno. Context: birth. */
FATHOM_API void fathom_lock_take(struct fathom_lock *lock);
FATHOM_API void fathom_lock_give(struct fathom_lock *lock);

/*
 * Blocks all signals of the calling thread but those that mean a crash; before is for fathom_signals_restore. For work
 * that a signal handler may neither find half done nor leave for good by a jump, and that needs no lock. Keep errno.
 * Context: birth.
 */
FATHOM_API void fathom_signals_block(sigset_t *before);
FATHOM_API void fathom_signals_restore(const sigset_t *before);

/* In a forked child: whoever held the lock is not here any more. */
FATHOM_API void fathom_lock_reset(struct fathom_lock *lock);

/*
 * In a copy of the process that has only the calling thread: from now on, a thread that finds a lock taken calls
 * give_up in place of waiting, because the thread that would release the lock does not exist in the copy. give_up does
 * not return. fathom_signals_block leaves SIGALRM open from then on. Context: signal.
 */
void fathom_lock_never_wait(void (*give_up)(void));

#endif
