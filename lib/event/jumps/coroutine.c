#include "event/jumps/coroutine.h"

#include <string.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/state.h"
#include "platform/clock.h"
#include "platform/lock.h"

/* A frame of a coroutine that no thread runs now. */
struct saved_frame {
	const struct fathom_region *region;	/* for a placeholder frame, the region that is not recorded */
	uintptr_t stack;			/* copied from the frame, like flags */
	uint32_t flags;
};

struct fathom_coroutine {
	uintptr_t low, high;	/* the bounds of its stack; both 0: a thread's own stack, or a stack that is gone */
	struct saved_frame *frames;	/* from the outermost frame; used only by the thread that runs the coroutine */
	uint32_t count;
	uint32_t room;
};

/* All coroutines, sorted by the addresses of their stacks. A coroutine is never moved or freed, because the location of
 * some thread may still point to it. */
static struct {
	struct fathom_lock lock;	/* held while the list is searched or changed; no lock is taken inside */
	struct fathom_arena arena;	/* protected by the lock */
	struct fathom_coroutine **list;
	uint32_t count;			/* also read without the lock */
	uint32_t room;
} coroutines;

/* The region of the placeholder frame below the frames of a coroutine. The stack address of that frame is above all
 * stack pointers, so only this file ends it. */
static const struct fathom_region base_region = { .name = "coroutine", .paradigm = FATHOM_PARADIGM_MEASUREMENT };

static bool is_base(const struct fathom_frame *frame)
{
	return fathom_frame_region(frame) == &base_region;
}

static bool has(const struct fathom_coroutine *coroutine, uintptr_t address)
{
	return address - coroutine->low <= coroutine->high - coroutine->low;
}

/* Returns the index of the first coroutine whose stack ends above address. The caller holds the lock. */
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

/* Returns the coroutine whose stack contains address. NULL: there is none. */
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

/* Finds or makes the coroutine of the stack from low to high. Coroutines whose stacks overlap with that stack have
 * ended, because their memory is used again; they are taken off the list. NULL: no memory. */
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
	if (!fathom_arena_grow(&coroutines.arena, &coroutines.list, &coroutines.room, coroutines.count + 1,
			       sizeof(*coroutines.list)))
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

/* Does the same as obtain, but does not take the lock if this thread asked for the same coroutine recently. */
static struct fathom_coroutine *obtain_quickly(uintptr_t low, uintptr_t high)
{
	static FATHOM_TLS struct fathom_coroutine *recent[8];
	struct fathom_coroutine **slot = &recent[(low ^ low >> 16) / 4096 % 8];

	if (!*slot || fathom_peek(&(*slot)->low) != low || fathom_peek(&(*slot)->high) != high)
		*slot = obtain(low, high);
	return *slot;
}

/* Returns where the frames of the thread's own stack are saved while it runs a coroutine. NULL: no memory. */
static struct fathom_coroutine *home_of(struct fathom_location *self)
{
	if (!self->home)
		self->home = fathom_arena_alloc(&self->arena, sizeof(*self->home));
	return self->home;
}

/* Makes room for one more saved frame. False: no memory. */
static bool grow(struct fathom_coroutine *coroutine)
{
	bool has_grown;

	fathom_lock_take(&coroutines.lock);
	has_grown = fathom_arena_grow(&coroutines.arena, &coroutine->frames, &coroutine->room, coroutine->count + 1,
				      sizeof(*coroutine->frames));
	fathom_lock_give(&coroutines.lock);
	return has_grown;
}

/* Keeps a frame of a coroutine that the thread leaves. Without memory the frame is lost; the core drops its exit. */
static void save_frame(struct fathom_coroutine *coroutine, const struct fathom_frame *frame)
{
	if (coroutine->count < coroutine->room || grow(coroutine))
		coroutine->frames[coroutine->count++] = (struct saved_frame){
			.region = fathom_frame_region(frame),
			.stack = frame->stack,
			.flags = frame->flags,
		};
}

/* Returns the base frame of the coroutine that the location is on. NULL: that frame has ended. */
static struct fathom_frame *base_of(const struct fathom_location *self)
{
	struct fathom_frame *frame = self->top;

	while (frame > self->root && !is_base(frame))
		frame--;
	return frame > self->root ? frame : NULL;
}

/* The thread leaves its coroutine for the coroutine to (for the thread's own stack: home). A frame above the base whose
 * stack address is not on the stack of the old coroutine was entered on the new one. Blocks have no stack address of
 * their own and belong to the stack of the frame around them. */
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
		save_frame(owner, frame);
	}
	fathom_frame_pop_to(self, base - 1, here, now);
}

/* Enters the region of a saved frame again. If the region has been drained since, no exit will come, and nothing is
 * entered. False: the frame stack is full. */
static bool enter_again(struct fathom_location *self, const struct saved_frame *saved, uintptr_t here, uint64_t now)
{
	const struct fathom_region *region = saved->region;
	struct fathom_frame *frame;

	if (fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED)
		return true;
	frame = fathom_frame_room(self, 0);
	if (!frame)
		return false;
	if (saved->flags & FATHOM_FRAME_PLACEHOLDER) {
		fathom_frame_enter_placeholder(self, frame, region, saved->stack, here);
		return true;
	}
	fathom_frame_push(self, frame, region, saved->stack, here);
	fathom_poke(&frame->flags, saved->flags & (FATHOM_FRAME_UNTRACED | FATHOM_FRAME_PAUSE));
	if (saved->flags & FATHOM_FRAME_UNTRACED)
		fathom.substrate->chain.enter_at(self, frame, now);
	else
		fathom.enter(self, frame);
	if (fathom.substrate->uncount_visit)
		fathom.substrate->uncount_visit(frame);
	return true;
}

/* Returns true if the stack pointer target is that of a context that begins: then no frame is active on its stack. At
 * the first instruction of a function the stack pointer is no multiple of 16; the function aligns it before it calls
 * another function, which is the only way to leave the context again. */
static bool is_new(uintptr_t target)
{
	return target % 16;
}

/* The thread continues with the coroutine to, or with its own stack (home), at the stack pointer target. */
static void continue_on(struct fathom_location *self, struct fathom_coroutine *to, uintptr_t target, uintptr_t here,
			uint64_t now)
{
	uint32_t count = is_new(target) ? 0 : to->count;

	/* Frames below target were left in the meantime, or belong to a coroutine that had this stack before. */
	while (count && to->frames[count - 1].stack < target)
		count--;
	to->count = 0;
	if (to != self->home) {
		struct fathom_frame *frame = fathom_frame_room(self, 0);

		if (!frame)
			return;
		fathom_frame_enter_placeholder(self, frame, &base_region, FATHOM_STACK_HIGHEST, here);
		self->coroutine = to;
	}
	for (uint32_t i = 0; i < count && enter_again(self, &to->frames[i], here, now); i++)
		;
}

/* Returns true if frames can be saved and entered again now. Explicit tasks have frames of their own; a paused
 * thread needs no call paths; and a signal handler that switches stacks may have interrupted a switch. */
static bool can_move(const struct fathom_location *self)
{
	return !self->busy && !self->lost_depth && !self->task && !self->is_paused && !self->is_moving;
}

/* The thread changes from its present stack to the coroutine to; NULL: to its own stack. */
static void move(struct fathom_location *self, struct fathom_coroutine *to, uintptr_t target, uintptr_t here,
		 uint64_t now)
{
	struct fathom_coroutine *home = home_of(self);

	if (!home)
		return;
	self->is_moving = true;
	if (self->coroutine)
		leave(self, to ? to : home, here, now);
	continue_on(self, to ? to : home, target, here, now);
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
