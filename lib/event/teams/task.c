/*
 * Explicit tasks.
 *
 * Each task that runs has a stack of frames of its own. The members top, root and limit of the location belong to the
 * stack of the task that the thread executes, so enters and exits need not know about tasks. In the frames of a
 * suspended task, enter_ticks holds for how long the region was active so far, not the time of the enter. This part
 * is in the profile already, and the substrate subtracts it when the task continues, perhaps on another thread.
 *
 * While a thread executes an explicit task, its implicit task is in a region of the same name (the stub), so that the
 * barrier or wait in which the task runs does not get the time.
 */
#include "event/teams/task.h"

#include <stddef.h>

#include "event/frame.h"
#include "event/state.h"
#include "event/teams/idleness.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"
#include "platform/lock.h"

#define HERE ((uintptr_t)__builtin_dwarf_cfa())

#define FIRST_FRAMES 19		/* 1 KiB together with the two extra frames of fathom_location_frames */

/* Number of unused tasks that go to the common list at a time, once a location has more than twice as many. */
#define BATCH 32

/* Unused tasks that threads exchange: a task may end on another thread than the one that created it. */
static struct {
	struct fathom_lock lock;	/* held while a batch is taken or given; no lock is taken inside */
	struct fathom_task *first;	/* the first tasks of batches; in each, number is the size of the batch, and
					 * below is the next batch */
} common;

/* --- memory ------------------------------------------------------------------------------------ */

static FATHOM_COLD struct fathom_task *more_tasks(struct fathom_location *self)
{
	struct fathom_task *task;

	fathom_lock_take(&common.lock);
	task = common.first;
	if (task)
		common.first = task->below;
	fathom_lock_give(&common.lock);
	if (!task)
		return fathom_arena_alloc(&self->arena, sizeof(*task));
	self->spare_tasks = task->next;
	self->spare_count = task->number - 1;
	return task;
}

static struct fathom_task *take_task(struct fathom_location *self)
{
	struct fathom_task *task = self->spare_tasks;

	if (unlikely(!task))
		return more_tasks(self);
	self->spare_tasks = task->next;
	self->spare_count--;
	return task;
}

static FATHOM_COLD void give_batch(struct fathom_location *self, uint32_t count)
{
	struct fathom_task *first = self->spare_tasks, *last = first;

	for (uint32_t i = 1; i < count; i++)
		last = last->next;
	self->spare_tasks = last->next;
	self->spare_count -= count;
	last->next = NULL;
	first->number = count;
	fathom_lock_take(&common.lock);
	first->below = common.first;
	common.first = first;
	fathom_lock_give(&common.lock);
}

static void give_task(struct fathom_location *self, struct fathom_task *task)
{
	task->location = NULL;
	task->next = self->spare_tasks;
	self->spare_tasks = task;
	if (++self->spare_count > 2 * BATCH)
		give_batch(self, BATCH);
}

/* An unused stack of frames: its first bytes hold the next unused stack and the end of this one. */
struct spare_stack {
	struct spare_stack *next;
	struct fathom_frame *end;
};

static bool take_stack(struct fathom_location *self, struct fathom_stack *stack)
{
	struct spare_stack *spare = self->spare_stacks;

	stack->lost_depth = 0;
	stack->is_paused = false;
	if (likely(spare)) {
		self->spare_stacks = spare->next;
		stack->end = spare->end;
		stack->root = (struct fathom_frame *)spare;
	} else {
		stack->root = fathom_location_frames(self, FIRST_FRAMES);
		if (!stack->root)
			return false;
		stack->end = stack->root + FIRST_FRAMES;
	}
	stack->limit = stack->end;
	stack->top = stack->root;
	return true;
}

static void give_stack(struct fathom_location *self, const struct fathom_stack *stack)
{
	struct spare_stack *spare = (struct spare_stack *)stack->root;

	spare->next = self->spare_stacks;
	spare->end = stack->end;
	self->spare_stacks = spare;
}

/* --- switching --------------------------------------------------------------------------------- */

