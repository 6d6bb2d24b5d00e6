/*
 * stepping_threads: threads that do what the test says, one at a time, each step at a time that the test gives
 * (moved_clock.h). So several threads record events in an order that is the same in every run.
 */
#ifndef FATHOM_TEST_STEPPING_THREADS_H
#define FATHOM_TEST_STEPPING_THREADS_H

#include <stdint.h>

enum { STEPPING_THREADS_MOST = 8 };

/* What a thread does in a step. thread: its number, from 0. */
typedef void stepping_threads_step(uint32_t thread);

/* Creates the threads, at most STEPPING_THREADS_MOST. */
void stepping_threads_create(uint32_t count);

/* Ends the threads. */
void stepping_threads_join(void);

/* Times of steps count from here, which is later than all steps so far. */
void stepping_threads_begin_test(void);

/* Returns the time of the last step. */
uint64_t stepping_threads_time(void);

/* Moves the clock to time, lets a thread take a step, and waits until it has done so. */
void at(uint64_t time, uint32_t thread, stepping_threads_step *step);

#endif
