/*
 * task: the callbacks for explicit tasks, with the arguments of the OpenMP standard (OMPT).
 *
 * The runtime may call them at any time from any thread, also after the measurement has ended: then the core drops the
 * events. Context of all: hook; the first one of a thread or of an address: birth.
 */
#ifndef FATHOM_WRAPPERS_OMPT_TASK_H
#define FATHOM_WRAPPERS_OMPT_TASK_H

#include <stdint.h>

#include "ompt.h"

/* The thread creates a task. */
void fathom_ompt_task_create(union fathom_ompt_data *creator, const struct fathom_ompt_frame *frame,
			     union fathom_ompt_data *task, int flags, int has_dependences, const void *address);

/* The thread changes from the task prior, whose status says whether it has ended, to the task next. */
void fathom_ompt_task_schedule(union fathom_ompt_data *prior, int status, union fathom_ompt_data *next);

#endif
