/*
 * locks: which thread holds which lock at what time: the records of traces, and for profiles who waits for whom
 * (contention.h).
 *
 * A lock is identified by its address, or by the address of something that stands for it (the name of a critical
 * region), and gets a number at its first use. The core counts the acquisitions of a lock while the lock is held;
 * therefore the counts are in the order in which the threads held the lock. If its holder acquires a lock several
 * times (recursive mutexes, nest locks), the trace has one acquisition, and one release, when the lock is free for
 * other threads.
 *
 * Only locks that a single thread holds are recorded, because traces have no other locks. If nothing is recorded, the
 * functions do nothing; a wrapper that must not pay for the call calls fathom_event_follows_locks at the start.
 */
#ifndef FATHOM_EVENT_LOCKS_H
#define FATHOM_EVENT_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"
#include "platform/compiler.h"

/* Returns true if the functions of this file record anything. Context: start, hook. */
FATHOM_API bool fathom_event_follows_locks(void);

/* The calling thread has acquired lock, in the innermost region, at whose enter it asked for the lock. Context: hook;
 * birth for the first use of a lock. */
FATHOM_API void fathom_event_lock_acquired(const void *lock, enum fathom_paradigm paradigm);

/* The calling thread is about to release lock, in the innermost region, which is that of the releasing function.
 * Ignored if the thread does not hold the lock. Context: hook. */
FATHOM_API void fathom_event_lock_release(const void *lock, enum fathom_paradigm paradigm);

/* The calling thread leaves region (NULL: it leaves none) and is about to release lock: the end of a critical
 * construct. Context: hook. */
FATHOM_API void fathom_event_exit_and_release(const struct fathom_region *region, const void *lock,
					      enum fathom_paradigm paradigm);

/* The calling thread has released lock before this call, so other threads may have acquired it since then. Context:
 * hook. */
FATHOM_API void fathom_event_lock_released(const void *lock, enum fathom_paradigm paradigm);

/*
 * For condition variables: the calling thread is about to wait, and releases lock completely, however often it was
 * acquired (lend); later it has acquired lock again (regain). depth is the value that fathom_event_lock_lend
 * returned. Context: hook.
 */
FATHOM_API uint32_t fathom_event_lock_lend(const void *lock, enum fathom_paradigm paradigm);
FATHOM_API void fathom_event_lock_regain(const void *lock, enum fathom_paradigm paradigm, uint32_t depth);

/* Charges all waiting for locks to the call paths of the holders; a part of it may not have been charged before. Called
 * before a profile is made. Context: finish, signal. */
void fathom_event_locks_settle(void);

/* lock was created or destroyed: the next lock at this address is a different one. Context: hook. */
FATHOM_API void fathom_event_lock_forget(const void *lock);

#endif
