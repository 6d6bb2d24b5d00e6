/*
 * The group changes at the begin of a call that ends a burst, when the stages behind have the readings of the old
 * group. The end of the call has readings of the new group, and no burst has both.
 */
#include "event/counter_turns.h"

#include "define/burst_boundary.h"
#include "event/location.h"
#include "metric/counters.h"
#include "platform/clock.h"
#include "platform/vectors.h"

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

FATHOM_KEEPS_VECTORS(fathom_counters_turn);

/* The body of a construct is a burst itself, which has begun with the readings of the old group. */
static inline bool may_change(const struct fathom_location *self, const struct fathom_frame *frame)
{
	const struct fathom_meter *meter = self->meter;

	return fathom_region_divides_bursts(frame->region) && !fathom_region_is_burst_body(frame->region) &&
	       !(frame->flags & FATHOM_FRAME_UNTRACED) && meter->counters && meter->counters == fathom_own_counters;
}

static __attribute__((noinline)) void turn(const struct fathom_location *self, uint64_t now)
{
	struct fathom_meter *meter = self->meter;

	if (fathom_counters_turn_kept(meter->counters, now, meter->values))
		meter->group = meter->counters->group;
}

static void turning_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	next.enter(self, frame);
	if (may_change(self, frame))
		turn(self, fathom_clock_ticks());
}

static void turning_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	next.enter_at(self, frame, now);
	if (may_change(self, frame))
		turn(self, now);
}

struct fathom_stage fathom_counter_turns_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.enter = turning_enter;
	stage.enter_at = turning_enter_at;
	return stage;
}
