/*
 * naming_thread: runs the code that finds names of functions in a thread of its own.
 *
 * That code (elfutils, and the dynamic linker that loads it) asks malloc for large blocks. The first such block makes
 * the C library's malloc merge all small blocks that the program has freed, which a program with millions of them
 * notices. malloc has several arenas, and a new thread gets one in which the program has no blocks.
 */
#ifndef FATHOM_SYMBOLS_NAMING_THREAD_H
#define FATHOM_SYMBOLS_NAMING_THREAD_H

/* Calls run(data) in a new thread, in which all signals but those of a crash are blocked, and waits for its end. Where
 * there is no such thread (static programs, a malloc that is not the C library's, no room for a thread), the calling
 * thread calls it. Context: finish. One thread at a time. */
void fathom_naming_thread_run(void (*run)(void *data), void *data);

#endif
