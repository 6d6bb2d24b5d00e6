/*
 * The stage that enters and exits pass while threads of a team are idle. It charges the call path that the thread was
 * in until now.
 */
#include "event/teams/idleness.h"

#include "event/state.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"

static void charge(struct fathom_location *self, const struct fathom_frame *innermost, uint64_t now)
{
	const struct fathom_team *team = fathom_idleness_team(self);
	uint64_t reading, blame;

	if (!team || fathom_idleness_is_idle(innermost) || !innermost->node)
		return;
	reading = fathom_idle_reading(&team->idle_clock, now);
	blame = reading - self->idle_mark;
	if (!blame || (int64_t)blame < 0)
		return;
	self->idle_mark = reading;
	fathom.substrate->idle_blame(self, innermost->node, blame);
}

void fathom_idle_stage_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	charge(self, frame - 1, fathom_clock_ticks());
	fathom.substrate->chain.enter(self, frame);
}

void fathom_idle_stage_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	charge(self, frame, now);
	fathom.substrate->chain.exit(self, frame, now);
}
