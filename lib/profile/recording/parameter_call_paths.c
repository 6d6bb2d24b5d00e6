#include "profile/recording/parameter_call_paths.h"

#include "define/region.h"
#include "platform/clock.h"
#include "profile/recording/metered.h"

/* Returns true if a region was called since frame was entered: then the frame above was used since that time. If
 * frame is the top of a task that was suspended, the stage of tasks makes it look as if nothing was called
 * (resume_visit in task_call_paths.c). */
static bool has_called(const struct fathom_frame *frame)
{
	return frame[1].enter_ticks >= frame->enter_ticks;
}

/*
 * Continues the visit at the call path other. is_again: the visit had another value of this parameter before; then
 * the visit ends, and a new one begins at other. Otherwise there is one visit, which is counted at other. If regions
 * were called before the change, their nodes stay below the old call path, and so does the time until now; else all
 * the time goes to other.
 */
static void go_on_at(struct fathom_location *self, struct fathom_frame *frame, struct fathom_node *other, bool is_again)
{
	struct fathom_node *node = frame->node;

	if (is_again || has_called(frame)) {
		uint64_t now = fathom_clock_ticks(), ticks = now - frame->enter_ticks;

		if (is_again)
			fathom_callpath_end_visit(node, ticks);
		else
			fathom_poke(&node->inclusive_ticks, node->inclusive_ticks + ticks);
		fathom_poke(&frame->enter_ticks, now);
	}
	fathom_metered_pass(self, node, other);
	if (is_again) {
		fathom_poke(&other->visits, other->visits + 1);
	} else if (node->visits) {	/* not for a task that came from another thread, where its visit is counted */
		fathom_poke(&node->visits, node->visits - 1);
		fathom_poke(&other->visits, other->visits + 1);
	}
	fathom_poke(&frame->node, other);
}

void fathom_callpath_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			       const struct fathom_parameter_value *value)
{
	struct fathom_frame *frame = self->top;
	struct fathom_node *node = frame->node, *with;
	const struct fathom_region *region;

	/* The root, visits without a call path of their own, and folded visits cannot have parameters. */
	if (!frame->region || !node->parent || node->is_anchor || node->is_iteration ||
	    node->region == fathom_truncated_region || (frame->flags & FATHOM_FRAME_FOLDED))
		return;
	region = fathom_parameter_region(node->region, parameter, value);
	if (!region) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return;
	}
	if (region == node->region)
		return;
	with = fathom_callpath_child(self, node->parent, region);
	if (with->region == region)	/* else there are too many call paths, and the visit stays at its node */
		go_on_at(self, frame, with, fathom_parameter_is_given(node->region, parameter));
}
