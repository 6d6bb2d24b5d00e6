/*
 * lock: mutual exclusion of threads for a short time, also around code that a signal may interrupt.
 *
 * The holder blocks all signals except those of a crash: otherwise a handler on the same thread could wait for a lock
 * that its own thread holds. A crash inside the lock leaves it taken, so crash saving must not need any lock.
 */
#ifndef FATHOM_PLATFORM_LOCK_H
#define FATHOM_PLATFORM_LOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "platform/compiler.h"

/* All zero: free. */
struct fathom_lock {
	uint32_t taken;
	sigset_t blocked_before;	/* signal mask of the holder, which fathom_lock_give restores */
};

/* Take and release the lock. A waiting thread yields the processor. Not recursive. Keep errno. Context: birth. */
FATHOM_API void fathom_lock_take(struct fathom_lock *lock);
FATHOM_API void fathom_lock_give(struct fathom_lock *lock);

/* Takes the lock if it is free; else returns false at once. Keeps errno. Context: signal. */
bool fathom_lock_try(struct fathom_lock *lock);

/*
 * Block all signals of the calling thread except those of a crash, and restore the mask. They protect changes that a
 * signal handler may neither see half-made nor leave by a jump, and that need no lock. Keep errno. Context: birth.
 */
FATHOM_API void fathom_signals_block(sigset_t *before);
FATHOM_API void fathom_signals_restore(const sigset_t *before);

/* Frees the lock in a child of fork, where its holder does not exist. Context: birth. */
FATHOM_API void fathom_lock_reset(struct fathom_lock *lock);

/*
 * In a copy of the process that has only the calling thread: from now on, a thread that finds a lock taken calls
 * give_up in place of waiting, because the thread that would release the lock does not exist in the copy. give_up does
 * not return. fathom_signals_block leaves SIGALRM open from then on. Context: signal.
 */
void fathom_lock_never_wait(void (*give_up)(void));

/* Returns whether a thread of this process, or the thread of a copy of it, waits for a lock of the C library now (a
 * futex); false if that cannot be found out. Not a cancellation point. Context: signal. */
FATHOM_API bool fathom_lock_is_awaited_by(pid_t thread);

#endif
