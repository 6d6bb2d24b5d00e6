#include "event/coroutine.h"

#include <string.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/state.h"
#include "platform/clock.h"
#include "platform/lock.h"

struct parked {			/* a frame of a coroutine that does not run */
	const struct fathom_region *region;	/* also of a placeholder frame */
	uintptr_t stack;		/* as in the frame, and so are the flags */
	uint32_t flags;
};

struct fathom_coroutine {
	uintptr_t low, high;	/* its stack; both 0: a thread's own, or one that is gone */
	struct parked *parked;	/* from the outermost; only who runs it, or begins to, is here */
	size_t count;
	size_t room;
};

/* By where their stacks are. One is never moved or freed: a thread may take itself to be there. */
static struct {
	struct fathom_lock lock;	/* held while the list is looked at; nests in nothing */
	struct fathom_arena arena;	/* under the lock */
	struct fathom_coroutine **list;
	size_t count;			/* looked at without the lock, too */
	size_t room;
} coroutines;

/* The placeholder frame below those of a coroutine: nothing ends it but us, for no stack pointer is above its. */
static const struct fathom_region base_region = { .name = "coroutine", .paradigm = FATHOM_PARADIGM_MEASUREMENT };

static bool is_base(const struct fathom_frame *frame)
{
	return fathom_frame_region(frame) == &base_region;
}

static bool has(const struct fathom_coroutine *coroutine, uintptr_t address)
{
	return address - coroutine->low <= coroutine->high - coroutine->low;
}

/* --- which there are ------------------------------------------------------------------------------- */

