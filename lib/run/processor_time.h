/*
 * processor_time: how much processor time this process and its initial thread have used.
 */
#ifndef FATHOM_RUN_PROCESSOR_TIME_H
#define FATHOM_RUN_PROCESSOR_TIME_H

#include <stdint.h>

struct fathom_processor_time {
	uint64_t all_ns;		/* of the process, from the begin of the measurement to its end */
	uint64_t initial_ns;		/* of its initial thread */
};

/* The measurement begins now. Context: start. */
void fathom_processor_time_begin(void);

/*
 * This process is a child that goes on with the measurement of its parent, whose times were noted last: its clocks
 * began at 0. Context: signal.
 */
void fathom_processor_time_move(void);

/* The program's work ends now: notes the times. Context: finish, signal. */
void fathom_processor_time_note(void);

/* The times that were noted last. Context: finish, signal. */
struct fathom_processor_time fathom_processor_time_noted(void);

/* How long the calling thread has been ready to run without a processor, in ns; 0 where the kernel does not tell.
 * Context: finish. */
uint64_t fathom_processor_time_waited_ns(void);

#endif
