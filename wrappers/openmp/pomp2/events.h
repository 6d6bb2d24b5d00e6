/*
 * events: what the entry points for C (pomp2.c) and Fortran (fortran.c) have in common.
 *
 * All here is hot: a construct that has no such part, as all have while nothing is measured, costs a
 * look at it. Context: hook.
 */
#ifndef FATHOM_POMP2_EVENTS_H
#define FATHOM_POMP2_EVENTS_H

#include <stdint.h>

#include "construct.h"
#include "event/event.h"
#include "event/task.h"
#include "platform/compiler.h"
#include "team.h"

static inline void enter(const struct fathom_region *region)
{
	if (likely(region))
		fathom_event_enter_block(region);
}

static inline void leave(const struct fathom_region *region)
{
	if (likely(region))
		fathom_event_exit(region);
}

/*
 * Tasks travel through variables of the instrumented code. In Fortran these may be shared between threads, or
 * stay unset, so what comes back is only taken for a task if it carries this mark; addresses have 48 bits.
 */
#define TASK_BITS 48
#define TASK_MARK (INT64_C(0x5f70) << TASK_BITS)

static inline int64_t handle_of_task(const struct fathom_task *task)
{
	return (int64_t)(uintptr_t)task | TASK_MARK;
}

static inline bool is_task(int64_t handle)
{
	return handle >> TASK_BITS == TASK_MARK >> TASK_BITS;
}

/* NULL: the implicit task, or one that is not recorded. */
static inline struct fathom_task *task_of_handle(int64_t handle)
{
	return (struct fathom_task *)(uintptr_t)(handle ^ TASK_MARK);
}

/* Enters a region in which the thread may execute other tasks; leave_to goes back to the present one. */
static inline void enter_from(const struct fathom_region *region, int64_t *old)
{
	*old = 0;
	if (unlikely(!region))
		return;
	fathom_event_enter_block(region);
	*old = handle_of_task(fathom_event_task_current());
}

/* Other tasks that ran in between may have been cancelled, and so have had no end. */
static inline void leave_to(const struct fathom_region *region, int64_t old)
{
	if (unlikely(!region))
		return;
	if (likely(is_task(old)))
		fathom_event_task_switch(task_of_handle(old));
	fathom_event_exit(region);
}

static inline void task_create_begin(const struct fathom_construct *construct, int64_t *new, int64_t *old)
{
	*new = 0;
	enter_from(construct->own, old);
	if (likely(construct->block))
		*new = handle_of_task(fathom_event_task_create(construct->block));
}

static inline void task_begin(int64_t new)
{
	if (likely(is_task(new))) {
		fathom_event_task_begin(task_of_handle(new));
		if (likely(fathom_event_task_current() == task_of_handle(new)))
			return;
	}
	fathom_pomp2_self.unrecorded_tasks++;
}

/* It is not told which task ends: the present one, unless that one's begin was not recorded. */
static inline void task_end(void)
{
	if (likely(!fathom_pomp2_self.unrecorded_tasks))
		fathom_event_task_end(fathom_event_task_current());
	else
		fathom_pomp2_self.unrecorded_tasks--;
}

#endif
