/*
 * process_copy: a copy of this process that does in its own memory, and with its own file descriptors, what this
 * process may not be able to do.
 *
 * A process that crashed may not allocate memory: the thread that crashed may have been inside malloc. The copy may
 * try; if it fails, only the copy fails.
 */
#ifndef FATHOM_RUN_PROCESS_COPY_H
#define FATHOM_RUN_PROCESS_COPY_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Runs function(data), which returns 0 or -errno, in a copy of this process, and waits until the copy has ended. The
 * copy has only the calling thread, no signal handlers, and at most that many seconds. Changes that function makes in
 * memory are lost. The program does not notice the copy: neither by wait nor by SIGCHLD.
 * Returns what function returned; -EDEADLK: the copy needed a lock of a thread that it does not have; -EFAULT: the
 * copy ended in another way; or -errno where no copy can be made. Context: signal.
 */
int fathom_process_copy_run(int (*function)(void *), void *data, unsigned int seconds);

/* A copy, or a thread of this process, waits for a lock (a futex) at the moment. False where it cannot be known.
 * Context: signal. */
bool fathom_process_copy_waits_for_lock(pid_t thread);

#endif
