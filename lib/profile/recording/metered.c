/*
 * At an enter this stage subtracts the readings before the last stage reads the clock; at an exit it adds them after
 * the core has read the clock. Therefore the region around the visit gets the time that reading the counters takes.
 */
#include "profile/recording/metered.h"

#include <stddef.h>

#include "define/metric.h"

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

/* --- the stage -------------------------------------------------------------------------------------- */

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

static int birth(struct fathom_location *self, struct fathom_frame *root)
{
	/* The trees of other threads begin below call paths of another thread; their root is no call path. */
	if (root->node->visits)
		open(self, root->node);
	return next.birth(self, root);
}

/* close_between and open_between close or open the call paths from node up to end, without end. */
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

static inline void begin_visit(const struct fathom_location *self, const struct fathom_frame *frame)
{
	if (unlikely(frame->flags & FATHOM_FRAME_FOLDED))
		close_between(self, frame[-1].node, frame->node);
	else
		open(self, frame->node);
}

static void metered_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	begin_visit(self, frame);
	next.enter(self, frame);
}

static void metered_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	begin_visit(self, frame);
	next.enter_at(self, frame, now);
}

static void metered_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (unlikely(frame->flags & FATHOM_FRAME_FOLDED))
		open_between(self, frame[-1].node, frame->node);
	else
		close(self, frame->node);
	next.exit(self, frame, now);
}

static void task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (likely(!fathom_frame_is_placeholder(frame)))
		open(self, frame->node);
	next.task_begin(self, frame, now);
}

static void task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (likely(!fathom_frame_is_placeholder(frame)))
		close(self, frame->node);
	next.task_end(self, frame, now);
}

/* Some call paths around a folded visit are closed already. */
static void suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (!fathom_frame_is_placeholder(frame) && is_open(self, frame->node))
		close(self, frame->node);
	next.suspend(self, frame, now);
}

static void reopen(const struct fathom_location *self, const struct fathom_frame *frame)
{
	if (frame->flags & FATHOM_FRAME_FOLDED)
		close_between(self, frame[-1].node, frame->node);
	else if (!is_open(self, frame->node))
		open(self, frame->node);
}

static void resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	if (likely(!fathom_frame_is_placeholder(frame)))
		reopen(self, frame);
	next.resume(self, frame, now, is_moved);
}

struct fathom_stage fathom_metered_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.birth = birth;
	stage.enter = metered_enter;
	stage.enter_at = metered_enter_at;
	stage.exit = metered_exit;
	stage.task_begin = task_begin;
	stage.task_end = task_end;
	stage.suspend = suspend;
	stage.resume = resume;
	return stage;
}
