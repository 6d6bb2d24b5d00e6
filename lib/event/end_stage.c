#include "event/stage.h"

#include "event/location.h"
#include "platform/clock.h"

static void end_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	fathom_poke(&frame->enter_ticks, fathom_clock_ticks());
	fathom_location_end(self, frame);
}

static void end_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

static void end_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	(void)now;
	fathom_location_end(self, frame - 1);
}

struct fathom_stage fathom_event_end_stage(void)
{
	return (struct fathom_stage){ end_enter, end_enter_at, end_exit };
}
