/*
 * ending: all the ways in which a process can end; ending.c lists them.
 */
#ifndef FATHOM_RUN_ENDING_H
#define FATHOM_RUN_ENDING_H

/* Installs handlers for signals that end the process, and for quick_exit. Context: start. */
void fathom_ending_init(void);

/* Another program is about to take the process over: saves the result. The exec may still fail, then the process goes
 * on. Keeps errno. Context: signal. */
void fathom_ending_before_exec(void);

/* The process is about to end in daemon(3), and its child will not be measured: saves the result. The call may still
 * fail, then the process goes on. Keeps errno. Context: signal. */
void fathom_ending_before_daemon(void);

#endif
