#include "event/locks/contention.h"

#include <errno.h>
#include <string.h>

#include "event/state.h"
#include "event/teams/tasks.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "platform/lock.h"

/* Number of holds of a lock that are kept: a power of 2, and so many that a thread seldom waits for more. */
enum { HOLDS = 64 };

/* The most locks that are recorded; a program may have a lock in each element of a large array. They take 20 MB. */
enum { MOST_LOCKS = 1 << 18 };

/* One hold. A thread that has waited from the middle of one hold to the end of the newest one adds a part of the first
 * hold to waited_ticks, and 1 to the following hold's begins. */
struct hold {
	const struct fathom_node *node;
	uint64_t since_ticks;
	uint64_t before_ticks;		/* sum of all holds before this one */
	uint64_t waited_ticks;		/* sum of what threads have waited for a part of this hold */
	int64_t begins;			/* number of threads that waited for this whole hold, less those that waited for
					 * the whole of the hold before */
};

/* The last holds of a lock. Hold number n is at index n modulo HOLDS. */
struct fathom_holds {
	uint64_t count;			/* of all holds; the newest one kept has the number count - 1 */
	uint64_t first;			/* number of the oldest hold that is kept */
	uint64_t total_ticks;		/* sum of all holds */
	int64_t across;			/* number of threads that waited for the whole of the hold before the oldest */
	int64_t running;		/* number of threads that waited for the whole of the newest hold */
	struct hold hold[HOLDS];
};

struct fathom_lock_use *fathom_lock_uses[1 << FATHOM_LOCK_BITS];

/* Additions to the table. Lists are read without the lock; no lock is taken inside. Traces have another table (see
 * locks.c). */
static struct {
	struct fathom_lock lock;
	struct fathom_arena arena;
	uint32_t count;
} uses;

bool fathom_contention_is_recorded(void)
{
	return fathom.substrate && fathom.substrate->lock_blame;
}

/* --- the table ----------------------------------------------------------------------------------- */

static struct fathom_lock_use *find(const void *address)
{
	/* Pairs with the store in add. */
	struct fathom_lock_use *use = __atomic_load_n(fathom_lock_bucket(address), __ATOMIC_ACQUIRE);

	while (use && use->address != address)
		use = use->next;
	return use;
}

/* Adds the lock at address, unless another thread did. NULL: no memory, or there are too many locks. */
static FATHOM_COLD struct fathom_lock_use *add(const void *address)
{
	struct fathom_lock_use **bucket = fathom_lock_bucket(address), *use;
	int saved = errno;

	fathom_lock_take(&uses.lock);
	use = find(address);
	if (!use && uses.count < MOST_LOCKS)
		use = fathom_arena_alloc(&uses.arena, sizeof(*use));
	if (use && !use->address) {
		uses.count++;
		use->address = address;
		use->quick_address = fathom.substrate->lock_acquire ? NULL : address;
		use->state = 1;
		use->next = *bucket;
		__atomic_store_n(bucket, use, __ATOMIC_RELEASE);
	}
	fathom_lock_give(&uses.lock);
	errno = saved;
	return use;
}

/* --- the holds of a lock --------------------------------------------------------------------------- */

static struct hold *hold_at(struct fathom_holds *holds, uint64_t number)
{
	return &holds->hold[number % HOLDS];
}

/* Returns the length of a hold, which ends where the next one or the sum of all ends. */
static uint64_t length_of(struct fathom_holds *holds, uint64_t number)
{
	uint64_t end = number + 1 < holds->count ? hold_at(holds, number + 1)->before_ticks : holds->total_ticks;

	return end - hold_at(holds, number)->before_ticks;
}

static void blame(struct fathom_location *self, const struct fathom_node *node, uint64_t ticks)
{
	if (ticks && node)
		fathom.substrate->lock_blame(self, node, ticks, false);
}

