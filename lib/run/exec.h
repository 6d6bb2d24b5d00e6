/*
 * exec: the functions of the exec family. They are interposed, because an exec ends the measurement: another program
 * takes the process over.
 */
#ifndef FATHOM_RUN_EXEC_H
#define FATHOM_RUN_EXEC_H

/* Finds the C library's functions: in a signal handler nothing may be looked up. Context: start. */
void fathom_exec_init(void);

#endif
