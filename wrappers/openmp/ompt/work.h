/*
 * work: the callbacks for worksharing and masked constructs, with the arguments of the OpenMP standard (OMPT).
 *
 * The runtime may call them at any time from any thread, also after the measurement has ended: then the core drops the
 * events. Context of all: hook; the first one of a thread or of an address: birth.
 */
#ifndef FATHOM_WRAPPERS_OMPT_WORK_H
#define FATHOM_WRAPPERS_OMPT_WORK_H

#include <stdint.h>

#include "ompt.h"

/* A worksharing construct, or another construct that distributes work, begins or ends on the thread. */
void fathom_ompt_work(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
		      uint64_t count, const void *address);

/* The block of a masked (master) construct begins or ends on the thread. */
void fathom_ompt_masked(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			const void *address);

#endif
