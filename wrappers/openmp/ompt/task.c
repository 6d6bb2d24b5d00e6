/*
 * Explicit tasks.
 *
 * The runtime tells whenever a thread goes on with another task. What the thread had begun inside the one it leaves
 * stays on its stack (thread.h) if the task is suspended for others, because the thread comes back to it; if it
 * returns from the task (it is over, or an untied one may go on elsewhere), that leaves the stack, and the
 * core ends with the task what is open in it.
 */
#include <stddef.h>

#include "task.h"
#include "event/event.h"
#include "event/task.h"
#include "thread.h"

/* Where the frame of the runtime's function returns to: libomp 14 now and then has lost that address when signals
 * arrive, but not the frame. NULL: not known. */
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

/* The address that stands for a task. That of a taskloop's task is the loop's, noted with the task that
 * encountered the loop. */
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

/* The thread has returned from task, which need not have begun (its group was cancelled). */
static void leave(struct fathom_ompt_thread *self, const union fathom_ompt_data *task)
{
	struct fathom_ompt_open *open = fathom_ompt_task_open(self);

	if (open->sort == FATHOM_OMPT_OPEN_EXPLICIT && open->id == (uintptr_t)task)
		self->top = open - 1;
}

/* The entry of task in the present implicit task, or NULL. */
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

/* What the thread has begun since it left the task at open is not inside that task. */
static void come_back(struct fathom_ompt_thread *self, struct fathom_ompt_open *open)
{
	while (fathom_ompt_task_open(self) != open)
		self->top = fathom_ompt_task_open(self) - 1;
}

static void go_on(struct fathom_ompt_thread *self, union fathom_ompt_data *next)
{
	struct fathom_ompt_open *open;

	if (next->value & FATHOM_OMPT_DATA_IMPLICIT) {
		come_back(self, fathom_ompt_implicit_open(self));
		fathom_event_task_switch(NULL);
		return;
	}
	open = entry_of(self, next);
	if (open)
		come_back(self, open);
	else
		fathom_ompt_push(self, FATHOM_OMPT_OPEN_EXPLICIT, (uintptr_t)next);
	if (!fathom_ompt_task_of(next))		/* out of memory when it was created */
		return;
	if (next->value & FATHOM_OMPT_DATA_BEGUN) {
		fathom_event_task_switch(fathom_ompt_task_of(next));
		return;
	}
	next->value |= FATHOM_OMPT_DATA_BEGUN;
	fathom_event_task_begin(fathom_ompt_task_of(next));
}

static void end(union fathom_ompt_data *task)
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
	if (!next) {	/* nothing else is executed: the event that a detached task waits for; or */
		if (status == FATHOM_OMPT_TASKWAIT_COMPLETE)
			fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKWAIT, (uintptr_t)prior));
		return;
	}
	if (status == FATHOM_OMPT_TASK_COMPLETE || status == FATHOM_OMPT_TASK_CANCEL ||
	    status == FATHOM_OMPT_TASK_DETACH) {
		leave(self, prior);
		end(prior);
	}
	go_on(self, next);
}
