/*
 * lock_records: the records of locks that threads acquire and release.
 */
#ifndef FATHOM_TRACE_LOCK_RECORDS_H
#define FATHOM_TRACE_LOCK_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/substrate.h"

/* The functions lock_acquire and lock_release of the substrate's table: the location acquires or releases the lock
 * with this number, which all threads together have acquired order times so far (event/locks/locks.h). Context: hook.
 */
void fathom_trace_lock_acquire(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			       uint32_t order, uint64_t now);
void fathom_trace_lock_release(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			       uint32_t order, struct fathom_lock_release when);

/* Returns true if every lock that is acquired in the trace of this process is released there, and no thread was ever
 * paused. Called when recording is over. Context: finish. */
bool fathom_trace_locks_are_complete(void);

#endif
