/*
 * crash_result: writes the result of a process that ends without running its destructors (_exit, exec, a fatal signal).
 *
 * Such a process may not allocate memory. It first writes a profile without the names of functions, with plain system
 * calls only. Then a copy of the process (process_copy.h) writes the profile again with names, and the trace.
 */
#ifndef FATHOM_RUN_CRASH_RESULT_H
#define FATHOM_RUN_CRASH_RESULT_H

enum fathom_end {
	FATHOM_END_PERHAPS,		/* by exec, which may fail: then the process continues */
	FATHOM_END_BY_ITSELF,		/* by _exit */
	FATHOM_END_BY_FORCE,		/* by a signal or MPI_Abort */
};

/*
 * Saves what the process has recorded, because the process is about to end; or, if another thread is already saving,
 * waits for that thread. why: the cause of the end in a few words, for messages and for the result. Errors are
 * reported to the user. The caller has blocked all signals. Keeps errno. Context: signal.
 */
void fathom_crash_result_save(const char *why, enum fathom_end end);

#endif
