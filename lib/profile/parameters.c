/*
 * Parameters split call paths: the region's visit goes on at the call path of the value, beside that without it.
 */
#include "define/parameter.h"
#include "define/region.h"
#include "platform/clock.h"
#include "profile/callpath.h"
#include "profile/metered.h"

/* Whether anything was called since frame was entered: its place above has been used since then. What an explicit
 * task did before it was suspended does not tell. */
static bool has_called(const struct fathom_location *self, const struct fathom_frame *frame)
{
	return self->task || (frame[1].enter_ticks & ~FATHOM_VISIT_FOLDED) >= frame->enter_ticks;
}

/* Where nothing happened yet, the visit is the other call path's from the beginning; else it ends, and another
 * begins. */
static void go_on_at(struct fathom_location *self, struct fathom_frame *frame, struct fathom_node *other, bool is_begun)
{
	struct fathom_node *node = frame->node;

	if (is_begun || has_called(self, frame)) {
		uint64_t now = fathom_clock_ticks();

		fathom_callpath_end_visit(node, now - frame->enter_ticks);
		fathom_poke(&frame->enter_ticks, now);
	} else {
		fathom_poke(&node->visits, node->visits - 1);
	}
	fathom_metered_pass(self, node, other);
	fathom_poke(&other->visits, other->visits + 1);
	fathom_poke(&frame->node, other);
}

void fathom_callpath_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			       const struct fathom_parameter_value *value)
{
	struct fathom_frame *frame = self->top;
	struct fathom_node *node = frame->node, *with;
	const struct fathom_region *region;

	/* Not the program as a whole, what has no call path, nor a recursion that has only its first one. */
	if (!frame->region || !node->parent || node->is_alias || node->is_iteration ||
	    node->region == fathom_truncated_region || (frame->enter_ticks & FATHOM_VISIT_FOLDED))
		return;
	region = fathom_parameter_region(node->region, parameter, value);
	if (!region) {
		self->dropped[FATHOM_DROP_MEMORY]++;
		return;
	}
	if (region == node->region)
		return;
	with = fathom_callpath_child(self, node->parent, region);
	if (with->region == region)	/* else there are too many call paths: it stays as it is */
		go_on_at(self, frame, with, fathom_parameter_is_given(node->region, parameter));
}
