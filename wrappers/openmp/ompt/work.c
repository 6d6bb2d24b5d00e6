/*
 * work: worksharing constructs, and constructs that one thread executes.
 */
#include <stddef.h>

#include "work.h"
#include "event/event.h"
#include "thread.h"

static int construct_of(int type)
{
	switch (type) {
	case FATHOM_OMPT_WORK_LOOP:
		return FATHOM_CONSTRUCT_LOOP;
	case FATHOM_OMPT_WORK_SECTIONS:
		return FATHOM_CONSTRUCT_SECTIONS;
	case FATHOM_OMPT_WORK_WORKSHARE:
		return FATHOM_CONSTRUCT_WORKSHARE;
	case FATHOM_OMPT_WORK_DISTRIBUTE:
		return FATHOM_CONSTRUCT_DISTRIBUTE;
	case FATHOM_OMPT_WORK_SCOPE:
		return FATHOM_CONSTRUCT_SCOPE;
	default:
		if (type >= FATHOM_OMPT_WORK_LOOP_STATIC && type <= FATHOM_OMPT_WORK_LOOP_OTHER)
			return FATHOM_CONSTRUCT_LOOP;
		return -1;
	}
}

/* Enters a single construct and its block. Not only the reported end closes them, but also the next barrier or
 * worksharing construct: a runtime that executes code of GCC does not see the end. */
static void begin_single(struct fathom_ompt_thread *self, const void *address)
{
	const struct fathom_region *block = fathom_ompt_region(address, FATHOM_CONSTRUCT_SINGLE_BLOCK);
	struct fathom_ompt_open *open;

	fathom_ompt_open(self, FATHOM_OMPT_OPEN_SINGLE, 0, fathom_ompt_region(address, FATHOM_CONSTRUCT_SINGLE));
	open = fathom_ompt_find(self, FATHOM_OMPT_OPEN_SINGLE, 0);
	if (!open || !block)
		return;
	open->block = block;
	fathom_event_enter_block(block);
}

/* Enters a taskloop. The runtime creates the loop's tasks and reports an address inside itself for them. So the address
 * of the loop is kept in the data of the task that encounters the loop. Where the runtime also reports an address
 * inside itself for the loop, the taskgroup around the loop has the address. */
static void begin_taskloop(struct fathom_ompt_thread *self, union fathom_ompt_data *task, const void *address)
{
	const struct fathom_ompt_open *group = fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKGROUP, 0);
	uint64_t number;

	if (fathom_ompt_in_runtime(address))
		address = group == self->top ? group->address : NULL;
	number = fathom_ompt_number(address);
	/* Other threads read this when they create tasks of the loop. */
	__atomic_store_n(&task->value, (task->value & ((UINT64_C(1) << 48) - 1)) | number << 48, __ATOMIC_RELAXED);
	fathom_ompt_open(self, FATHOM_OMPT_OPEN_WORK, 0, fathom_ompt_region(address, FATHOM_CONSTRUCT_TASKLOOP));
}

static void begin_work(struct fathom_ompt_thread *self, int type, const void *address)
{
	struct fathom_ompt_open *implicit = fathom_ompt_implicit_open(self);
	int construct = construct_of(type);

	fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_SINGLE, 0));
	/* For sections in code of GCC, the runtime reports no address to workers. */
	if (!address)
		address = implicit->address;
	implicit->work = address;
	if (type == FATHOM_OMPT_WORK_SINGLE_EXECUTOR)
		begin_single(self, address);
	else if (construct >= 0)
		fathom_ompt_open(self, FATHOM_OMPT_OPEN_WORK, 0,
				 fathom_ompt_region(address, (enum fathom_construct)construct));
}

void fathom_ompt_work(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
		      uint64_t count, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)parallel, (void)count;
	if (!self)
		return;
	if (endpoint == FATHOM_OMPT_BEGIN && type == FATHOM_OMPT_WORK_TASKLOOP)
		begin_taskloop(self, task, address);
	else if (endpoint == FATHOM_OMPT_BEGIN)
		begin_work(self, type, address);
	else if (type == FATHOM_OMPT_WORK_SINGLE_EXECUTOR)
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_SINGLE, 0));
	else if (type != FATHOM_OMPT_WORK_SINGLE_OTHER)
		/* The type is not compared: the runtime reports the end of a loop in `distribute parallel for` as that
		 * of distribute. */
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_WORK, 0));
}

void fathom_ompt_masked(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)parallel, (void)task;
	if (!self)
		return;
	if (endpoint == FATHOM_OMPT_BEGIN)
		fathom_ompt_open(self, FATHOM_OMPT_OPEN_MASTER, 0,
				 fathom_ompt_region(address, FATHOM_CONSTRUCT_MASTER));
	else
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_MASTER, 0));
}
