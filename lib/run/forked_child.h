/*
 * forked_child: stops the measurement in children of fork, except in the child that continues after daemon(3).
 */
#ifndef FATHOM_RUN_FORKED_CHILD_H
#define FATHOM_RUN_FORKED_CHILD_H

/* Registers a function with pthread_atfork, which stops the measurement in each child before fork returns there.
 * Context: start. */
void fathom_forked_child_init(void);

#endif
