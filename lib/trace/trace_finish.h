/* trace_finish: the end of a trace. Active regions are left, the definitions of all processes are merged, and the
 * files are moved to the trace. */
#ifndef FATHOM_TRACE_TRACE_FINISH_H
#define FATHOM_TRACE_TRACE_FINISH_H

#include <stdbool.h>

#include "event/location.h"
#include "event/result.h"
#include "comm/clock_sync.h"
#include "trace/copied_roots.h"

struct fathom_comm;

/* Stops recording in all threads; may be called again. comm: the processes that write the trace together. end_ticks:
 * the end of the program's work. Active regions end at this time, unless their thread has recorded an event since
 * then. If comm has several processes, also completes the event files of this one. Context: finish; signal if comm has
 * one process. */
void fathom_trace_stop(const struct fathom_comm *comm, uint64_t end_ticks);

/* The functions of the substrate's table (event/substrate.h). Context: finish. */
void fathom_trace_synchronize(struct fathom_comm *comm);
int fathom_trace_finish(struct fathom_comm *comm, const struct fathom_result *result);

/*
 * Writes the trace of processes that were killed. The event files of this process are complete, or err is the reason
 * why not. has_clock: the processes had compared their clocks when MPI began, with the result clock. 0 or -errno.
 * Context: finish.
 */
int fathom_trace_finish_killed(struct fathom_comm *comm, const struct fathom_result *result, int err, bool has_clock,
			       const struct fathom_clock_sync *clock);

/* Writes the comparison of the clocks to roots. Context: the helper. */
void fathom_trace_clock_copy(struct fathom_trace_roots *roots);

#endif
