/*
 * nesting: the parallel regions and tasks that a thread is in; the way of a team from its fork to its threads.
 *
 * OPARI2 gives every parallel directive a copyin of pomp_tpd_: what the forking thread has in it at the fork, all
 * threads of the team have in it at their begin. It holds the core's team. What the forking thread had in it
 * before, it gets back at the join: it may itself be in a team, whose end it has yet to tell.
 *
 * Nobody says which task ends, and one that is cancelled does not say it ends. A tied task stays on one thread, and its
 * frames are deeper on the stack than those of whoever runs it: so it is over once the thread's events come from
 * above. That is looked for only where cancellation is on (OMP_CANCELLATION).
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

/* The end of its caller's frame, in a function that the program calls. */
#define FATHOM_POMP2_HERE ((uintptr_t)__builtin_dwarf_cfa())

/* Context: hook; a nesting deeper than FATHOM_POMP2_FORKS, and a team's first fork: birth. */
void fathom_pomp2_fork(const struct fathom_construct *construct, bool parallel, int threads);
void fathom_pomp2_team_begin(void);
void fathom_pomp2_team_end(void);
void fathom_pomp2_join(void);

/* How many threads the next team of the calling thread has if nothing else is asked for. Context: hook. */
int fathom_pomp2_max_threads(void);

/* The task in which the thread now is has begun at this frame. Context: hook. */
void fathom_pomp2_task_begun(uintptr_t frame, bool recorded, bool tied);
void fathom_pomp2_task_ended(void);

/* Tasks that began below frame, which is in use again, are over. Context: hook. */
FATHOM_COLD void fathom_pomp2_end_tasks(uintptr_t frame);

/* An event comes from frame. Context: hook. */
static inline __attribute__((always_inline)) void fathom_pomp2_look_for_end(uintptr_t frame)
{
	if (unlikely(frame > fathom_pomp2_self.task_frame))
		fathom_pomp2_end_tasks(frame);
}

#endif
