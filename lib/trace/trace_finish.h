/*
 * trace_finish: the end of a trace: open regions are closed, definitions of all processes made one, files put in place.
 */
#ifndef FATHOM_TRACE_TRACE_FINISH_H
#define FATHOM_TRACE_TRACE_FINISH_H

#include "event/substrate.h"

/* From here on nothing is recorded; may be called twice. end_ticks: when the program's work ended; what is active then
 * ends there, unless a thread has recorded something since. Context: signal. */
void fathom_trace_stop(uint64_t end_ticks);

/* The functions of the substrate's table; see there. */
void fathom_trace_synchronize(struct fathom_comm *comm);
int fathom_trace_finish(struct fathom_comm *comm, const struct fathom_result *result);

#endif
