/*
 * window_records: what the calls of one-sided communication add to the log of operations, from which the search for
 * wait states works.
 */
#ifndef FATHOM_PROFILE_WINDOW_RECORDS_H
#define FATHOM_PROFILE_WINDOW_RECORDS_H

#include "event/substrate.h"

struct fathom_location;

/* The function rma_step of the substrate's table: records what a window is used for. Context: hook; birth for a new log
 * or chunk. */
void fathom_window_record_step(struct fathom_location *self, const struct fathom_rma_step *step);

#endif
