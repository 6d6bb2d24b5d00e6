/*
 * sync: the callbacks for barriers, waits, reductions and flushes, with the arguments of the OpenMP standard (OMPT).
 *
 * The runtime may call them at any time from any thread, also after the measurement has ended: then the core drops the
 * events. Context of all: hook; the first one of a thread or of an address: birth.
 */
#ifndef FATHOM_WRAPPERS_OMPT_SYNC_H
#define FATHOM_WRAPPERS_OMPT_SYNC_H

#include <stdint.h>

#include "ompt.h"

/* A barrier, taskwait, taskgroup or reduction begins or ends. */
void fathom_ompt_sync_region(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			     const void *address);

/* The thread begins or ends to wait inside one of these constructs. */
void fathom_ompt_sync_region_wait(int type, int endpoint, union fathom_ompt_data *parallel,
				  union fathom_ompt_data *task, const void *address);

/* The thread begins or ends to combine its values with those of the team. */
void fathom_ompt_reduction(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			   const void *address);

/* The thread executes a flush construct. */
void fathom_ompt_flush(union fathom_ompt_data *thread, const void *address);

#endif