/* Charges what threads have waited for the oldest hold to its call path. */
static void settle_oldest(struct fathom_location *self, struct fathom_holds *holds, uint64_t number)
{
	struct hold *hold = hold_at(holds, number);

	holds->across += hold->begins;
	blame(self, hold->node, hold->waited_ticks + (uint64_t)holds->across * length_of(holds, number));
	hold->waited_ticks = 0;
	hold->begins = 0;
}

/* Adds the last hold, which ended at the time end. */
static void add_hold(struct fathom_location *self, struct fathom_lock_use *use, uint64_t end)
{
	struct fathom_holds *holds = use->holds;
	struct hold *hold;

	if (!use->node)
		return;
	if (holds->count - holds->first == HOLDS)
		settle_oldest(self, holds, holds->first++);
	hold = hold_at(holds, holds->count++);
	*hold = (struct hold){ use->node, use->since_ticks, holds->total_ticks, 0, -holds->running };
	holds->total_ticks += end > use->since_ticks ? end - use->since_ticks : 0;
	holds->running = 0;
}

/* Returns the number of the newest hold that began before asked; first - 1: none did. */
static uint64_t newest_before(struct fathom_holds *holds, uint64_t asked)
{
	uint64_t low = holds->first, high = holds->count;	/* the holds before low began before asked */

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (hold_at(holds, middle)->since_ticks <= asked)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* A thread has waited from asked to the end of the newest hold: notes at the holds for how much of each, and returns
 * the sum. If asked is before all holds that are kept, the oldest one gets the time before it, too. */
static uint64_t note_waiting(struct fathom_holds *holds, uint64_t asked)
{
	uint64_t number = newest_before(holds, asked), part, whole;
	struct hold *hold;

	if (number + 1 == holds->first) {
		hold = hold_at(holds, holds->first);
		part = hold->since_ticks - asked;
		whole = holds->total_ticks - hold->before_ticks;
		hold->begins++;
		holds->running++;
	} else {
		uint64_t into;

		hold = hold_at(holds, number);
		into = asked - hold->since_ticks;
		part = length_of(holds, number) > into ? length_of(holds, number) - into : 0;
		whole = holds->total_ticks - hold->before_ticks - length_of(holds, number);
		if (number + 1 < holds->count) {
			hold_at(holds, number + 1)->begins++;
			holds->running++;
		}
	}
	hold->waited_ticks += part;
	return part + whole;
}

/* --- acquiring and releasing ------------------------------------------------------------------------- */

/* Returns the calling thread's location, made busy; NULL: the thread records nothing. */
static struct fathom_location *begin(uintptr_t here)
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

/* Returns whether the innermost region is one in which a thread waits for a lock or a condition. */
static bool is_waiting(const struct fathom_frame *frame)
{
	const struct fathom_region *region = frame->region;

	if (!region || (frame->flags & FATHOM_FRAME_PLACEHOLDER))
		return false;
	return region->role == FATHOM_ROLE_LOCK || region->role == FATHOM_ROLE_CRITICAL ||
	       region->activity == FATHOM_ACTIVITY_PTHREAD_CONDITION;
}

/* Charges a waiting of the calling thread. */
static void charge_waiting(struct fathom_location *self, uint64_t ticks, bool is_condition)
{
	fathom.substrate->lock_wait(self, ticks, is_condition);
	if (self->task && self->task->origin)
		fathom.substrate->task_wait(self, self->task->origin, ticks);
}

/* Adds the hold that ended at released, and charges the waiting from asked on. */
static void charge(struct fathom_location *self, struct fathom_lock_use *use, uint64_t asked, uint64_t released,
		   bool is_condition)
{
	bool has_waited = released > asked && use->node;

	if (is_condition && has_waited) {
		charge_waiting(self, released - asked, true);
		fathom.substrate->lock_blame(self, use->node, released - asked, true);
	}
	if (has_waited && !is_condition && !use->holds) {
		int saved = errno;

		fathom_lock_take(&uses.lock);
		use->holds = fathom_arena_alloc(&uses.arena, sizeof(*use->holds));
		fathom_lock_give(&uses.lock);
		errno = saved;
		use->quick_address = NULL;
	}
	if (use->holds)
		add_hold(self, use, released);
	if (has_waited && !is_condition && use->holds) {
		uint64_t ticks = note_waiting(use->holds, asked);

		if (ticks)
			charge_waiting(self, ticks, false);
	}
}

static void acquire(const void *address, uint32_t depth, bool is_condition, uintptr_t here)
{
	struct fathom_lock_use *use = find(address);
	struct fathom_location *self;
	uint64_t state, now, asked, released;

	if (!use)
		use = add(address);
	self = use ? begin(here) : NULL;
	if (!self)
		return;
	state = fathom_peek(&use->state);
	if ((state & ~FATHOM_LOCK_NESTED) == (uintptr_t)self) {
		use->depth += depth;
		fathom_poke(&use->state, state | FATHOM_LOCK_NESTED);
		goto end;
	}
	now = fathom_clock_ticks_after();
	/* The last holder may be about to report a late release. */
	state = __atomic_exchange_n(&use->state, (uintptr_t)self, __ATOMIC_ACQ_REL);
	asked = is_waiting(self->top) ? self->top->enter_ticks : now;
	/* If the release is not reported yet, or never will be, it was before this acquisition. */
	released = state & 1 && state >> 1 < now ? state >> 1 : now;
	if (released > asked || use->holds)
		charge(self, use, asked, released, is_condition);
	use->node = self->top->node;
	use->since_ticks = asked > released ? asked : released;
	use->depth = depth - 1;
	fathom_poke(&use->state, (uintptr_t)self | (depth > 1 ? FATHOM_LOCK_NESTED : 0));
end:
	fathom_location_end(self, self->top);
}

void fathom_contention_acquired(const void *address, uintptr_t here)
{
	if (fathom_contention_is_recorded())
		acquire(address, 1, false, here);
}

void fathom_contention_regained(const void *address, uint32_t depth, uintptr_t here)
{
	if (fathom_contention_is_recorded() && depth)
		acquire(address, depth, true, here);
}

uint32_t fathom_contention_release(const void *address, uint32_t depth, bool is_late, uint64_t now, uintptr_t here)
{
	struct fathom_lock_use *use = fathom_contention_is_recorded() ? find(address) : NULL;
	struct fathom_location *self = use ? begin(here) : NULL;
	uint64_t state;
	uint32_t before = 0;

	if (!self)
		return 0;
	state = fathom_peek(&use->state);
	if ((state & ~FATHOM_LOCK_NESTED) == (uintptr_t)self) {
		before = state & FATHOM_LOCK_NESTED ? use->depth + 1 : 1;
		if (!is_late)
			use->node = self->top->node;
		if (before > depth) {
			use->depth -= depth;
			if (!use->depth)
				fathom_poke(&use->state, (uintptr_t)self);
		} else if (!is_late) {
			fathom_poke(&use->state, now << 1 | 1);
		} else {
			/* If another thread has acquired the lock in the meantime, it has ended this hold. */
			__atomic_compare_exchange_n(&use->state, &state, now << 1 | 1, false, __ATOMIC_ACQ_REL,
						    __ATOMIC_RELAXED);
		}
	}
	fathom_location_end(self, self->top);
	return before;
}

void fathom_contention_forget(const void *address)
{
	struct fathom_lock_use *use = find(address);

	if (use)
		fathom_poke(&use->state, 1);
}

/* --- the end ----------------------------------------------------------------------------------------- */

static void settle(struct fathom_holds *holds)
{
	for (uint64_t number = holds->first; number < holds->count; number++)
		settle_oldest(NULL, holds, number);
	holds->across = 0;
	holds->running = 0;
}

void fathom_contention_settle(void)
{
	if (!fathom_contention_is_recorded())
		return;
	for (size_t i = 0; i < sizeof(fathom_lock_uses) / sizeof(*fathom_lock_uses); i++) {
		struct fathom_lock_use *use = __atomic_load_n(&fathom_lock_uses[i], __ATOMIC_ACQUIRE);

		for (; use; use = use->next)
			if (use->holds)
				settle(use->holds);
	}
}
