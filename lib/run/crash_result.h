/*
 * crash_result: the result of a process that vanishes without its destructors (_exit, exec, a fatal signal).
 *
 * The process writes a profile without names by plain system calls, for it may not allocate memory. Then a copy of it
 * tries again with names, and writes the trace.
 */
#ifndef FATHOM_RUN_CRASH_RESULT_H
#define FATHOM_RUN_CRASH_RESULT_H

enum fathom_end {
	FATHOM_END_PERHAPS,		/* an exec, which may fail: then the process goes on */
	FATHOM_END_BY_ITSELF,		/* _exit */
	FATHOM_END_BY_FORCE,		/* a signal, MPI_Abort */
};

/*
 * The process is about to vanish: saves what was recorded, or waits for the thread that does. why: a few words. The
 * caller has blocked all signals. Context: signal.
 */
void fathom_crash_result_save(const char *why, enum fathom_end end);

#endif
