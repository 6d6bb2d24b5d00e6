#include "profile/recording/task_call_paths.h"

static struct fathom_node *tasks_node(struct fathom_location *self)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_node *node = paths->tasks;

	if (likely(node))
		return node;
	node = fathom_callpath_create(self, fathom_tasks_region);
	if (!node)
		return paths->unreported;
	node->in_tasks = 1;
	__atomic_store_n(&paths->tasks, node, __ATOMIC_RELEASE);
	return node;
}

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

static void task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_node *node = tasks_node(self);

	if (unlikely(fathom_frame_is_placeholder(frame))) {
		fathom_poke(&frame->node, node);
	} else {
		node = fathom_callpath_child(self, node, frame->region);
		fathom_poke(&frame->node, node);
		fathom_poke(&node->visits, node->visits + 1);
		fathom_poke(&frame->enter_ticks, now);
	}
	next.task_begin(self, frame, now);
}

static void task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (likely(!fathom_frame_is_placeholder(frame)))
		fathom_callpath_end_visit(frame->node, now - frame->enter_ticks);
	next.task_end(self, frame, now);
}

/* In a suspended frame, enter_ticks is the time for which the frame was active so far. suspend_visit adds this time to
 * the frame's node, and resume_visit subtracts it from the node with which the frame continues. This can be another
 * node, of another thread: its sum may then be wrong by 2^64 until the visit ends. */
static void suspend_visit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	uint64_t ticks = now - frame->enter_ticks;
	struct fathom_node *node = frame->node;

	if (!(frame->flags & FATHOM_FRAME_FOLDED))
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks + ticks);
	fathom_poke(&frame->enter_ticks, ticks);
	if (frame == self->root)
		fathom_callpath_count_at(self, node, FATHOM_COUNTER_TASK_SWITCHES, 1);
}

static void suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (likely(!fathom_frame_is_placeholder(frame)))
		suspend_visit(self, frame, now);
	next.suspend(self, frame, now);
}

/* Gives the frame of a task that comes from another thread a call path on this thread. The visit is counted on the
 * thread where it began. */
static void move_visit(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *parent = frame == self->root ? tasks_node(self) : frame[-1].node, *node = parent;

	if (likely(!fathom_frame_is_placeholder(frame)))
		node = fathom_callpath_child(self, parent, frame->region);
	fathom_poke(&frame->node, node);
	fathom_poke(&frame->flags, frame->flags & ~(uint32_t)FATHOM_FRAME_FOLDED);
	if (frame == self->root)
		fathom_callpath_count_at(self, node, FATHOM_COUNTER_TASK_MIGRATIONS, 1);
}

static void resume_visit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	uint64_t ticks = frame->enter_ticks;
	struct fathom_node *node = frame->node;

	if (!(frame->flags & FATHOM_FRAME_FOLDED))
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks - ticks);
	fathom_poke(&frame->enter_ticks, now - ticks);
	/* Now all earlier calls seem to have ended before the frame was entered: see has_called in
	 * parameter_call_paths.c. */
	if (frame == self->top)
		fathom_poke(&frame[1].enter_ticks, now);
}

static void resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	if (is_moved)
		move_visit(self, frame);
	if (likely(!fathom_frame_is_placeholder(frame)))
		resume_visit(self, frame, now);
	next.resume(self, frame, now, is_moved);
}

struct fathom_stage fathom_task_call_paths_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.task_begin = task_begin;
	stage.task_end = task_end;
	stage.suspend = suspend;
	stage.resume = resume;
	return stage;
}
