#include "event/locks/locks.h"

#include <errno.h>
#include <stddef.h>

#include "event/enter_exit.h"
#include "event/event.h"
#include "event/frame.h"
#include "event/locks/contention.h"
#include "event/state.h"
#include "platform/clock.h"
#include "platform/lock.h"

#define HERE ((uintptr_t)__builtin_dwarf_cfa())

/* A lock. Only its holder changes the counts; a thread that reports a release late reads them. */
struct lock {
	const void *address;
	struct lock *next;		/* the next lock in the bucket; never changes */
	uint32_t number;		/* from 1; 0: not acquired since its creation */
	uint32_t order;			/* number of acquisitions so far */
	struct {
		uint32_t order;		/* number of the acquisition; written as 0 first, and with its value last */
		uint64_t ticks;
	} recent[4];			/* the times of the last acquisitions; acquisition n is at index n modulo 4 */
};

/* A lock that a location holds. The location's list has the lock that was acquired last at its head. */
struct fathom_held {
	struct lock *lock;
	struct fathom_held *next;
	uint32_t number;		/* number of the lock; if the lock has another number now, the lock held here
					 * was destroyed */
	uint32_t order;
	uint32_t depth;
	uint64_t acquired;
};

/* 2^16 lists: so many that they stay short. Pages of the table that are not touched take no memory. */
enum { BITS = 16, RECENT = sizeof(((struct lock *)0)->recent) / sizeof(((struct lock *)0)->recent[0]) };

/*
 * The table of locks, which are never freed. Lists are read without the lock, which is held while an entry is added; no
 * lock is taken inside.
 *
 * contention.c has a table of its own. The functions that every acquisition in a profile passes read an entry of 64
 * bytes there; with the 88 bytes of an entry here it would be three cache lines, for each lock of a profile. Profiles
 * also drop the locks beyond a limit, which traces must not do. Only a run that makes a profile and a trace searches
 * both.
 */
static struct {
	struct fathom_lock lock;
	struct fathom_arena arena;
	struct lock *buckets[1 << BITS];
	uint32_t numbers;
} locks;

/* --- the table ----------------------------------------------------------------------------------- */

static struct lock **bucket_of(const void *address)
{
	return &locks.buckets[((uintptr_t)address >> 2) * 0x9e3779b97f4a7c15u >> (64 - BITS)];
}

static struct lock *find(const void *address)
{
	/* Pairs with the store in add. */
	struct lock *lock = __atomic_load_n(bucket_of(address), __ATOMIC_ACQUIRE);

	while (lock && lock->address != address)
		lock = lock->next;
	return lock;
}

/* Adds the lock at address to the table, unless another thread did. NULL: no memory. */
static FATHOM_COLD struct lock *add(const void *address)
{
	struct lock **bucket = bucket_of(address), *lock;
	int saved = errno;

	fathom_lock_take(&locks.lock);
	lock = find(address);
	if (!lock)
		lock = fathom_arena_alloc(&locks.arena, sizeof(*lock));
	if (lock && !lock->address) {
		lock->address = address;
		lock->next = *bucket;
		__atomic_store_n(bucket, lock, __ATOMIC_RELEASE);
	}
	fathom_lock_give(&locks.lock);
	errno = saved;
	return lock;
}

/* --- the locks that a location holds ------------------------------------------------------------- */

static struct fathom_held **held_of(struct fathom_location *self, const struct lock *lock)
{
	struct fathom_held **held = &self->held;

	while (*held && (*held)->lock != lock)
		held = &(*held)->next;
	return held;
}

static struct fathom_held *take_held(struct fathom_location *self)
{
	struct fathom_held *held = self->spare_held;

	if (unlikely(!held))
		return fathom_arena_alloc(&self->arena, sizeof(*held));
	self->spare_held = held->next;
	return held;
}

static void give_held(struct fathom_location *self, struct fathom_held **held)
{
	struct fathom_held *gone = *held;

	*held = gone->next;
	gone->next = self->spare_held;
	self->spare_held = gone;
}

/* --- acquiring and releasing --------------------------------------------------------------------- */

/* The calling thread holds lock. Counts the acquisition first, and reads the clock after that: time_of_release relies
 * on this order. Returns the time. */
