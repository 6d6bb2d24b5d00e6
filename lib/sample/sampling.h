/*
 * sampling: interrupts each thread that is measured now and then, and tells the substrate where the thread was.
 *
 * lib/run starts it, and calls it when threads begin and end to be measured. The sources (source.h) send the signal of
 * sampling_signal.h; the handler looks whether the thread may be sampled at that moment, finds its machine frames
 * (unwind.h), and calls the function sample of the substrate.
 *
 * A sample is dropped, and counted, if it hits a thread inside the core or in fathom's slow code, or while a result is
 * being written. It is dropped and not counted on a paused thread, and on a thread that has no location, such as a
 * thread of a runtime system outside its teams.
 */
#ifndef FATHOM_SAMPLE_SAMPLING_H
#define FATHOM_SAMPLE_SAMPLING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/sampling_setting.h"
#include "sample/source.h"

enum { FATHOM_SAMPLING_EVENTS = FATHOM_SAMPLED_EVENTS + 1 };

struct fathom_sampling_counts {
	uint64_t taken, dropped;	/* samples */
	uint64_t partial;		/* of those that were taken: the unwinder did not reach the end */
	uint64_t failed;		/* sources that could not be opened, each with the samples of one thread */
	int error;			/* -errno of the last of these */
	const char *source;		/* what gives the samples of processor time: "perf cpu-clock", "timers of
					 * processor time", or both; NULL: nothing has so far */
};

/*
 * Starts sampling of these events; each thread joins by fathom_sampling_thread_begin. events: must stay. uses_perf:
 * perf events may be used for processor time. 0 or -errno; -ENOTSUP: this is not written for the processor. Context:
 * start.
 */
int fathom_sampling_start(const struct fathom_sampled_event *events, uint32_t count, bool uses_perf);

/* Returns whether fathom_sampling_start was called with success, in this process. Context: signal. */
bool fathom_sampling_is_on(void);

/* The calling thread begins, or ends, to be sampled. It must record no events meanwhile. A thread may begin more than
 * once. Keep errno. Take the lock of sampling.c. Context: birth. */
void fathom_sampling_thread_begin(void);
void fathom_sampling_thread_end(void);

/* Installs the handler again, and arms the sources, if the C library has replaced the handler, which it does once, when
 * the first thread is created. Keeps errno. Context: birth. */
void fathom_sampling_keep_handler(void);

/* Between fathom_sampling_hold and fathom_sampling_resume no thread takes a sample, because a result is being written
 * or the process is about to become another program. Waits for other threads that are taking one, but not for long.
 * Context: signal. */
void fathom_sampling_hold(void);
void fathom_sampling_resume(void);

/* Ends sampling for ever: no source is armed again. Context: signal. */
void fathom_sampling_end(void);

/* Disarms the sources of the calling thread before an exec, and arms them again if it has failed. Keep errno.
 * Context: signal. */
void fathom_sampling_before_exec(void);
void fathom_sampling_after_exec(void);

/* This process is a child of fork: it closes what it shares with its parent, and takes no samples. If it continues the
 * measurement (daemon.h), fathom_sampling_thread_begin after fathom_sampling_continue starts again. Context: birth. */
void fathom_sampling_forget(void);
void fathom_sampling_continue(void);

/* The calling thread has received a signal that ends the process. Returns true if the kernel has sent it in place of a
 * source's, which it could not queue: the process can continue. Context: signal. */
bool fathom_sampling_recover(int number, const siginfo_t *info);

/* Returns the numbers so far. Context: finish, signal. */
struct fathom_sampling_counts fathom_sampling_count(void);

#endif
