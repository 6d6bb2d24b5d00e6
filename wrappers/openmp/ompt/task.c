/*
 * task: explicit tasks.
 *
 * The runtime reports whenever a thread continues with another task. If the thread suspends a task, the constructs that
 * it has begun inside the task stay on its stack (thread.h), because the thread will return to the task. If a task has
 * ended or was detached, its entries are taken off the stack, and the core ends the regions that are active in the
 * task.
 */
#include <stddef.h>

#include "task.h"
#include "event/event.h"
#include "event/teams/task.h"
#include "thread.h"

/* Returns the return address of the runtime's function, read from its frame: when signals arrive, libomp 14 sometimes
 * loses the address, but not the frame. NULL: not known. */
static const void *return_address(const struct fathom_ompt_frame *frame)
{
#if defined(__x86_64__) || defined(__aarch64__)
	if (frame && (frame->enter_flags & FATHOM_OMPT_FRAME_KINDS) == FATHOM_OMPT_FRAME_POINTER &&
	    frame->enter.pointer)
		return ((const void *const *)frame->enter.pointer)[1];
#else
	(void)frame;
#endif
	return NULL;
}

/* Returns the address of a task's construct. A task of a taskloop has the address of the loop, which the task that
 * encountered the loop keeps in its data. */
static const void *address_of(const union fathom_ompt_data *creator, const struct fathom_ompt_frame *frame,
			      const void *address)
{
	if (!address)
		return return_address(frame);
	if (!creator || !fathom_ompt_in_runtime(address))
		return address;
	return fathom_ompt_numbered((uint16_t)(__atomic_load_n(&creator->value, __ATOMIC_RELAXED) >> 48));
}

static void create(union fathom_ompt_data *task, bool untied, const void *address)
{
	const struct fathom_region *creation =
		fathom_ompt_region(address, untied ? FATHOM_CONSTRUCT_CREATE_UNTIED : FATHOM_CONSTRUCT_CREATE_TASK);
	const struct fathom_region *body =
		fathom_ompt_region(address, untied ? FATHOM_CONSTRUCT_UNTIED_TASK : FATHOM_CONSTRUCT_TASK);
	uintptr_t created;

	if (!creation || !body)
		return;
	fathom_event_enter_block(creation);
	created = (uintptr_t)fathom_event_task_create(body);
	fathom_event_exit(creation);
	if (!(created & ~FATHOM_OMPT_DATA_POINTER))
		task->value = created;
}

void fathom_ompt_task_create(union fathom_ompt_data *creator, const struct fathom_ompt_frame *frame,
			     union fathom_ompt_data *task, int flags, int has_dependences, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)has_dependences;
	task->value = 0;
	if (!self)
		return;
	if (flags & FATHOM_OMPT_TASK_EXPLICIT)
		create(task, flags & FATHOM_OMPT_TASK_UNTIED, address_of(creator, frame, address));
	else if (flags & FATHOM_OMPT_TASK_TASKWAIT)	/* taskwait with dependences is an empty task */
		fathom_ompt_open(self, FATHOM_OMPT_OPEN_TASKWAIT, (uintptr_t)task,
				 fathom_ompt_region(address, FATHOM_CONSTRUCT_TASKWAIT));
}

/* Takes the entries of task, from which the thread has returned, off the stack. There are none if the task was
 * cancelled before it began. */
static void pop_task(struct fathom_ompt_thread *self, const union fathom_ompt_data *task)
{
	struct fathom_ompt_open *open = fathom_ompt_task_open(self);

	if (open->sort == FATHOM_OMPT_OPEN_EXPLICIT && open->id == (uintptr_t)task)
		self->top = open - 1;
}

/* Returns the entry of task on the stack, above the innermost implicit task. NULL: there is none. */
static struct fathom_ompt_open *entry_of(const struct fathom_ompt_thread *self, const union fathom_ompt_data *task)
{
	struct fathom_ompt_open *open = fathom_ompt_task_open(self);

	while (open->sort == FATHOM_OMPT_OPEN_EXPLICIT && open->id != (uintptr_t)task) {
		do
			open--;
		while (open->sort > FATHOM_OMPT_OPEN_EXPLICIT);
	}
	return open->sort == FATHOM_OMPT_OPEN_EXPLICIT ? open : NULL;
}

/* Takes all tasks above the one at open off the stack: the thread continues with the task at open. */
static void return_to(struct fathom_ompt_thread *self, struct fathom_ompt_open *open)
{
	while (fathom_ompt_task_open(self) != open)
		self->top = fathom_ompt_task_open(self) - 1;
}

static void continue_with(struct fathom_ompt_thread *self, union fathom_ompt_data *next)
{
	struct fathom_ompt_open *open;

	if (next->value & FATHOM_OMPT_DATA_IMPLICIT) {
		return_to(self, fathom_ompt_implicit_open(self));
		fathom_event_task_switch(NULL);
		return;
	}
	open = entry_of(self, next);
	if (open)
		return_to(self, open);
	else
		fathom_ompt_push(self, FATHOM_OMPT_OPEN_EXPLICIT, (uintptr_t)next);
	if (!fathom_ompt_task_of(next))		/* there was no memory when the task was created */
		return;
	if (next->value & FATHOM_OMPT_DATA_BEGUN) {
		fathom_event_task_switch(fathom_ompt_task_of(next));
		return;
	}
	next->value |= FATHOM_OMPT_DATA_BEGUN;
	fathom_event_task_begin(fathom_ompt_task_of(next));
}

static void end_task(union fathom_ompt_data *task)
{
	struct fathom_task *ended = fathom_ompt_task_of(task);

	if (task->value & FATHOM_OMPT_DATA_IMPLICIT)
		return;
	task->value = 0;	/* the end of a detached task may be reported twice */
	if (ended)
		fathom_event_task_end(ended);
}

void fathom_ompt_task_schedule(union fathom_ompt_data *prior, int status, union fathom_ompt_data *next)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	if (!self)
		return;
	if (!next) {	/* the thread does not change its task: a detached task's event, or the end of a taskwait */
		if (status == FATHOM_OMPT_TASKWAIT_COMPLETE)
			fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKWAIT, (uintptr_t)prior));
		return;
	}
	if (status == FATHOM_OMPT_TASK_COMPLETE || status == FATHOM_OMPT_TASK_CANCEL ||
	    status == FATHOM_OMPT_TASK_DETACH) {
		pop_task(self, prior);
		end_task(prior);
	}
	continue_with(self, next);
}
