/*
 * crash_saving: the thread that saves the result when the process ends, and the means that it needs.
 *
 * Several threads may end the process at about the same time: two threads crash, a signal comes while main returns.
 * The first thread is the saver; the others wait for it. The saver works on a stack of its own, because the stack of
 * its thread may be used up or small, and with all signals blocked, so that no handler of the program can jump away
 * from it.
 */
#ifndef FATHOM_RUN_CRASH_SAVING_H
#define FATHOM_RUN_CRASH_SAVING_H

#include <stdbool.h>

enum fathom_saved {
	FATHOM_SAVED,			/* the function returned */
	FATHOM_SAVED_IN_PART,		/* a fault (SIGSEGV and the like) inside it ended it */
	FATHOM_SAVED_BY_OTHER,		/* this thread did not run it: another one had, or it took too long */
};

/* Maps the stack and the memory that is held back until a result is saved. Context: start. */
void fathom_crash_saving_init(void);

/*
 * Runs save(data) in the calling thread, unless another thread is the saver: then waits for that thread
 * (fathom_crash_saving_wait). is_last: nothing is saved after this; or else another thread, or the same, may save
 * again.
 * The caller has blocked all signals. Memory that was held back is free while save runs. Where the program has left too
 * few file descriptors, save runs in a copy of the process. Context: signal.
 */
enum fathom_saved fathom_crash_saving_run(void (*save)(void *), void *data, bool is_last);

/* The calling thread is the saver, inside fathom_crash_saving_run. Context: signal. */
bool fathom_crash_saving_is_self(void);

/* A thread is the saver now. Context: signal. */
bool fathom_crash_saving_is_busy(void);

/* Waits until no thread is the saver, a minute at most, and three seconds if the saver hangs in a lock.
 * Context: signal. */
void fathom_crash_saving_wait(void);

/*
 * If the saver is another thread and waits for a lock, which the calling thread may have had when it crashed: runs
 * save(data) in a copy of the process, once. Returns whether it did, and the copy came to its end. save must not
 * allocate memory. The caller has waited for the saver (fathom_crash_saving_run did). Context: signal.
 */
bool fathom_crash_saving_take_over(void (*save)(void *), void *data);

/* There was a fault in the saver, the calling thread: jumps to where fathom_crash_saving_run returns. Comes back only
 * if the saver was not yet, or no longer, at work. Context: signal. */
void fathom_crash_saving_give_up(void);

#endif
