/*
 * exec: interposes the functions of the exec family, because a successful exec ends the measurement: another program
 * replaces this one.
 */
#ifndef FATHOM_RUN_EXEC_H
#define FATHOM_RUN_EXEC_H

/* Finds the C library's functions now, because a signal handler, which may call exec, cannot look up symbols.
 * Context: start. */
void fathom_exec_init(void);

#endif
