/*
 * locks: who holds which lock when, for traces.
 *
 * A lock is identified by its address, or by what stands for it (the name of a critical region); from its first use on
 * it has a number. How often it was acquired is counted while it is held, so the counts are in the order in which
 * threads really had it. What is acquired several times by its holder (recursive mutexes, nest locks) is acquired
 * once, and released when it is free for others.
 *
 * Only locks that one thread holds alone: traces have no other. Nothing is done where no trace is written; ask
 * fathom_event_traces before where that call is too much.
 */
#ifndef FATHOM_EVENT_LOCKS_H
#define FATHOM_EVENT_LOCKS_H

#include <stdint.h>

#include "define/region.h"
#include "platform/compiler.h"

/* The calling thread has the lock now. Context: hook; first use of a lock: birth. */
FATHOM_API void fathom_event_lock_acquired(const void *lock, enum fathom_paradigm paradigm);

/* It is about to give it back; one that it does not hold is ignored. Context: hook. */
FATHOM_API void fathom_event_lock_release(const void *lock, enum fathom_paradigm paradigm);

/* The same of one that it has given back already, so others may have acquired it since. Context: hook. */
FATHOM_API void fathom_event_lock_released(const void *lock, enum fathom_paradigm paradigm);

/*
 * About to wait with the lock given back, however often it was acquired (a condition variable); and having it
 * again. What the first returns is for the second. Context: hook.
 */
FATHOM_API uint32_t fathom_event_lock_lend(const void *lock, enum fathom_paradigm paradigm);
FATHOM_API void fathom_event_lock_regain(const void *lock, enum fathom_paradigm paradigm, uint32_t depth);

/* It was made, or is no more: what is at this address next is another lock. Context: hook. */
FATHOM_API void fathom_event_lock_forget(const void *lock);

#endif
