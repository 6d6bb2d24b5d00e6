/*
 * rma_records: the records of one-sided MPI communication.
 */
#ifndef FATHOM_TRACE_RMA_RECORDS_H
#define FATHOM_TRACE_RMA_RECORDS_H

#include "event/substrate.h"

/* The function rma_step of the substrate's table: one step of an operation, or of a window's life (event/event.h).
 * Context: hook. */
void fathom_trace_rma_step(struct fathom_location *self, const struct fathom_rma_step *step);

#endif
