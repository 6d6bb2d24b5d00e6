/*
 * Each does what the function of callpath.c or task_call_paths.c does that it goes on to, and the metrics before.
 * Enters take the reading off before that function reads the clock, exits add it after the core has read it: so what it
 * costs to read counters is in the time of the region around.
 */
#include "profile/metered.h"

#include <stddef.h>

#include "define/metric.h"
#include "platform/clock.h"
#include "profile/task_call_paths.h"

static inline void add(const struct fathom_location *self, struct fathom_node *node, uint64_t sign)
{
	const struct fathom_meter *meter = self->meter;
	uint64_t *metered = node->tally ? node->tally->metered : NULL;

	for (uint32_t m = 0; metered && m < meter->count; m++)
		fathom_poke(&metered[m], metered[m] + sign * (meter->values[m] + FATHOM_METERED_OPEN));
}

static inline void open(const struct fathom_location *self, struct fathom_node *node)
{
	add(self, node, (uint64_t)-1);
}

static inline void close(const struct fathom_location *self, struct fathom_node *node)
{
	add(self, node, 1);
}

static inline bool is_open(const struct fathom_location *self, const struct fathom_node *node)
{
	return self->meter->count && node->tally && fathom_metered_is_open(node->tally->metered[0]);
}

void fathom_metered_pass(struct fathom_location *self, struct fathom_node *from, struct fathom_node *to)
{
	if (!fathom_metric_strict_count() || !is_open(self, from))
		return;
	close(self, from);
	open(self, to);
}

int fathom_metered_birth(struct fathom_location *self, struct fathom_frame *root)
{
	int err = fathom_callpath_birth(self, root);

	/* Others hang under call paths of another thread: their root is but where their trees begin. */
	if (!err && root->node->visits)
		open(self, root->node);
	return err;
}

static inline void visit(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *node = fathom_callpath_child(self, frame[-1].node, frame->region);

	fathom_poke(&frame->node, node);
	fathom_poke(&node->visits, node->visits + 1);
	open(self, node);
}

void fathom_metered_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	visit(self, frame);
	fathom_poke(&frame->enter_ticks, fathom_clock_ticks());
	fathom_location_end(self, frame);
}

void fathom_metered_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	visit(self, frame);
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

void fathom_metered_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	close(self, frame->node);
	fathom_callpath_exit(self, frame, now);
}

void fathom_metered_exit_counted(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	close(self, frame->node);
	fathom_callpath_exit_counted(self, frame, now);
}

/* --- recursion folded ---------------------------------------------------------------------------- */

/* The call paths from one up to another one, which leads to it and is not among them. */
static void close_between(const struct fathom_location *self, struct fathom_node *node, const struct fathom_node *end)
{
	for (; node != end; node = node->parent)
		close(self, node);
}

static void open_between(const struct fathom_location *self, struct fathom_node *node, const struct fathom_node *end)
{
	for (; node != end; node = node->parent)
		open(self, node);
}

void fathom_metered_enter_folded(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *outer = fathom_callpath_folded(frame);

	if (!outer) {
		fathom_metered_enter(self, frame);
		return;
	}
	close_between(self, frame[-1].node, outer);
	fathom_callpath_enter_folded(self, frame);
}

void fathom_metered_enter_at_folded(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_node *outer = fathom_callpath_folded(frame);

	if (!outer) {
		fathom_metered_enter_at(self, frame, now);
		return;
	}
	close_between(self, frame[-1].node, outer);
	fathom_callpath_enter_at_folded(self, frame, now);
}

static inline void end_folded(const struct fathom_location *self, const struct fathom_frame *frame)
{
	if (frame->flags & FATHOM_FRAME_FOLDED)
		open_between(self, frame[-1].node, frame->node);
	else
		close(self, frame->node);
}

void fathom_metered_exit_folded(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	end_folded(self, frame);
	fathom_callpath_exit_folded(self, frame, now);
}

void fathom_metered_exit_folded_counted(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	end_folded(self, frame);
	fathom_callpath_exit_folded_counted(self, frame, now);
}

/* --- explicit tasks ------------------------------------------------------------------------------ */

void fathom_metered_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom_callpath_task_begin(self, frame, now);
	if (likely(!fathom_frame_is_placeholder(frame)))
		open(self, frame->node);
}

void fathom_metered_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (likely(!fathom_frame_is_placeholder(frame)))
		close(self, frame->node);
	fathom_callpath_task_end(self, frame, now);
}

/* Below a folded visit some call paths are closed already. */
void fathom_metered_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (!fathom_frame_is_placeholder(frame) && is_open(self, frame->node))
		close(self, frame->node);
	fathom_callpath_suspend(self, frame, now);
}

void fathom_metered_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	fathom_callpath_resume(self, frame, now, is_moved);
	if (unlikely(fathom_frame_is_placeholder(frame)))
		return;
	if (frame->flags & FATHOM_FRAME_FOLDED)
		close_between(self, frame[-1].node, frame->node);
	else if (!is_open(self, frame->node))
		open(self, frame->node);
}
