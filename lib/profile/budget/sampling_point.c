#include "profile/budget/sampling_point.h"

#include "event/location.h"
#include "platform/vectors.h"
#include "profile/budget/budget.h"
#include "profile/recording/callpath.h"

FATHOM_KEEPS_VECTORS(fathom_budget_sampling_point);

static void exit_at_sampling_point(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	const struct fathom_node *node = frame->node;

	(void)now;
	fathom_location_end(self, frame - 1);
	if (unlikely(node->visits % FATHOM_BUDGET_VISITS == 0))
		fathom_budget_sampling_point_kept(self);
}

struct fathom_stage fathom_sampling_point_end(void)
{
	struct fathom_stage end = fathom_event_end_stage();

	end.exit = exit_at_sampling_point;
	return end;
}
