/*
 * contention: which threads wait for a lock, and which threads they wait for, for profiles.
 *
 * A hold is one acquisition of a lock with its release. The hold of a thread begins when the previous holder has
 * released the lock, or when the thread asks for the lock, whichever is later; it ends when the thread begins to
 * release the lock. A thread that asks for the lock meanwhile waits, until it gets the lock, for all holds in between:
 * its waiting time is the sum of the parts of these holds that come after its request. This sum is charged to the
 * waiting thread (lock_wait), and each part of it to the call path of the holder (lock_blame). So both are equal in the
 * sum.
 *
 * All times are those of regions: a thread asks for the lock when it enters the region of the lock function or of the
 * critical construct, and the hold ends when it enters the region of the function that releases. Therefore an
 * acquisition and a release that nobody waits for read no clock. A thread gets to know only when it has acquired the
 * lock that, and for how long, it has waited. The last holds of a lock are kept for that; in the meantime the lock
 * itself keeps other threads away from its data.
 *
 * A waiting in pthread_cond_wait ends with the hold of the thread before, which is the one that has made the condition
 * true: the whole time from the call on is charged to that hold (condition_wait, condition_blame).
 */
#ifndef FATHOM_EVENT_CONTENTION_H
#define FATHOM_EVENT_CONTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/frame.h"
#include "event/location.h"
#include "platform/compiler.h"

struct fathom_node;
struct fathom_holds;

/*
 * What is known of a lock. Only its holder writes; a release that is reported late changes state alone.
 *
 * The member state is 1 + twice the time of the release if the lock is free; otherwise it is the address of the
 * holder's location, plus FATHOM_LOCK_NESTED if the holder has acquired the lock several times.
 */
struct fathom_lock_use {
	const void *quick_address;	/* the address of the lock if the quick functions below are enough for it; NULL:
					 * they are not, because threads have waited for the lock, or because a trace is
					 * recorded */
	uint64_t state;
	uint64_t since_ticks;		/* when the last hold began */
	const struct fathom_node *node;	/* the innermost call path of the last holder when it began to release */
	struct fathom_lock_use *next;	/* the next lock in the bucket; never changes */
	const void *address;
	struct fathom_holds *holds;	/* earlier holds; NULL: no thread has waited yet */
	uint32_t depth;			/* of the holder: number of acquisitions beyond the first */
};

#define FATHOM_LOCK_NESTED ((uint64_t)2)

enum { FATHOM_LOCK_BITS = 14 };
extern FATHOM_HIDDEN struct fathom_lock_use *fathom_lock_uses[1 << FATHOM_LOCK_BITS];

/* Returns the bucket of a lock, whose first entry is often the lock. Context: hook. */
static inline struct fathom_lock_use **fathom_lock_bucket(const void *address)
{
	return &fathom_lock_uses[(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FATHOM_LOCK_BITS)];
}

/* Returns the lock if the quick functions are enough for it; NULL: they are not. Context: hook. */
static inline struct fathom_lock_use *fathom_lock_quick(const void *address)
{
	/* Pairs with the store in add() of contention.c. */
	struct fathom_lock_use *use = __atomic_load_n(fathom_lock_bucket(address), __ATOMIC_ACQUIRE);

	return likely(use && use->quick_address == address) ? use : NULL;
}

/* Notes that the calling thread has acquired the lock, if the lock was free when the innermost region was entered, in
 * which the thread has acquired it. Returns false if the caller must call fathom_contention_acquired. Context: hook. */
static inline bool fathom_contention_acquired_quick(const void *address)
{
	struct fathom_lock_use *use = fathom_lock_quick(address);
	const struct fathom_location *self = fathom_self;
	const struct fathom_frame *frame = self->top;

	if (unlikely(!use || !(use->state & 1) || use->state >> 1 > frame->enter_ticks))
		return false;
	use->node = frame->node;	/* for a release that is reported late */
	use->since_ticks = frame->enter_ticks;
	fathom_poke(&use->state, (uintptr_t)self);
	return true;
}

/*
 * Notes that the calling thread, which holds the lock, begins to release it at now. fathom_contention_released_quick:
 * the thread has released it before now; another thread that has acquired it in the meantime may be about to note this.
 * Return false if the caller must call fathom_contention_release. Context: hook.
 */
static inline bool fathom_contention_release_quick(const void *address, uint64_t now)
{
	struct fathom_lock_use *use = fathom_lock_quick(address);
	const struct fathom_location *self = fathom_self;

	if (unlikely(!use || use->state != (uintptr_t)self))
		return false;
	use->node = self->top->node;
	fathom_poke(&use->state, now << 1 | 1);
	return true;
}

/* See fathom_contention_release_quick. Context: hook. */
static inline bool fathom_contention_released_quick(const void *address, uint64_t now)
{
	struct fathom_lock_use *use = fathom_lock_quick(address);
	uint64_t state = (uintptr_t)fathom_self;

	return likely(use && __atomic_compare_exchange_n(&use->state, &state, now << 1 | 1, false, __ATOMIC_ACQ_REL,
							 __ATOMIC_RELAXED));
}

/* Returns true if the run records who waits for whom. Context: hook. */
bool fathom_contention_is_recorded(void);

/*
 * The same for all cases. fathom_contention_release: the calling thread begins to release the lock at now, or, if
 * is_late, has released it before now. depth: the number of acquisitions that end; the function returns how many there
 * were. fathom_contention_regained: the calling thread has waited for a condition in the innermost region, and has
 * acquired the lock as many times again. here: the caller's stack pointer. Context: hook; birth for the first use of a
 * lock.
 */
void fathom_contention_acquired(const void *address, uintptr_t here);
uint32_t fathom_contention_release(const void *address, uint32_t depth, bool is_late, uint64_t now, uintptr_t here);
void fathom_contention_regained(const void *address, uint32_t depth, uintptr_t here);

/* The lock at this address is a new one. Context: hook. */
void fathom_contention_forget(const void *address);

/* Charges to the call paths of holders what is noted in the locks only. Threads may use their locks meanwhile. Context:
 * finish, signal. */
void fathom_contention_settle(void);

#endif
