/*
 * io_records: the records of files that are opened, read and written.
 */
#ifndef FATHOM_TRACE_IO_RECORDS_H
#define FATHOM_TRACE_IO_RECORDS_H

#include "event/substrate.h"

/* The function io_step of the substrate's table: one step in the use of a file (event/event.h). Context: hook. */
void fathom_trace_io_step(struct fathom_location *self, const struct fathom_io_step *step);

#endif
