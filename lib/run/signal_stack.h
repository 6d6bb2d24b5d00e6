/*
 * signal_stack: a stack for signal handlers in each measured thread that has none.
 *
 * A thread whose stack is used up, or was small from the beginning, has no room for the handler that saves the result.
 */
#ifndef FATHOM_RUN_SIGNAL_STACK_H
#define FATHOM_RUN_SIGNAL_STACK_H

/* Gives the calling thread an alternate signal stack, unless it has one. Touches no page of it. Does nothing before
 * fathom_signal_handlers_init, and where no signal is handled. Context: birth. */
void fathom_signal_stack_give(void);

/* The calling thread ends: takes back what fathom_signal_stack_give gave. Context: birth. */
void fathom_signal_stack_take_back(void);

#endif
