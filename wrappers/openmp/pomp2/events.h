/*
 * events: the bodies of the functions that OPARI2 calls, for C and Fortran (calls.txt).
 *
 * All functions here are on the hot path. For a part that the construct does not have (and none has any while nothing
 * is measured) they only test a pointer. Context of all: hook.
 */
#ifndef FATHOM_POMP2_EVENTS_H
#define FATHOM_POMP2_EVENTS_H

#include <stdint.h>

#include "construct.h"
#include "define/region.h"
#include "event/event.h"
#include "event/locks/locks.h"
#include "event/teams/task.h"
#include "event/teams/team.h"
#include "event/teams/waiting.h"
#include "platform/compiler.h"
#include "nesting.h"

#define INLINE static inline __attribute__((always_inline))

/* Forks a team. *old is not used: at the join the core returns to the task that forked. */
INLINE void fork_team(const struct fathom_construct *construct, int parallel, int threads, int64_t *old)
{
	*old = 0;
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_pomp2_fork(construct, parallel, threads);
}

/* Ends the thread's part in its team. */
INLINE void end_team(void)
{
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_pomp2_team_end();
}

/* Enters a region of the construct. NULL: the construct has no such region. */
INLINE void enter(const struct fathom_region *region)
{
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	if (likely(region))
		fathom_event_enter_block(region);
}

/* Exits a region of the construct. NULL: the construct has no such region. */
INLINE void leave(const struct fathom_region *region)
{
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	if (likely(region))
		fathom_event_exit(region);
}

/* Begins the block of a critical construct: the thread has acquired the lock. */
INLINE void begin_critical(const struct fathom_construct *construct)
{
	if (construct->lock)
		fathom_event_lock_acquired(construct->lock, FATHOM_PARADIGM_OPENMP);
	enter(construct->block);
}

/* Ends the block of a critical construct: the thread is about to release the lock. */
INLINE void end_critical(const struct fathom_construct *construct)
{
	if (unlikely(!construct->lock)) {
		leave(construct->block);
		return;
	}
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_event_exit_and_release(construct->block, construct->lock, FATHOM_PARADIGM_OPENMP);
}

/*
 * The instrumented code keeps tasks in variables of its own. In Fortran these may be shared between threads, or have no
 * value; so a value is taken for a task only if its upper 16 bits are this mark. Addresses have 48 bits.
 */
#define TASK_BITS 48
#define TASK_MARK (INT64_C(0x5f70) << TASK_BITS)

/* Returns the value by which the instrumented code keeps task. */
INLINE int64_t handle_of_task(const struct fathom_task *task)
{
	return (int64_t)(uintptr_t)task | TASK_MARK;
}

/* Returns whether handle has the form of a value from handle_of_task. */
INLINE bool is_task(int64_t handle)
{
	return handle >> TASK_BITS == TASK_MARK >> TASK_BITS;
}

/* Returns the task that handle names. NULL: the implicit task, or a task that is not recorded. */
INLINE struct fathom_task *task_of_handle(int64_t handle)
{
	return (struct fathom_task *)(uintptr_t)(handle ^ TASK_MARK);
}

/* Enters a region in which the thread may execute other tasks; leave_to returns to the task that *old names. */
INLINE void enter_from(const struct fathom_region *region, int64_t *old)
{
	*old = 0;
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	if (unlikely(!region))
		return;
	fathom_event_enter_block(region);
	*old = handle_of_task(fathom_event_task_current());
}

/* Exits a region that enter_from has entered, on the task that the thread executed then. */
INLINE void leave_to(const struct fathom_region *region, int64_t old)
{
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	if (unlikely(!region))
		return;
	if (likely(is_task(old)))
		fathom_event_task_switch(task_of_handle(old));
	fathom_event_exit(region);
}

/* As enter_from, for a region in which the thread waits for other threads. */
INLINE void wait_from(const struct fathom_region *region, int64_t *old)
{
	enter_from(region, old);
	if (unlikely(fathom_pomp2_reports_waiting))
		fathom_event_wait_begin();
}

/* As leave_to, for a region that wait_from has entered. */
INLINE void wait_to(const struct fathom_region *region, int64_t old)
{
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	if (unlikely(!region))
		return;
	if (likely(is_task(old)))
		fathom_event_task_switch(task_of_handle(old));
	/* In an explicit task, its waiting is recorded always. */
	if (unlikely(fathom_pomp2_reports_waiting || (is_task(old) && task_of_handle(old))))
		fathom_event_wait_end();
	fathom_event_exit(region);
}

/* Begins to create a task; *new becomes its handle. */
INLINE void task_create_begin(const struct fathom_construct *construct, int64_t *new, int64_t *old)
{
	*new = 0;
	enter_from(construct->own, old);
	if (likely(construct->block))
		*new = handle_of_task(fathom_event_task_create(construct->block));
}

/* The thread begins to execute the task that new names. */
INLINE void task_begin(int64_t new, bool tied)
{
	bool recorded = false;

	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	if (likely(is_task(new))) {
		fathom_event_task_begin(task_of_handle(new));
		recorded = fathom_event_task_current() == task_of_handle(new) && task_of_handle(new);
	}
	fathom_pomp2_task_begun(FATHOM_POMP2_HERE, recorded, tied);
}

/* The thread ends the task that it executes. */
INLINE void task_end(void)
{
	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_pomp2_task_ended();
}

#endif
