/*
 * crash_saving: runs the function that writes the result in a process that is ending.
 *
 * What it does. Several threads may end the process at about the same time: two threads crash, or a signal arrives
 * while main returns. The first thread that calls fathom_crash_saving_run becomes the saving thread and runs the
 * function; the others wait for it. crash_saving.c knows nothing of results: the caller passes the function
 * (crash_result.c and finish.c do), so a test can pass any other one.
 *
 * The steps of fathom_crash_saving_run, in this order:
 *  1. The thread waits until no other thread is the saving thread, and becomes it. If the other saving was the last
 *     one, or is not over after the wait, the call returns FATHOM_SAVED_BY_OTHER.
 *  2. It disables cancellation and releases the reserved memory (which exists only under ulimit -v or -d).
 *  3. It switches to a stack of its own, because the stack of the thread may be used up or small.
 *  4. It installs the handler of signal_handlers.h for SIGSEGV, SIGBUS, SIGFPE and SIGILL, with an alternate stack, and
 *     blocks all other signals except SIGTRAP and SIGSYS, so that no handler of the program can jump out of the saving.
 *  5. It calls the function: in this process or, if the program has left too few file descriptors, in a copy of it.
 *  6. A fault inside the function makes the handler call fathom_crash_saving_give_up, which jumps to step 7.
 *  7. It restores signal mask, handlers and alternate stack, reserves memory again unless this was the last saving, and
 *     notifies the waiting threads.
 *
 * What the function may call: async-signal-safe functions only, unless its caller knows that the process ends in an
 * orderly way (exit). If it calls fathom_crash_saving_run, that call does nothing and returns FATHOM_SAVED_BY_OTHER.
 *
 * The handler of a fatal signal asks fathom_crash_saving_is_self first: in the saving thread it gives up the saving, in
 * any other thread it saves (ending.c).
 */
#ifndef FATHOM_RUN_CRASH_SAVING_H
#define FATHOM_RUN_CRASH_SAVING_H

#include <stdbool.h>

enum fathom_saved {
	FATHOM_SAVED,			/* the function returned */
	FATHOM_SAVED_IN_PART,		/* a fault (SIGSEGV and the like) inside the function ended it */
	FATHOM_SAVED_BY_OTHER,		/* not run here: another thread has saved, or is still saving after the wait */
};

/* Maps the stack of the saving thread and reserves memory for it. Without memory, saving works without them.
 * Context: start. */
void fathom_crash_saving_init(void);

/*
 * Runs save(data) in the calling thread with the steps above, unless another thread is the saving thread: then waits
 * for that thread (fathom_crash_saving_wait). is_last: nothing may be saved after this call; otherwise any thread may
 * save again. The caller has blocked all signals. Context: signal.
 */
enum fathom_saved fathom_crash_saving_run(void (*save)(void *), void *data, bool is_last);

/* Returns whether the calling thread is the saving thread, inside fathom_crash_saving_run. Context: signal. */
bool fathom_crash_saving_is_self(void);

/* Returns whether any thread is the saving thread now. Context: signal. */
bool fathom_crash_saving_is_busy(void);

/* Waits until no thread is the saving thread: at most a minute, and at most three seconds if the saving thread keeps
 * waiting for a lock. Is no cancellation point. Context: signal. */
void fathom_crash_saving_wait(void);

/*
 * Runs save(data) in a copy of the process if the saving thread is another thread and waits for a lock, which the
 * calling thread may have held when it crashed. Does so once per process. Returns whether the copy ended without an
 * error. save must not allocate memory. The caller has waited for the saving thread (fathom_crash_saving_run did).
 * Context: signal.
 */
bool fathom_crash_saving_take_over(void (*save)(void *), void *data);

/*
 * Gives up the saving after a fault in the saving thread, which is the caller: jumps to where fathom_crash_saving_run
 * restores everything and returns FATHOM_SAVED_IN_PART. Returns only if the saving has not begun or is already over.
 * Context: signal.
 */
void fathom_crash_saving_give_up(void);

#endif
