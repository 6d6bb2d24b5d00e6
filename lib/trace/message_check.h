/* message_check: the check of message_times.h for the messages of this trace. */
#ifndef FATHOM_TRACE_MESSAGE_CHECK_H
#define FATHOM_TRACE_MESSAGE_CHECK_H

#include "comm/clock_sync.h"
#include "trace/clocks/message_times.h"

/* Called by all processes of comm, after fathom_clock_sync_end: checks whether messages are received before they
 * were sent, by the corrected times. The result is at rank 0. 0 or -errno: comm is broken. Context: finish. */
int fathom_trace_check_messages(struct fathom_comm *comm, const struct fathom_clock_sync *sync,
				struct fathom_message_times_result *result);

#endif
