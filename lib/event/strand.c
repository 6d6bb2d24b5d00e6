#include "event/strand.h"

#include <string.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/mute.h"
#include "event/state.h"
#include "platform/clock.h"
#include "platform/lock.h"

struct parked {			/* a frame of a strand that does not run */
	const struct fathom_region *region;	/* as in the frame: odd if that was hollow */
	uintptr_t stack;
};

struct fathom_strand {
	uintptr_t low, high;	/* its stack; both 0: a thread's own, or one that is gone */
	struct parked *parked;	/* from the outermost; only who runs it, or begins to, is here */
	size_t count;
	size_t room;
};

/* By where their stacks are. One is never moved or freed: a thread may take itself to be there. */
static struct {
	struct fathom_lock lock;	/* held while the list is looked at; nests in nothing */
	struct fathom_arena arena;	/* under the lock */
	struct fathom_strand **list;
	size_t count;			/* looked at without the lock, too */
	size_t room;
} strands;

/* The hollow frame below those of a strand: nothing ends it but us, for no stack pointer is above its. */
static const struct fathom_region base_region = { .name = "strand", .paradigm = FATHOM_PARADIGM_MEASUREMENT };

static bool is_base(const struct fathom_frame *frame)
{
	return fathom_frame_region(frame) == &base_region;
}

static bool has(const struct fathom_strand *strand, uintptr_t address)
{
	return address - strand->low <= strand->high - strand->low;
}

/* --- which there are ------------------------------------------------------------------------------- */

