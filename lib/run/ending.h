/*
 * ending: handles all the ways in which a process can end; ending.c lists them.
 */
#ifndef FATHOM_RUN_ENDING_H
#define FATHOM_RUN_ENDING_H

#include <stdbool.h>

/* Installs handlers for the signals that end the process, and for quick_exit. Context: start. */
void fathom_ending_init(void);

/* Saves the result before an exec, by which another program replaces this one, and stops samples of the calling thread.
 * If the exec fails afterwards, the process continues to measure. Returns whether this process is measured.
 * Keeps errno. Context: signal. */
bool fathom_ending_before_exec(void);

/* Saves the result before a daemon(3) in which the process ends and whose child will not be measured. If the call fails
 * afterwards, the process continues to measure. Keeps errno. Context: signal. */
void fathom_ending_before_daemon(void);

#endif
