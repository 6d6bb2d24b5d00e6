/* trace_finish: the end of a trace. Active regions are left, the definitions of all processes become one, and the
 * files are moved to their places. */
#ifndef FATHOM_TRACE_TRACE_FINISH_H
#define FATHOM_TRACE_TRACE_FINISH_H

#include <stdbool.h>

#include "event/location.h"
#include "event/result.h"
#include "trace/clock_sync.h"

struct fathom_comm;

/* Stops recording in all threads; may be called again. comm: the processes that write the trace together. end_ticks:
 * when the program's work ended. What is active then ends there, unless its thread has recorded something since.
 * Context: signal. */
void fathom_trace_stop(const struct fathom_comm *comm, uint64_t end_ticks);

/* The functions of the substrate's table (event/substrate.h). Context: finish. */
void fathom_trace_synchronize(struct fathom_comm *comm);
int fathom_trace_finish(struct fathom_comm *comm, const struct fathom_result *result);

/*
 * Writes the trace of processes that were killed. The event files of this process are complete, or err says why not.
 * has_clock: the processes had compared their clocks when MPI began, and clock is what this one knew since then. 0 or
 * -errno. Context: finish.
 */
int fathom_trace_finish_killed(struct fathom_comm *comm, const struct fathom_result *result, int err, bool has_clock,
			       const struct fathom_clock_sync *clock);

#endif
