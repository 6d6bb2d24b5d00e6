/*
 * team: the callbacks for threads, parallel regions and implicit tasks, with the arguments of the OpenMP standard
 * (OMPT).
 *
 * The runtime may call them at any time from any thread, also after the measurement has ended: then the core drops the
 * events. Context of all: hook; the first one of a thread or of an address: birth.
 */
#ifndef FATHOM_WRAPPERS_OMPT_TEAM_H
#define FATHOM_WRAPPERS_OMPT_TEAM_H

#include <stdint.h>

#include "ompt.h"

/* A thread of the runtime begins. */
void fathom_ompt_thread_begin(int type, union fathom_ompt_data *thread);

/* A thread of the runtime ends. */
void fathom_ompt_thread_end(union fathom_ompt_data *thread);

/* The thread forks a team, or a league of teams. */
void fathom_ompt_parallel_begin(union fathom_ompt_data *task, const struct fathom_ompt_frame *frame,
				union fathom_ompt_data *parallel, unsigned requested, int flags, const void *address);

/* The thread has joined the team. */
void fathom_ompt_parallel_end(union fathom_ompt_data *parallel, union fathom_ompt_data *task, int flags,
			      const void *address);

/* The implicit task of a thread in a team begins or ends. */
void fathom_ompt_implicit_task(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			       unsigned size, unsigned number, int flags);

#endif
