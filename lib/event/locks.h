/*
 * locks: which thread holds which lock at what time, for traces.
 *
 * A lock is identified by its address, or by the address of something that stands for it (the name of a critical
 * region), and gets a number at its first use. The core counts the acquisitions of a lock while the lock is held;
 * therefore the counts are in the order in which the threads held the lock. If its holder acquires a lock several
 * times (recursive mutexes, nest locks), the trace has one acquisition, and one release, when the lock is free for
 * other threads.
 *
 * Only locks that a single thread holds are recorded, because traces have no other locks. Without a trace the
 * functions do nothing; a wrapper that must not pay for the call calls fathom_event_traces before.
 */
#ifndef FATHOM_EVENT_LOCKS_H
#define FATHOM_EVENT_LOCKS_H

#include <stdint.h>

#include "define/region.h"
#include "platform/compiler.h"

/* The calling thread has acquired lock. Context: hook; birth for the first use of a lock. */
FATHOM_API void fathom_event_lock_acquired(const void *lock, enum fathom_paradigm paradigm);

/* The calling thread is about to release lock. Ignored if the thread does not hold the lock. Context: hook. */
FATHOM_API void fathom_event_lock_release(const void *lock, enum fathom_paradigm paradigm);

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

/* lock was created or destroyed: the next lock at this address is a different one. Context: hook. */
FATHOM_API void fathom_event_lock_forget(const void *lock);

#endif