static uint64_t count(struct lock *lock)
{
	uint32_t order = lock->order + 1;
	uint64_t now;

	__atomic_store_n(&lock->order, order, __ATOMIC_SEQ_CST);
	now = fathom_clock_ticks_after();
	__atomic_store_n(&lock->recent[order % RECENT].order, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);	/* pairs with the fence in time_of_release */
	__atomic_store_n(&lock->recent[order % RECENT].ticks, now, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->recent[order % RECENT].order, order, __ATOMIC_RELEASE);
	return now;
}

/* The caller has made the location busy. */
static void acquire(struct fathom_location *self, struct lock *lock, enum fathom_paradigm paradigm, uint32_t depth)
{
	struct fathom_held **place = held_of(self, lock), *held = *place;
	uint64_t now;

	if (held && held->number != lock->number) {
		give_held(self, place);
		held = NULL;
	}
	if (held) {
		held->depth += depth;
		return;
	}
	held = take_held(self);
	if (!held) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return;
	}
	if (!lock->number)
		lock->number = __atomic_add_fetch(&locks.numbers, 1, __ATOMIC_RELAXED);
	now = count(lock);
	*held = (struct fathom_held){ lock, self->held, lock->number, lock->order, depth, now };
	self->held = held;
	fathom.substrate->lock_acquire(self, paradigm, held->number, held->order, now);
}

