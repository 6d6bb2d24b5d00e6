#include "event/locks.h"

#include <errno.h>
#include <stddef.h>

#include "event/frame.h"
#include "event/state.h"
#include "platform/clock.h"
#include "platform/lock.h"

#define HERE ((uintptr_t)__builtin_dwarf_cfa())

/* A lock. Its counts are changed by who holds it; a thread that learns late that it released the lock reads them. */
struct lock {
	const void *address;
	struct lock *next;		/* in its bucket; constant */
	uint32_t number;		/* from 1; 0: not acquired since it was made */
	uint32_t order;			/* of the last time it was acquired, from 1 */
	struct {
		uint32_t order;		/* written first, as 0, and last */
		uint64_t ticks;
	} recent[4];			/* the last times, by order */
};

/* A lock that a location holds, in the location's list, the last one acquired first. */
struct fathom_held {
	struct lock *lock;
	struct fathom_held *next;
	uint32_t number;		/* of the lock; if it has another now, this is about one that is no more */
	uint32_t order;
	uint32_t depth;
	uint64_t acquired;
};

/* 2^16 lists: no program has so many locks that they get long. Memory that is not touched is none. */
enum { BITS = 16, RECENT = sizeof(((struct lock *)0)->recent) / sizeof(((struct lock *)0)->recent[0]) };

/* Locks stay for ever. Lists are read without the lock; it is held to add to one, and nests in nothing. */
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

/* NULL: no memory. */
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

/* --- what a location holds ----------------------------------------------------------------------- */

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

/* The lock is the calling thread's: count it, then read the clock; see time_of_release for why in this order. */
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

/* The location is busy. */
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
		self->dropped[FATHOM_DROP_MEMORY]++;
		return;
	}
	if (!lock->number)
		lock->number = __atomic_add_fetch(&locks.numbers, 1, __ATOMIC_RELAXED);
	now = count(lock);
	*held = (struct fathom_held){ lock, self->held, lock->number, lock->order, depth, now };
	self->held = held;
	fathom.substrate->lock_acquire(self, paradigm, held->number, held->order, now);
}

/* When the lock was acquired for the order-th time; 0: not known any more, or not yet. */
static uint64_t time_of(const struct lock *lock, uint32_t order)
{
	uint64_t ticks;

	if (!order || __atomic_load_n(&lock->recent[order % RECENT].order, __ATOMIC_ACQUIRE) != order)
		return 0;
	ticks = __atomic_load_n(&lock->recent[order % RECENT].ticks, __ATOMIC_RELAXED);
	/* Overwritten meanwhile? */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&lock->recent[order % RECENT].order, __ATOMIC_RELAXED) == order ? ticks : 0;
}

/*
 * A lock was given back some time ago, and held is not the last time that it was acquired: then it was when the next
 * one had it, and just before in the trace. Who acquires counts first and reads the clock then; so where we,
 * having read the clock, find our own count, nobody can have an earlier time. Where many had it since, all that is
 * known is that it was before the first of those of whom we know.
 */
static struct fathom_lock_release time_of_release(const struct lock *lock, const struct fathom_held *held)
{
	uint64_t now = fathom_clock_ticks_before(), next = 0;
	uint32_t order = held->order + 1, newest;

	newest = __atomic_load_n(&lock->order, __ATOMIC_SEQ_CST);
	if (newest == held->order)
		return (struct fathom_lock_release){ now, now };
	/* The next one may be about to tell. */
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

static void let_go(struct fathom_location *self, struct fathom_held **place, enum fathom_paradigm paradigm,
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

/* --- the doors ----------------------------------------------------------------------------------- */

static bool is_traced(void)
{
	return fathom.substrate && fathom.substrate->lock_acquire;
}

/* Where the calling thread records, made busy; NULL: nowhere. */
static inline struct fathom_location *begin(uintptr_t here)
{
	struct fathom_location *self = fathom_self;

	if (self->busy) {
		self = fathom_location_wake(self, here);
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

void fathom_event_lock_acquired(const void *address, enum fathom_paradigm paradigm)
{
	gain(address, paradigm, 1, HERE);
}

void fathom_event_lock_regain(const void *address, enum fathom_paradigm paradigm, uint32_t depth)
{
	gain(address, paradigm, depth, HERE);
}

/* How often it was acquired before; depth: how often it is released. */
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
			let_go(self, place, paradigm, is_late);
	}
	fathom_location_end(self, self->top);
	return before;
}

void fathom_event_lock_release(const void *address, enum fathom_paradigm paradigm)
{
	give(address, paradigm, 1, false, HERE);
}

void fathom_event_lock_released(const void *address, enum fathom_paradigm paradigm)
{
	give(address, paradigm, 1, true, HERE);
}

uint32_t fathom_event_lock_lend(const void *address, enum fathom_paradigm paradigm)
{
	return give(address, paradigm, UINT32_MAX, false, HERE);
}

void fathom_event_lock_forget(const void *address)
{
	struct lock *lock = is_traced() ? find(address) : NULL;

	if (!lock)
		return;
	lock->number = 0;
	lock->order = 0;
	for (int i = 0; i < RECENT; i++)
		lock->recent[i].order = 0;
}
