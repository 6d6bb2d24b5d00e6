#include "event/stage.h"

#include "event/location.h"
#include "platform/clock.h"

static int no_birth(struct fathom_location *self, struct fathom_frame *root)
{
	(void)self, (void)root;
	return 0;
}

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

static void no_anchor(struct fathom_location *self, struct fathom_frame *frame, void *origin)
{
	(void)self, (void)frame, (void)origin;
}

static void no_task(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	(void)self, (void)frame, (void)now;
}

static void no_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	(void)self, (void)frame, (void)now, (void)is_moved;
}

struct fathom_stage fathom_event_end_stage(void)
{
	return (struct fathom_stage){
		.birth = no_birth,
		.enter = end_enter,
		.enter_at = end_enter_at,
		.exit = end_exit,
		.anchor = no_anchor,
		.task_begin = no_task,
		.task_end = no_task,
		.suspend = no_task,
		.resume = no_resume,
	};
}
