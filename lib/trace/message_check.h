/*
 * message_check: the messages of this process, for message_times.h.
 */
#ifndef FATHOM_TRACE_MESSAGE_CHECK_H
#define FATHOM_TRACE_MESSAGE_CHECK_H

#include "trace/clock_sync.h"
#include "trace/message_times.h"

/* All processes of comm, after fathom_sync_end: are messages received before they were sent? The result is at rank 0. 0
 * or -errno: comm is broken. Context: finish. */
int fathom_trace_check_arrivals(struct fathom_comm *comm, const struct fathom_sync *sync,
				struct fathom_arrivals_result *result);

#endif
