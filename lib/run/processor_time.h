/*
 * processor_time: measures how much processor time this process and its initial thread use.
 */
#ifndef FATHOM_RUN_PROCESSOR_TIME_H
#define FATHOM_RUN_PROCESSOR_TIME_H

#include <stdint.h>

struct fathom_processor_time {
	uint64_t all_ns;		/* of the process since the measurement began, in ns */
	uint64_t initial_ns;		/* of the initial thread in the same time, in ns */
};

/* Notes the processor time used before the measurement began, which is now. Context: start. */
void fathom_processor_time_begin(void);

/*
 * Adapts the begin of the measurement in a child that continues the measurement of its parent. The clocks of the child
 * began at 0; the parent noted its own times just before (fathom_processor_time_note). Context: signal.
 */
void fathom_processor_time_move(void);

/* Notes the times used until now, where the program's work ends. Context: finish, signal. */
void fathom_processor_time_note(void);

/* Returns the times that were noted last. Context: finish, signal. */
struct fathom_processor_time fathom_processor_time_noted(void);

/* Returns how long the calling thread has been ready to run but had no processor, in ns; 0 if the kernel does not
 * report it. Context: finish. */
uint64_t fathom_processor_time_waited_ns(void);

#endif
