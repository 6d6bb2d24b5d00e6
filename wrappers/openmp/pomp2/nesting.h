/*
 * nesting: the parallel regions and tasks that a thread is inside of; how the threads of a team find their team.
 *
 * OPARI2 adds copyin(pomp_tpd_) to each parallel directive: the value that the variable has in the forking thread at
 * the fork, it has in all threads of the team when they begin. It is a pointer to the core's team. At the join the
 * forking thread gets its earlier value back, because it may itself be in a team that has not ended.
 *
 * The event of a task's end does not say which task ends, and a cancelled task has no such event. A tied task stays on
 * one thread, and its frames are deeper on the stack than those of the code that runs the task: so the task is over
 * when an event of the thread comes from a higher frame. This is checked only where cancellation is enabled
 * (OMP_CANCELLATION).
 */
#ifndef FATHOM_POMP2_NESTING_H
#define FATHOM_POMP2_NESTING_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_construct;
struct fathom_team;

/* Exported: the team that the thread is in, or has forked; code rewritten by OPARI2 passes it on (copyin). */
extern FATHOM_API FATHOM_TLS int64_t pomp_tpd_;

/* A parallel region that the thread has forked and not yet joined. */
struct fathom_pomp2_fork {
	struct fathom_team *team;	/* NULL: not recorded */
	int64_t outer;			/* pomp_tpd_ before */
	uint32_t unrecorded_tasks;	/* before */
	uint32_t task_count;		/* before */
	struct fathom_pomp2_fork *below;	/* only of those that are too deep for the thread's own */
};

#define FATHOM_POMP2_FORKS 12	/* deeper ones are fetched under a lock */
#define FATHOM_POMP2_TASKS 24	/* the end of deeper ones is not looked for */

struct fathom_pomp2_thread {
	uint32_t depth;			/* forks that are not joined */
	uint32_t lost;			/* of these, the innermost: they found no memory */
	uint32_t unrecorded_tasks;	/* begun and not ended, and the core knows nothing of them */
	uint32_t task_count;		/* begun and not ended; only with cancellation */
	uintptr_t task_frame;		/* where the innermost began; UINTPTR_MAX: never mind */
	struct fathom_pomp2_fork *deeper;	/* the innermost first */
	struct fathom_pomp2_fork forks[FATHOM_POMP2_FORKS];
	uintptr_t task_frames[FATHOM_POMP2_TASKS];	/* of task_count; with UNRECORDED (nesting.c) */
};
extern FATHOM_TLS struct fathom_pomp2_thread fathom_pomp2_self FATHOM_HIDDEN;

/* True if the core records which threads wait for others in barriers. */
extern FATHOM_HIDDEN bool fathom_pomp2_reports_waiting;

/* In a function that the program calls: the end of the frame of its caller. */
#define FATHOM_POMP2_HERE ((uintptr_t)__builtin_dwarf_cfa())

/* Record that a parallel region is forked, begins and ends on a thread of its team, and is joined. Context: hook; a
 * nesting deeper than FATHOM_POMP2_FORKS, and a team's first fork: birth. */
void fathom_pomp2_fork(const struct fathom_construct *construct, bool parallel, int threads);
void fathom_pomp2_team_begin(void);
void fathom_pomp2_team_end(void);
void fathom_pomp2_join(void);

/* Returns the number of threads that the next team of the calling thread has by default. Context: hook. */
int fathom_pomp2_max_threads(void);

/* Record that an explicit task begins, whose frames are below `frame`, or ends. recorded: the core has a record of the
 * task. Context: hook. */
void fathom_pomp2_task_begun(uintptr_t frame, bool recorded, bool tied);
void fathom_pomp2_task_ended(void);

/* Ends the tasks that began below frame, because the code at frame runs again. Context: hook. */
FATHOM_COLD void fathom_pomp2_end_tasks(uintptr_t frame);

/* Called for each event, with the frame it comes from: ends tasks that are over. Context: hook. */
static inline __attribute__((always_inline)) void fathom_pomp2_look_for_end(uintptr_t frame)
{
	if (unlikely(frame > fathom_pomp2_self.task_frame))
		fathom_pomp2_end_tasks(frame);
}

#endif
