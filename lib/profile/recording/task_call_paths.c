#include "profile/recording/task_call_paths.h"

static struct fathom_node *tasks_node(struct fathom_location *self)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_node *node = paths->tasks;

	if (likely(node))
		return node;
	node = fathom_callpath_create(self, fathom_tasks_region);
	if (!node)
		return paths->junk;
	node->in_tasks = 1;
	__atomic_store_n(&paths->tasks, node, __ATOMIC_RELEASE);
	return node;
}

void fathom_callpath_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_node *node = tasks_node(self);

	if (unlikely(fathom_frame_is_placeholder(frame))) {
		fathom_poke(&frame->node, node);
		return;
	}
	node = fathom_callpath_child(self, node, frame->region);
	fathom_poke(&frame->node, node);
	fathom_poke(&node->visits, node->visits + 1);
	fathom_poke(&frame->enter_ticks, now);
}

void fathom_callpath_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	(void)self;
	if (likely(!fathom_frame_is_placeholder(frame)))
		fathom_callpath_end_visit(frame->node, now - frame->enter_ticks);
}

/* In a suspended frame, enter_ticks is the time for which the frame was active so far. fathom_callpath_suspend adds
 * this time to the frame's node, and fathom_callpath_resume subtracts it from the node with which the frame
 * continues. This can be another node, of another thread: its sum may then be wrong by 2^64 until the visit
 * ends. */
void fathom_callpath_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	uint64_t ticks = now - frame->enter_ticks;
	struct fathom_node *node = frame->node;

	if (unlikely(fathom_frame_is_placeholder(frame)))
		return;
	if (!(frame->flags & FATHOM_FRAME_FOLDED))
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks + ticks);
	fathom_poke(&frame->enter_ticks, ticks);
	if (frame == self->root)
		fathom_callpath_count_at(self, node, FATHOM_COUNTER_TASK_SWITCHES, 1);
}

void fathom_callpath_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	uint64_t ticks = frame->enter_ticks;
	struct fathom_node *node = frame->node;

	if (is_moved) {
		struct fathom_node *parent = frame == self->root ? tasks_node(self) : frame[-1].node;

		/* The visit is counted on the thread where it began. */
		node = fathom_frame_is_placeholder(frame) ? parent : fathom_callpath_child(self, parent, frame->region);
		fathom_poke(&frame->node, node);
		fathom_poke(&frame->flags, frame->flags & ~(uint32_t)FATHOM_FRAME_FOLDED);
		if (frame == self->root)
			fathom_callpath_count_at(self, node, FATHOM_COUNTER_TASK_MIGRATIONS, 1);
	}
	if (unlikely(fathom_frame_is_placeholder(frame)))
		return;
	if (!(frame->flags & FATHOM_FRAME_FOLDED))
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks - ticks);
	fathom_poke(&frame->enter_ticks, now - ticks);
	/* Now all earlier calls seem to have ended before the frame was entered: see has_called in
	 * parameter_call_paths.c. */
	if (frame == self->top)
		fathom_poke(&frame[1].enter_ticks, now);
}