/* The first strand whose stack ends above address. The lock is held. */
static size_t place_of(uintptr_t address)
{
	size_t first = 0, end = strands.count;

	while (first < end) {
		size_t middle = (first + end) / 2;

		if (strands.list[middle]->high > address)
			end = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* NULL: none is there. */
static struct fathom_strand *find(uintptr_t address)
{
	struct fathom_strand *found = NULL;
	size_t place;

	if (!fathom_peek(&strands.count))
		return NULL;
	fathom_lock_take(&strands.lock);
	place = place_of(address);
	if (place < strands.count && strands.list[place]->low <= address)
		found = strands.list[place];
	fathom_lock_give(&strands.lock);
	return found;
}

/* Room in a list of things of that size for count of them; what is outgrown stays in the arena. The lock is held. */
static bool make_room(void *list, size_t *room, size_t count, size_t bytes)
{
	size_t larger = *room ? *room * 2 : 16;
	void *old, *made;

	if (count <= *room)
		return true;
	made = fathom_arena_alloc(&strands.arena, larger * bytes);
	if (!made)
		return false;
	memcpy(&old, list, sizeof(old));
	if (*room)
		memcpy(made, old, *room * bytes);
	memcpy(list, &made, sizeof(made));
	*room = larger;
	return true;
}

/* The strand of a stack. Others that overlap with it were there before, and are gone. NULL: no memory. */
static struct fathom_strand *obtain(uintptr_t low, uintptr_t high)
{
	struct fathom_strand *strand = NULL;
	size_t place, end;

	fathom_lock_take(&strands.lock);
	place = end = place_of(low);
	while (end < strands.count && strands.list[end]->low < high)
		end++;
	if (end == place + 1 && strands.list[place]->low == low && strands.list[place]->high == high) {
		strand = strands.list[place];
		goto unlock;
	}
	if (!make_room(&strands.list, &strands.room, strands.count + 1, sizeof(*strands.list)))
		goto unlock;
	strand = fathom_arena_alloc(&strands.arena, sizeof(*strand));
	if (!strand)
		goto unlock;
	strand->low = low;
	strand->high = high;
	for (size_t i = place; i < end; i++) {
		fathom_poke(&strands.list[i]->low, 0);
		fathom_poke(&strands.list[i]->high, 0);
	}
	memmove(&strands.list[place + 1], &strands.list[end], (strands.count - end) * sizeof(*strands.list));
	strands.list[place] = strand;
	fathom_poke(&strands.count, strands.count - (end - place) + 1);
unlock:
	fathom_lock_give(&strands.lock);
	return strand;
}

/* The same, without the lock where this thread asked for it lately. */
static struct fathom_strand *obtain_quickly(uintptr_t low, uintptr_t high)
{
	static FATHOM_TLS struct fathom_strand *recent[8];
	struct fathom_strand **known = &recent[(low ^ low >> 16) / 4096 % 8];

	if (!*known || fathom_peek(&(*known)->low) != low || fathom_peek(&(*known)->high) != high)
		*known = obtain(low, high);
	return *known;
}

/* What takes along frames that are the thread's own. NULL: no memory. */
static struct fathom_strand *home_of(struct fathom_location *self)
{
	if (!self->home)
		self->home = fathom_arena_alloc(&self->arena, sizeof(*self->home));
	return self->home;
}

/* --- leaving and going on -------------------------------------------------------------------------- */

static bool grow(struct fathom_strand *strand)
{
	bool has_grown;

	fathom_lock_take(&strands.lock);
	has_grown = make_room(&strand->parked, &strand->room, strand->count + 1, sizeof(*strand->parked));
	fathom_lock_give(&strands.lock);
	return has_grown;
}

static void park(struct fathom_strand *strand, const struct fathom_frame *frame)
{
	if (strand->count < strand->room || grow(strand))	/* else its exit will belong to nothing */
		strand->parked[strand->count++] = (struct parked){ frame->region, frame->stack };
}

/* The frame below those of the strand that self is on; NULL: it is not there any more. */
static struct fathom_frame *base_of(const struct fathom_location *self)
{
	struct fathom_frame *frame = self->top;

	while (frame > self->root && !is_base(frame))
		frame--;
	return frame > self->root ? frame : NULL;
}

/* The strand that self is on is left for another one (the thread's own stack: home). Frames above its base that are not
 * on it were entered there, unless they are blocks, which are where the frame around them is. */
static void leave(struct fathom_location *self, struct fathom_strand *to, uintptr_t here, uint64_t now)
{
	struct fathom_strand *from = self->strand, *owner = from;
	struct fathom_frame *base = base_of(self);

	self->strand = NULL;
	if (!base)
		return;
	for (const struct fathom_frame *frame = base + 1; frame <= self->top; frame++) {
		if (frame->stack != FATHOM_STACK_NONE)
			owner = has(from, frame->stack) ? from : to;
		park(owner, frame);
	}
	fathom_frame_pop_to(self, base - 1, here, now);
}

/* A frame that was parked is active again. Its region may have been switched off for good: then no exit comes. */
static bool enter_again(struct fathom_location *self, const struct parked *parked, uintptr_t here, uint64_t now)
{
	bool is_hollow = (uintptr_t)parked->region & FATHOM_FRAME_HOLLOW;
	const struct fathom_region *region =
		(const struct fathom_region *)((uintptr_t)parked->region & ~FATHOM_FRAME_HOLLOW);
	struct fathom_frame *frame;

	if (fathom_peek(&region->switched) == FATHOM_SWITCH_QUIET)
		return true;
	frame = fathom_frame_room(self, 0);
	if (!frame)
		return false;
	if (is_hollow) {
		fathom_frame_enter_hollow(self, frame, region, parked->stack, here);
		return true;
	}
	fathom_location_begin(self, here);
	fathom_poke(&frame->region, region);
	fathom_poke(&frame->stack, parked->stack);
	if (parked->stack & FATHOM_STACK_QUIET)
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
static void go_on(struct fathom_location *self, struct fathom_strand *to, uintptr_t target, uintptr_t here,
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
		fathom_frame_enter_hollow(self, frame, &base_region, FATHOM_STACK_NONE, here);
		self->strand = to;
	}
	for (size_t i = 0; i < count && enter_again(self, &to->parked[i], here, now); i++)
		;
}

/* Whether anything can be moved: explicit tasks have frames of their own, a muted thread needs no call paths, and a
 * signal's handler that switches may have interrupted us. */
static bool can_move(const struct fathom_location *self)
{
	return !self->busy && !self->lost_depth && !self->task && !fathom_mute_is_on(self) && !self->is_moving;
}

/* From where self is now to another strand; NULL: home. */
static void move(struct fathom_location *self, struct fathom_strand *to, uintptr_t target, uintptr_t here,
		 uint64_t now)
{
	struct fathom_strand *home = home_of(self);

	if (!home)
		return;
	self->is_moving = true;
	if (self->strand)
		leave(self, to ? to : home, here, now);
	go_on(self, to ? to : home, target, here, now);
	self->is_moving = false;
}

void fathom_strand_follow(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	if (has(self->strand, here) || !can_move(self))
		return;
	move(self, find(here), here & ~(uintptr_t)15, here, now);
}

void fathom_strand_switch(uintptr_t here, uintptr_t target, const void *stack, size_t bytes)
{
	struct fathom_location *self = fathom_self;
	uintptr_t low = (uintptr_t)stack;
	bool is_given = bytes && target - low <= bytes;
	struct fathom_strand *to = NULL;
	uint64_t now;

	if (!can_move(self) || (!is_given && !self->strand))
		return;
	if (is_given) {
		to = obtain_quickly(low, low + bytes);
		if (!to)
			return;
	}
	now = fathom_clock_ticks();
	if (self->strand)
		fathom_strand_follow(self, here, now);
	if (self->strand != to)
		move(self, to, target, here, now);
	if (!is_new(target))
		fathom_location_unwind(target);
}

bool fathom_strand_jump(uintptr_t target)
{
	struct fathom_location *self = fathom_self;
	struct fathom_strand *to;

	if (!fathom_peek(&strands.count) || !can_move(self))
		return false;
	to = find(target);
	if (to == self->strand)
		return false;
	move(self, to, target, (uintptr_t)__builtin_dwarf_cfa(), fathom_clock_ticks());
	if (!to)
		fathom_location_unwind(target);
	return true;
}
