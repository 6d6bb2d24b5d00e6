#include "event/thread.h"

#include <stddef.h>

#include "event/event.h"
#include "event/frame.h"
#include "event/pause.h"
#include "event/state.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"
#include "platform/settings.h"

#define HERE ((uintptr_t)__builtin_dwarf_cfa())

/* Number of threads whose creation was reported. */
static uint64_t created;

void fathom_event_thread_create(struct fathom_origin *origin)
{
	struct fathom_location *self = fathom_self;

	origin->creator = NULL;
	origin->node = NULL;
	if (self->busy) {
		self = fathom_location_resolve_busy(self, HERE);
		if (!self)
			return;
	}
	fathom_location_begin(self, HERE);
	origin->creator = self;
	origin->node = fathom.substrate->origin(self);
	origin->is_paused = self->is_paused;
	origin->number = __atomic_add_fetch(&created, 1, __ATOMIC_RELAXED);
	fathom_location_end(self, self->top);
	FATHOM_NOTIFY(self, HERE, thread_create, origin, fathom_clock_ticks());
}

/* Returns a location that a thread has left, or a new one. NULL: no memory. */
static struct fathom_location *location_for(const struct fathom_origin *origin)
{
	struct fathom_location *self = NULL;

	if (fathom.settings.thread_reuse != FATHOM_REUSE_NO)
		self = fathom_location_reuse(fathom.settings.thread_reuse == FATHOM_REUSE_SAME ? origin->node : NULL);
	if (!self)
		self = fathom_location_create(FATHOM_KIND_CREATED, origin->creator, 0, 0);
	return self;
}

void fathom_event_thread_begin(const struct fathom_origin *origin, const struct fathom_region *region)
{
	struct fathom_location *self;
	struct fathom_frame *frame;

	if (!origin->creator || !fathom_location_is_none(fathom_self))
		return;
	self = location_for(origin);
	if (!self)
		return;
	self->origin = origin->node;
	fathom_location_adopt(self);
	frame = fathom_frame_room(self, HERE);
	if (!frame)
		return;
	fathom_location_begin(self, HERE);
	frame->region = NULL;
	fathom_poke(&frame->stack, FATHOM_STACK_HIGHEST);
	fathom_poke(&frame->flags, FATHOM_FRAME_ANCHOR | FATHOM_FRAME_UNTRACED);
	fathom.substrate->chain.anchor(self, frame, origin->node);
	fathom_location_end(self, frame);
	FATHOM_NOTIFY(self, HERE, thread_begin, origin, fathom_clock_ticks_after());
	if (origin->is_paused) {
		fathom_location_set_paused(self, true);
		fathom_pause_notify(self, HERE, false, fathom_clock_ticks());
	}
	fathom_event_enter_block(region);
}

void fathom_thread_end(struct fathom_location *self)
{
	uint64_t now = fathom_clock_ticks(), end = 0;

	if (self->busy)
		return;
	/* A runtime may end a worker without reporting that its team is over. */
	if (self->team && !self->team->has_logical_places)
		end = fathom_peek(&self->team->end_ticks);
	if (end && self->top->enter_ticks <= end)
		now = end;
	fathom_task_end_thread(self, now);
	fathom_frame_note_open(self, self->root, NULL);
	fathom_frame_pop_to(self, self->root, HERE, now);
	if (!self->end_ticks)
		FATHOM_NOTIFY(self, HERE, thread_end, now);
	fathom_poke(&self->end_ticks, now);
}

void fathom_event_thread_end(void)
{
	struct fathom_location *self = fathom_self;

	if (self->busy)
		return;
	fathom_thread_end(self);
	if (self->kind == FATHOM_KIND_CREATED && fathom.settings.thread_reuse != FATHOM_REUSE_NO) {
		fathom_location_adopt(fathom_location_ignored());
		__atomic_store_n(&self->is_spare, true, __ATOMIC_RELEASE);
	}
}

void fathom_event_thread_wait(uint64_t number)
{
	struct fathom_location *self = fathom_self;

	if (!self->busy)
		FATHOM_NOTIFY(self, HERE, thread_wait, number, fathom_clock_ticks_after());
}

void fathom_event_thread_ignore(void)
{
	if (fathom_location_is_none(fathom_self))
		fathom_self = fathom_location_ignored();
	fathom_location_note_ignored();
}
