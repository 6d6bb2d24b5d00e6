/*
 * process_copy: runs a function in a copy of this process, with its own memory and its own file descriptors.
 *
 * A process that crashed may not allocate memory, because the thread that crashed may have been inside malloc. The copy
 * may try; if the attempt fails, only the copy fails.
 */
#ifndef FATHOM_RUN_PROCESS_COPY_H
#define FATHOM_RUN_PROCESS_COPY_H

/*
 * Runs function(data), which returns 0 or -errno, in a copy of this process, and waits until the copy has ended. The
 * copy has only the calling thread, no signal handlers, and at most the given number of seconds. It ignores SIGINT,
 * SIGTERM and the other signals by which processes are ended from outside. Changes that function makes in memory are
 * lost. The program does not notice the copy: neither by wait nor by SIGCHLD.
 * Returns what function returned; -EDEADLK: the copy waited for a lock whose holder was not copied; -EFAULT: the copy
 * ended in another way; or -errno: no copy could be made. Context: signal.
 */
int fathom_process_copy_run(int (*function)(void *), void *data, unsigned int seconds);

#endif
