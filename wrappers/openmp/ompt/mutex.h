/*
 * mutex: the callbacks for locks, critical, atomic and ordered constructs, with the arguments of the OpenMP standard
 * (OMPT).
 *
 * The runtime may call them at any time from any thread, also after the measurement has ended: then the core drops the
 * events. Context of all: hook; the first one of a thread or of an address: birth.
 */
#ifndef FATHOM_WRAPPERS_OMPT_MUTEX_H
#define FATHOM_WRAPPERS_OMPT_MUTEX_H

#include <stdint.h>

#include "ompt.h"

/* The program has initialised a lock. */
void fathom_ompt_lock_init(int type, unsigned hint, unsigned implementation, uint64_t id, const void *address);

/* The program has destroyed a lock. */
void fathom_ompt_lock_destroy(int type, uint64_t id, const void *address);

/* The thread begins to wait for a lock or tests one, or waits at a critical, atomic or ordered construct. */
void fathom_ompt_mutex_acquire(int type, unsigned hint, unsigned implementation, uint64_t id, const void *address);

/* The thread has acquired the lock, or executes the block of the construct. */
void fathom_ompt_mutex_acquired(int type, uint64_t id, const void *address);

/* The thread has released the lock, or has left the construct. */
void fathom_ompt_mutex_released(int type, uint64_t id, const void *address);

/* The thread has acquired a nestable lock that it held already, or has released it and still holds it. */
void fathom_ompt_nest_lock(int endpoint, uint64_t id, const void *address);

#endif