/* Returns the time when the lock was acquired for the order-th time; 0: not known any more, or not yet. */
static uint64_t time_of(const struct lock *lock, uint32_t order)
{
	uint64_t ticks;

	if (!order || __atomic_load_n(&lock->recent[order % RECENT].order, __ATOMIC_ACQUIRE) != order)
		return 0;
	ticks = __atomic_load_n(&lock->recent[order % RECENT].ticks, __ATOMIC_RELAXED);
	/* Another thread may have overwritten the entry in the meantime: then its order differs. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&lock->recent[order % RECENT].order, __ATOMIC_RELAXED) == order ? ticks : 0;
}

/*
 * Returns the time of a release that is reported late. The lock was released before the next thread acquired it; the
 * trace gets the time just before that acquisition. A thread that acquires the lock counts first and reads the clock
 * then. This thread reads the clock first and the count then; if the count is still that of its own acquisition, no
 * acquisition has an earlier time than this thread's clock value. If the lock was acquired so often since then that
 * the time of the next acquisition is overwritten, the release is only known to be before the earliest acquisition
 * that is still in recent.
 */
static struct fathom_lock_release time_of_release(const struct lock *lock, const struct fathom_held *held)
{
	uint64_t now = fathom_clock_ticks_before(), next = 0;
	uint32_t order = held->order + 1, newest;

	newest = __atomic_load_n(&lock->order, __ATOMIC_SEQ_CST);
	if (newest == held->order)
		return (struct fathom_lock_release){ now, now };
	/* The next holder may have counted, but not stored its time yet: try several times. */
	for (int i = 0; i < 1000 && !next && newest - order < RECENT; i++) {
		next = time_of(lock, order);
		newest = __atomic_load_n(&lock->order, __ATOMIC_RELAXED);
	}
	if (next) {
		now = next - 1 < now ? next - 1 : now;
		return (struct fathom_lock_release){ now, now };
	}
	if (newest - order >= RECENT)
		order = newest - RECENT + 1;
	for (int i = 0; i < RECENT; i++) {
		next = time_of(lock, order + (uint32_t)i);
		if (next && next < now)
			now = next;
	}
	return (struct fathom_lock_release){ held->acquired, now };
}

static void end_hold(struct fathom_location *self, struct fathom_held **place, enum fathom_paradigm paradigm,
		     bool is_late)
{
	const struct fathom_held *held = *place;
	uint32_t number = held->number, order = held->order;
	struct fathom_lock_release when;

	if (is_late)
		when = time_of_release(held->lock, held);
	else
		when.earliest = when.latest = fathom_clock_ticks();
	give_held(self, place);
	fathom.substrate->lock_release(self, paradigm, number, order, when);
}

/* --- the functions that wrappers call -------------------------------------------------------------- */

static bool is_traced(void)
{
	return fathom.substrate && fathom.substrate->lock_acquire;
}

/* Returns the calling thread's location, made busy; NULL: the thread records nothing. */
static inline struct fathom_location *begin(uintptr_t here)
{
	struct fathom_location *self = fathom_self;

	if (self->busy) {
		self = fathom_location_resolve_busy(self, here);
		if (!self)
			return NULL;
	}
	fathom_location_begin(self, here);
	return self;
}

static void gain(const void *address, enum fathom_paradigm paradigm, uint32_t depth, uintptr_t here)
{
	struct fathom_location *self;
	struct lock *lock;

	if (!is_traced() || !depth)
		return;
	lock = find(address);
	if (unlikely(!lock))
		lock = add(address);
	self = lock ? begin(here) : NULL;
	if (!self)
		return;
	acquire(self, lock, paradigm, depth);
	fathom_location_end(self, self->top);
}

bool fathom_event_follows_locks(void)
{
	return is_traced() || fathom_contention_is_recorded();
}

static FATHOM_COLD void acquired_rarely(const void *address, enum fathom_paradigm paradigm, uintptr_t here)
{
	fathom_contention_acquired(address, here);
	gain(address, paradigm, 1, here);
}

void fathom_event_lock_acquired(const void *address, enum fathom_paradigm paradigm)
{
	if (unlikely(!fathom_contention_acquired_quick(address)))
		acquired_rarely(address, paradigm, HERE);
}

void fathom_event_lock_regain(const void *address, enum fathom_paradigm paradigm, uint32_t depth)
{
	fathom_contention_regained(address, depth, HERE);
	gain(address, paradigm, depth, HERE);
}

/* Reports depth releases of the lock at address. Returns how many times the calling thread had acquired the lock
 * without releasing it. */
static uint32_t give(const void *address, enum fathom_paradigm paradigm, uint32_t depth, bool is_late, uintptr_t here)
{
	struct lock *lock = is_traced() ? find(address) : NULL;
	struct fathom_location *self = lock ? begin(here) : NULL;
	struct fathom_held **place;
	uint32_t before = 0;

	if (!self)
		return 0;
	place = held_of(self, lock);
	if (*place) {
		before = (*place)->depth;
		if (before > depth)
			(*place)->depth -= depth;
		else
			end_hold(self, place, paradigm, is_late);
	}
	fathom_location_end(self, self->top);
	return before;
}

/* Returns when the thread entered the innermost region, in which it releases the lock. */
static inline uint64_t release_time(void)
{
	return fathom_self->top->enter_ticks;
}

static FATHOM_COLD void release_rarely(const void *address, enum fathom_paradigm paradigm, uint64_t now, bool is_late,
				       uintptr_t here)
{
	fathom_contention_release(address, 1, is_late, now, here);
	give(address, paradigm, 1, is_late, here);
}

void fathom_event_lock_release(const void *address, enum fathom_paradigm paradigm)
{
	if (unlikely(!fathom_contention_release_quick(address, release_time())))
		release_rarely(address, paradigm, release_time(), false, HERE);
}

void fathom_event_lock_released(const void *address, enum fathom_paradigm paradigm)
{
	uint64_t now = fathom_contention_is_recorded() ? fathom_clock_ticks() : 0;

	if (unlikely(!fathom_contention_released_quick(address, now)))
		release_rarely(address, paradigm, now, true, HERE);
}

void fathom_event_exit_and_release(const struct fathom_region *region, const void *address,
				   enum fathom_paradigm paradigm)
{
	uint64_t now = fathom_clock_ticks();

	if (region && !fathom_region_is_disabled(region))
		fathom_exit_region(region, HERE, now, FATHOM_HOOK_CALL);
	else if (region)
		fathom_event_exit(region);
	if (unlikely(!fathom_contention_release_quick(address, now)))
		release_rarely(address, paradigm, now, false, HERE);
}

uint32_t fathom_event_lock_lend(const void *address, enum fathom_paradigm paradigm)
{
	uint32_t depth = fathom_contention_release(address, UINT32_MAX, false, release_time(), HERE);
	uint32_t traced_depth = give(address, paradigm, UINT32_MAX, false, HERE);

	return traced_depth ? traced_depth : depth;
}

void fathom_event_locks_settle(void)
{
	fathom_contention_settle();
}

void fathom_event_lock_forget(const void *address)
{
	struct lock *lock = is_traced() ? find(address) : NULL;

	fathom_contention_forget(address);
	if (!lock)
		return;
	lock->number = 0;
	lock->order = 0;
	for (int i = 0; i < RECENT; i++)
		lock->recent[i].order = 0;
}