static void save(const struct fathom_location *self, struct fathom_stack *stack)
{
	*stack = (struct fathom_stack){ self->root,	  self->top,	   self->limit, self->end,
					self->lost_depth, self->is_paused };
}

/* The caller has made the location busy. */
static void load(struct fathom_location *self, const struct fathom_stack *stack)
{
	fathom_poke(&self->root, stack->root);
	self->limit = stack->limit;
	self->end = stack->end;
	self->is_paused = stack->is_paused;
	self->lost_depth = stack->lost_depth;
	fathom_poke(&self->top, stack->top);
}

static void use(struct fathom_location *self, struct fathom_task *task, const struct fathom_stack *stack)
{
	fathom_location_begin(self, HERE);
	load(self, stack);
	fathom_poke(&self->task, task);
	fathom_location_end(self, self->top);
}

/* The thread returns from its explicit task to its implicit task, and ends the stub, which is the innermost region
 * there. */
static void end_stub(struct fathom_location *self, uint64_t now)
{
	use(self, NULL, &self->implicit);
	if (self->top > self->root)
		fathom_frame_pop(self, HERE, now);
}

static void suspend(struct fathom_location *self, uint64_t now)
{
	struct fathom_task *task = self->task;

	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	fathom_location_begin(self, HERE);
	for (struct fathom_frame *frame = self->root; frame <= self->top; frame++)
		fathom.substrate->chain.suspend(self, frame, now);
	fathom_location_end(self, self->top);
	save(self, &task->stack);
	end_stub(self, now);
}

/* The location continues with the frames of task, and its implicit task enters a stub. False: there is no room for
 * the frame of the stub. */
static bool enter_stub(struct fathom_location *self, struct fathom_task *task, uint64_t now)
{
	struct fathom_frame *frame = fathom_frame_room(self, HERE);

	if (!frame)
		return false;
	fathom_frame_enter_at(self, frame, task->region, HERE, now);
	save(self, &self->implicit);
	use(self, task, &task->stack);
	return true;
}

static void resume(struct fathom_location *self, struct fathom_task *task, uint64_t now)
{
	bool migrates = task->location != self;

	if (!enter_stub(self, task, now)) {
		FATHOM_NOTIFY(self, HERE, task_switch, NULL, now);
		return;
	}
	/* The task below is suspended on the other thread, or has ended, and its memory may be another task's. */
	if (migrates)
		task->below = NULL;
	task->location = self;
	fathom_location_begin(self, HERE);
	for (struct fathom_frame *frame = self->root; frame <= self->top; frame++) {
		/* The regions were entered on another thread's stack, so stack pointers of this thread say nothing
		 * about them. */
		if (migrates && frame > self->root)
			frame->stack = FATHOM_STACK_HIGHEST;
		fathom.substrate->chain.resume(self, frame, now, migrates);
	}
	fathom_location_end(self, self->top);
	FATHOM_NOTIFY(self, HERE, task_switch, task, now);
}

void fathom_task_leave(struct fathom_location *self, uint64_t now)
{
	if (!self->task)
		return;
	suspend(self, now);
	FATHOM_NOTIFY(self, HERE, task_switch, NULL, now);
}

void fathom_task_end_thread(struct fathom_location *self, uint64_t now)
{
	fathom_task_leave(self, now);
	if (self->spare_count)
		give_batch(self, self->spare_count);
}

/* --- the functions that wrappers call ----------------------------------------------------------- */

static struct fathom_location *own_location(void)
{
	struct fathom_location *self = fathom_self;

	return unlikely(self->busy) ? fathom_location_resolve_busy(self, HERE) : self;
}

static uint32_t number_in_team(const struct fathom_location *self)
{
	return self->leads ? 0 : self->number;
}

/* Returns the time at which a thread begins or continues to execute a task. is_own: this thread created or suspended
 * the task; otherwise another thread did, and the time must not be before that. */
static uint64_t time_to_execute(bool is_own)
{
	return likely(is_own) ? fathom_clock_ticks() : fathom_clock_ticks_after();
}

struct fathom_task *fathom_event_task_create(const struct fathom_region *region)
{
	struct fathom_location *self = own_location();
	struct fathom_task *task;

