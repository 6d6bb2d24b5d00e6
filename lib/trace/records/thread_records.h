/*
 * thread_records: the records of created threads (pthread_create and similar functions).
 *
 * In OTF2, the threads of a process that OpenMP did not fork are the members of one communicator. A thread is
 * identified there by the number in its fathom_origin (event/thread.h).
 */
#ifndef FATHOM_TRACE_THREAD_RECORDS_H
#define FATHOM_TRACE_THREAD_RECORDS_H

#include <stdint.h>

#include "event/substrate.h"
#include "event/thread.h"

/* Returns the number of the communicator of created threads. Context: hook; the first call: birth. */
uint32_t fathom_trace_threads_comm(void);

/* The functions of the substrate's table (event/substrate.h). Context: hook. */
void fathom_trace_thread_create(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now);
void fathom_trace_thread_begin(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now);
void fathom_trace_thread_end(struct fathom_location *self, uint64_t now);
void fathom_trace_thread_wait(struct fathom_location *self, uint64_t joined, uint64_t now);

#endif
