#include "event/pause.h"

#include <errno.h>
#include <stddef.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/state.h"
#include "platform/clock.h"

static const struct fathom_region *off;

int fathom_pause_init(void)
{
	static const struct fathom_region spec = {
		.name = "MEASUREMENT OFF",
		.paradigm = FATHOM_PARADIGM_USER,
		.role = FATHOM_ROLE_ARTIFICIAL,
		.is_of_profile = true,	/* traces have a record of their own for pauses */
	};

	off = fathom_region_define(&spec);
	return off ? 0 : -ENOMEM;
}

bool fathom_pause_is_region(const struct fathom_region *region)
{
	return region == off;
}

void fathom_pause_notify(struct fathom_location *self, uintptr_t here, bool on, uint64_t now)
{
	FATHOM_NOTIFY(self, here, on_off, on, now);
}

void fathom_pause_begin(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	struct fathom_frame *frame = fathom_frame_room(self, here);

	if (self->is_paused)
		return;
	if (frame) {
		fathom_frame_enter_at(self, frame, off, here, now);
		fathom_poke(&frame->flags, frame->flags | FATHOM_FRAME_PAUSE);
	}
	fathom_location_set_paused(self, true);
	fathom_pause_notify(self, here, false, now);
}

/* Returns the frame of MEASUREMENT OFF, if there are only placeholder frames above it. NULL: there is none. */
static struct fathom_frame *pause_frame(const struct fathom_location *self)
{
	struct fathom_frame *frame = self->top;

	while (fathom_frame_is_placeholder(frame) && !(frame->flags & FATHOM_FRAME_BOTTOM))
		frame--;
	return frame->region == off ? frame : NULL;
}

/* Ends MEASUREMENT OFF and removes its frame from below the placeholder frames, whose functions are still active. */
static void take_out(struct fathom_location *self, struct fathom_frame *frame, uintptr_t here, uint64_t now)
{
	struct fathom_frame *top = self->top;

	fathom_location_begin(self, here);
	fathom.exit(self, frame, now);
	fathom_location_begin(self, here);
	for (; frame < top; frame++) {
		fathom_poke(&frame->region, frame[1].region);
		fathom_poke(&frame->stack, frame[1].stack);
		fathom_poke(&frame->flags, frame[1].flags);
		fathom_poke(&frame->unrecorded, frame[1].unrecorded);
		fathom_poke(&frame->node, frame[-1].node);
		fathom_poke(&frame->enter_ticks, frame[-1].enter_ticks);
	}
	fathom_location_end(self, top - 1);
}

void fathom_pause_end(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	struct fathom_frame *frame = self->lost_depth ? NULL : pause_frame(self);

	if (!self->is_paused)
		return;
	fathom_location_set_paused(self, false);
	if (frame)
		take_out(self, frame, here, now);
	fathom_pause_notify(self, here, true, now);
}
