/*
 * callbacks: the functions that the OpenMP runtime calls, with the arguments of the OpenMP standard (OMPT).
 *
 * The runtime may call them at any time from any thread, also after the measurement has ended: then the core drops the
 * events. Context of all: hook; the first one of a thread or of an address: birth.
 */
#ifndef FATHOM_WRAPPERS_OMPT_CALLBACKS_H
#define FATHOM_WRAPPERS_OMPT_CALLBACKS_H

#include <stdint.h>

#include "ompt.h"

/* team.c */
void fathom_ompt_thread_begin(int type, union fathom_ompt_data *thread);
void fathom_ompt_thread_end(union fathom_ompt_data *thread);
void fathom_ompt_parallel_begin(union fathom_ompt_data *task, const struct fathom_ompt_frame *frame,
				union fathom_ompt_data *parallel, unsigned requested, int flags, const void *address);
void fathom_ompt_parallel_end(union fathom_ompt_data *parallel, union fathom_ompt_data *task, int flags,
			      const void *address);
void fathom_ompt_implicit_task(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			       unsigned size, unsigned number, int flags);

/* task.c */
void fathom_ompt_task_create(union fathom_ompt_data *creator, const struct fathom_ompt_frame *frame,
			     union fathom_ompt_data *task, int flags, int has_dependences, const void *address);
void fathom_ompt_task_schedule(union fathom_ompt_data *prior, int status, union fathom_ompt_data *next);

/* work.c */
void fathom_ompt_work(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
		      uint64_t count, const void *address);
void fathom_ompt_masked(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			const void *address);

/* sync.c */
void fathom_ompt_sync_region(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			     const void *address);
void fathom_ompt_sync_region_wait(int type, int endpoint, union fathom_ompt_data *parallel,
				  union fathom_ompt_data *task, const void *address);
void fathom_ompt_reduction(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			   const void *address);
void fathom_ompt_flush(union fathom_ompt_data *thread, const void *address);

/* mutex.c */
void fathom_ompt_lock_init(int type, unsigned hint, unsigned implementation, uint64_t id, const void *address);
void fathom_ompt_lock_destroy(int type, uint64_t id, const void *address);
void fathom_ompt_mutex_acquire(int type, unsigned hint, unsigned implementation, uint64_t id, const void *address);
void fathom_ompt_mutex_acquired(int type, uint64_t id, const void *address);
void fathom_ompt_mutex_released(int type, uint64_t id, const void *address);
void fathom_ompt_nest_lock(int endpoint, uint64_t id, const void *address);

#endif
