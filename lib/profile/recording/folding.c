#include "profile/recording/folding.h"

#include <stddef.h>

#include "define/parameter.h"
#include "define/region.h"
#include "event/location.h"
#include "profile/recording/callpath.h"

/* The stage of the call paths, and the stage that follows it; they do not change after the start. */
static struct fathom_stage exact, behind;

/* Returns the call path around frame that a visit of its region is folded into; NULL: the region is not active there.
 */
static inline struct fathom_node *folded_node(const struct fathom_frame *frame)
{
	struct fathom_node *node = frame[-1].node;

	/* The node that takes lost events has no region. */
	while (node && node->region != frame->region &&
	       (!node->region || fathom_parameter_plain(node->region) != frame->region))
		node = node->parent;
	return node && !node->is_anchor ? node : NULL;
}

static void visit(struct fathom_frame *frame, struct fathom_node *node)
{
	/* The flags come first: a thread that reads node in the frame must find the flags that belong to it. */
	fathom_poke(&frame->flags, frame->flags | FATHOM_FRAME_FOLDED);
	fathom_poke(&frame->node, node);
	fathom_add(&node->visits, 1);
}

static void fold_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *node = folded_node(frame);

	if (!node) {
		exact.enter(self, frame);
		return;
	}
	visit(frame, node);
	behind.enter(self, frame);
}

static void fold_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_node *node = folded_node(frame);

	if (!node) {
		exact.enter_at(self, frame, now);
		return;
	}
	visit(frame, node);
	behind.enter_at(self, frame, now);
}

static void fold_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	uint64_t ticks;

	if (!(frame->flags & FATHOM_FRAME_FOLDED)) {
		exact.exit(self, frame, now);
		return;
	}
	ticks = now - frame->enter_ticks;
	fathom_callpath_note_duration(frame->node, ticks);
	/* The unsigned value may be below zero (modulo 2^64) until the visits around have ended. */
	for (struct fathom_node *node = frame[-1].node; node != frame->node; node = node->parent)
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks - ticks);
	behind.exit(self, frame, now);
}

struct fathom_stage fathom_folding_before(struct fathom_stage callpath, struct fathom_stage after)
{
	struct fathom_stage stage = callpath;

	exact = callpath;
	behind = after;
	stage.enter = fold_enter;
	stage.enter_at = fold_enter_at;
	stage.exit = fold_exit;
	return stage;
}