	if (!self)
		return NULL;
	fathom_location_begin(self, HERE);
	task = take_task(self);
	fathom_location_end(self, self->top);
	if (!task) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return NULL;
	}
	task->region = region;
	task->origin = self->top->node;
	task->location = NULL;
	task->below = NULL;
	task->creator = number_in_team(self);
	task->number = self->created++;
	FATHOM_NOTIFY(self, HERE, task_create, task, fathom_clock_ticks());
	return task;
}

void fathom_event_task_begin(struct fathom_task *task)
{
	struct fathom_location *self = own_location();
	struct fathom_frame *frame;
	uint64_t now;
	bool was_idle;

	if (!task || !self || task->location)
		return;
	now = time_to_execute(task->creator == number_in_team(self));
	if (!take_stack(self, &task->stack)) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return;
	}
	was_idle = fathom_idleness_is_idle(self->top);
	fathom_idleness_note(self, now);
	task->below = self->task;
	if (self->task)
		suspend(self, now);
	frame = task->stack.root;
	task->is_placeholder = fathom_region_is_disabled(task->region) || self->is_paused;
	if (unlikely(self->is_paused)) {
		task->stack.is_paused = true;
		task->stack.limit = task->stack.root;
	}
	frame->flags = FATHOM_FRAME_BOTTOM | (task->is_placeholder ? FATHOM_FRAME_PLACEHOLDER : 0);
	frame->unrecorded = task->region;
	frame->region = task->is_placeholder ? &fathom_placeholder_region : task->region;
	frame->stack = FATHOM_STACK_HIGHEST;
	fathom_location_begin(self, HERE);
	fathom.substrate->chain.task_begin(self, frame, now);
	fathom_location_end(self, self->top);
	if (enter_stub(self, task, now)) {
		task->location = self;
		FATHOM_NOTIFY(self, HERE, chain.task_start, task, now);
	} else if (task->below) {
		FATHOM_NOTIFY(self, HERE, task_switch, NULL, now);
	}
	fathom_idleness_changed(self, was_idle, now);
}

/* Ends the regions of the task and the task itself. */
static void finish(struct fathom_location *self, struct fathom_task *task, uint64_t now)
{
	fathom_frame_pop_to(self, self->root, HERE, now);
	FATHOM_NOTIFY(self, HERE, chain.task_complete, task, now);
	fathom_location_begin(self, HERE);
	fathom.substrate->chain.task_end(self, self->root, now);
	save(self, &task->stack);
	fathom_location_end(self, self->top);
	end_stub(self, now);
}

void fathom_event_task_end(struct fathom_task *task)
{
	uint64_t now = fathom_clock_ticks();
	struct fathom_location *self = own_location();
	struct fathom_task *below;
	bool was_idle;

	if (!task || !self)
		return;
	was_idle = fathom_idleness_is_idle(self->top);
	fathom_idleness_note(self, now);
	if (self->task == task) {
		finish(self, task, now);
		give_stack(self, &task->stack);
	}
	below = task->below;
	if (below && !self->task && below->location == self)
		resume(self, below, now);
	else if (!self->task)
		FATHOM_NOTIFY(self, HERE, task_switch, NULL, now);
	fathom_idleness_changed(self, was_idle, now);
	give_task(self, task);
}

void fathom_event_task_switch(struct fathom_task *task)
{
	struct fathom_location *self = own_location();
	uint64_t now;
	bool was_idle;

	if (!self || self->task == task)
		return;
	/* A task that is over, has not begun, or runs on another thread cannot be resumed: such a report is wrong. */
	if (task && (!task->location || fathom_peek(&task->location->task) == task))
		return;
	now = time_to_execute(!task || task->location == self);
	was_idle = fathom_idleness_is_idle(self->top);
	fathom_idleness_note(self, now);
	if (self->task)
		suspend(self, now);
	if (task)
		resume(self, task, now);
	else
		FATHOM_NOTIFY(self, HERE, task_switch, NULL, now);
	fathom_idleness_changed(self, was_idle, now);
}

struct fathom_task *fathom_event_task_current(void)
{
	return fathom_self->task;
}
