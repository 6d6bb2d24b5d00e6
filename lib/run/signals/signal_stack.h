/*
 * signal_stack: gives each measured thread an alternate signal stack, if it has none.
 *
 * A thread whose stack is used up, or was small from the beginning, has no room for the handler that saves the result.
 */
#ifndef FATHOM_RUN_SIGNAL_STACK_H
#define FATHOM_RUN_SIGNAL_STACK_H

/* Gives the calling thread an alternate signal stack, unless it has one or there is no memory. Writes to no page of it,
 * so it takes no physical memory yet. Does nothing if fathom handles no signals and takes no samples. Takes the lock of
 * signal_stack.c. Keeps errno. Context: birth. */
void fathom_signal_stack_give(void);

/* Takes back the stack that fathom_signal_stack_give gave to the calling thread, which is about to end. Takes the lock
 * of signal_stack.c. Keeps errno. Context: birth. */
void fathom_signal_stack_take_back(void);

#endif