/* The first coroutine whose stack ends above address. The lock is held. */
static size_t place_of(uintptr_t address)
{
	size_t first = 0, end = coroutines.count;

	while (first < end) {
		size_t middle = (first + end) / 2;

		if (coroutines.list[middle]->high > address)
			end = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* NULL: none is there. */
static struct fathom_coroutine *find(uintptr_t address)
{
	struct fathom_coroutine *found = NULL;
	size_t place;

	if (!fathom_peek(&coroutines.count))
		return NULL;
	fathom_lock_take(&coroutines.lock);
	place = place_of(address);
	if (place < coroutines.count && coroutines.list[place]->low <= address)
		found = coroutines.list[place];
	fathom_lock_give(&coroutines.lock);
	return found;
}

/* Room in a list of things of that size for count of them; what is outgrown stays in the arena. The lock is held. */
static bool make_room(void *list, size_t *room, size_t count, size_t bytes)
{
	size_t larger = *room ? *room * 2 : 16;
	void *old, *made;

	if (count <= *room)
		return true;
	made = fathom_arena_alloc(&coroutines.arena, larger * bytes);
	if (!made)
		return false;
	memcpy(&old, list, sizeof(old));
	if (*room)
		memcpy(made, old, *room * bytes);
	memcpy(list, &made, sizeof(made));
	*room = larger;
	return true;
}

/* The coroutine of a stack. Others that overlap with it were there before, and are gone. NULL: no memory. */
static struct fathom_coroutine *obtain(uintptr_t low, uintptr_t high)
{
	struct fathom_coroutine *coroutine = NULL;
	size_t place, end;

	fathom_lock_take(&coroutines.lock);
	place = end = place_of(low);
	while (end < coroutines.count && coroutines.list[end]->low < high)
		end++;
	if (end == place + 1 && coroutines.list[place]->low == low && coroutines.list[place]->high == high) {
		coroutine = coroutines.list[place];
		goto unlock;
	}
	if (!make_room(&coroutines.list, &coroutines.room, coroutines.count + 1, sizeof(*coroutines.list)))
		goto unlock;
	coroutine = fathom_arena_alloc(&coroutines.arena, sizeof(*coroutine));
	if (!coroutine)
		goto unlock;
	coroutine->low = low;
	coroutine->high = high;
	for (size_t i = place; i < end; i++) {
		fathom_poke(&coroutines.list[i]->low, 0);
		fathom_poke(&coroutines.list[i]->high, 0);
	}
	memmove(&coroutines.list[place + 1], &coroutines.list[end],
		(coroutines.count - end) * sizeof(*coroutines.list));
	coroutines.list[place] = coroutine;
	fathom_poke(&coroutines.count, coroutines.count - (end - place) + 1);
unlock:
	fathom_lock_give(&coroutines.lock);
	return coroutine;
}

/* The same, without the lock where this thread asked for it lately. */
static struct fathom_coroutine *obtain_quickly(uintptr_t low, uintptr_t high)
{
	static FATHOM_TLS struct fathom_coroutine *recent[8];
	struct fathom_coroutine **known = &recent[(low ^ low >> 16) / 4096 % 8];

	if (!*known || fathom_peek(&(*known)->low) != low || fathom_peek(&(*known)->high) != high)
		*known = obtain(low, high);
	return *known;
}

/* What takes along frames that are the thread's own. NULL: no memory. */
static struct fathom_coroutine *home_of(struct fathom_location *self)
{
	if (!self->home)
		self->home = fathom_arena_alloc(&self->arena, sizeof(*self->home));
	return self->home;
}

/* --- leaving and going on -------------------------------------------------------------------------- */

static bool grow(struct fathom_coroutine *coroutine)
{
	bool has_grown;

	fathom_lock_take(&coroutines.lock);
	has_grown = make_room(&coroutine->parked, &coroutine->room, coroutine->count + 1, sizeof(*coroutine->parked));
	fathom_lock_give(&coroutines.lock);
	return has_grown;
}

static void park(struct fathom_coroutine *coroutine, const struct fathom_frame *frame)
{
	if (coroutine->count < coroutine->room || grow(coroutine))	/* else its exit will belong to nothing */
		coroutine->parked[coroutine->count++] = (struct parked){
			.region = fathom_frame_region(frame),
			.stack = frame->stack,
			.flags = frame->flags,
		};
}

/* The frame below those of the coroutine that self is on; NULL: it is not there any more. */
static struct fathom_frame *base_of(const struct fathom_location *self)
{
	struct fathom_frame *frame = self->top;

	while (frame > self->root && !is_base(frame))
		frame--;
	return frame > self->root ? frame : NULL;
}

/* The coroutine that self is on is left for another one (the thread's own stack: home). Frames above its base that are
 * not on it were entered there, unless they are blocks, which are where the frame around them is. */
static void leave(struct fathom_location *self, struct fathom_coroutine *to, uintptr_t here, uint64_t now)
{
	struct fathom_coroutine *from = self->coroutine, *owner = from;
	struct fathom_frame *base = base_of(self);

	self->coroutine = NULL;
	if (!base)
		return;
	for (const struct fathom_frame *frame = base + 1; frame <= self->top; frame++) {
		if (frame->stack != FATHOM_STACK_HIGHEST)
			owner = has(from, frame->stack) ? from : to;
		park(owner, frame);
	}
	fathom_frame_pop_to(self, base - 1, here, now);
}

/* A frame that was parked is active again. Its region may have been switched off for good: then no exit comes. */
static bool enter_again(struct fathom_location *self, const struct parked *parked, uintptr_t here, uint64_t now)
{
	const struct fathom_region *region = parked->region;
	struct fathom_frame *frame;

	if (fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED)
		return true;
	frame = fathom_frame_room(self, 0);
	if (!frame)
		return false;
	if (parked->flags & FATHOM_FRAME_PLACEHOLDER) {
		fathom_frame_enter_placeholder(self, frame, region, parked->stack, here);
		return true;
	}
	fathom_frame_push(self, frame, region, parked->stack, here);
	fathom_poke(&frame->flags, parked->flags & FATHOM_FRAME_UNTRACED);
	if (parked->flags & FATHOM_FRAME_UNTRACED)
		fathom.substrate->enter_at(self, frame, now);
	else
		fathom.enter(self, frame);
	if (fathom.substrate->again)
		fathom.substrate->again(frame);
	return true;
}

/* Whether a context begins where the stack pointer is, so that it has nothing active: a function finds its stack
 * unaligned, and aligns it before it calls one by which it could be left. */
static bool is_new(uintptr_t target)
{
	return target % 16;
}

/* to goes on with its stack pointer at target. It may be home. */
static void go_on(struct fathom_location *self, struct fathom_coroutine *to, uintptr_t target, uintptr_t here,
		  uint64_t now)
{
	size_t count = is_new(target) ? 0 : to->count;

	/* What was entered below was left in the meantime, or was another's who had the stack before. */
	while (count && to->parked[count - 1].stack < target)
		count--;
	to->count = 0;
	if (to != self->home) {
		struct fathom_frame *frame = fathom_frame_room(self, 0);

		if (!frame)
			return;
		fathom_frame_enter_placeholder(self, frame, &base_region, FATHOM_STACK_HIGHEST, here);
		self->coroutine = to;
	}
	for (size_t i = 0; i < count && enter_again(self, &to->parked[i], here, now); i++)
		;
}

/* Whether anything can be moved: explicit tasks have frames of their own, a paused thread needs no call paths, and a
 * signal's handler that switches may have interrupted us. */
static bool can_move(const struct fathom_location *self)
{
	return !self->busy && !self->lost_depth && !self->task && !self->is_paused && !self->is_moving;
}

/* From where self is now to another coroutine; NULL: home. */
static void move(struct fathom_location *self, struct fathom_coroutine *to, uintptr_t target, uintptr_t here,
		 uint64_t now)
{
	struct fathom_coroutine *home = home_of(self);

	if (!home)
		return;
	self->is_moving = true;
	if (self->coroutine)
		leave(self, to ? to : home, here, now);
	go_on(self, to ? to : home, target, here, now);
	self->is_moving = false;
}

void fathom_coroutine_follow(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	if (has(self->coroutine, here) || !can_move(self))
		return;
	move(self, find(here), here & ~(uintptr_t)15, here, now);
}

void fathom_coroutine_switch(uintptr_t here, uintptr_t target, const void *stack, size_t bytes)
{
	struct fathom_location *self = fathom_self;
	uintptr_t low = (uintptr_t)stack;
	bool is_given = bytes && target - low <= bytes;
	struct fathom_coroutine *to = NULL;
	uint64_t now;

	if (!can_move(self) || (!is_given && !self->coroutine))
		return;
	if (is_given) {
		to = obtain_quickly(low, low + bytes);
		if (!to)
			return;
	}
	now = fathom_clock_ticks();
	if (self->coroutine)
		fathom_coroutine_follow(self, here, now);
	if (self->coroutine != to)
		move(self, to, target, here, now);
	if (!is_new(target))
		fathom_frame_unwind(target);
}

bool fathom_coroutine_jump(uintptr_t target)
{
	struct fathom_location *self = fathom_self;
	struct fathom_coroutine *to;

	if (!fathom_peek(&coroutines.count) || !can_move(self))
		return false;
	to = find(target);
	if (to == self->coroutine)
		return false;
	move(self, to, target, (uintptr_t)__builtin_dwarf_cfa(), fathom_clock_ticks());
	if (!to)
		fathom_frame_unwind(target);
	return true;
}
