/*
 * coroutine: coroutine stacks, which are machine stacks that the program switches to by swapcontext or setcontext, or
 * by a longjmp to a stack on which one of these has been called.
 *
 * A thread has one stack of frames. The frames of a coroutine stack are on top of the frames of the thread's own
 * stack, above a placeholder frame: so a coroutine has the same call paths whichever coroutine switched to it. A
 * switch ends the visits of the coroutine stack that the thread leaves, and stores them in struct fathom_coroutine.
 * When this or another thread continues with the coroutine, it begins the visits again, but they are not counted
 * again. So a coroutine gets time while it runs.
 *
 * The context that the program switches to contains the bounds of its stack. The core does not see switches that the
 * program makes by its own code.
 */
#ifndef FATHOM_EVENT_COROUTINE_H
#define FATHOM_EVENT_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_location;

/* The calling thread, whose stack pointer is at here, is about to continue with the stack pointer at target, on the
 * coroutine stack of bytes bytes that begins at stack. If bytes is 0, target may be on the thread's own stack.
 * Context: birth. */
void fathom_coroutine_switch(uintptr_t here, uintptr_t target, const void *stack, size_t bytes);

/* Does the same as fathom_coroutine_switch, for a longjmp to target. False: the thread stays on its stack.
 * Context: birth, signal. */
bool fathom_coroutine_jump(uintptr_t target);

/* The calling thread's location self is on a coroutine stack as far as the core knows; the thread's stack pointer is
 * at here. If here is on another stack, a context has ended and its successor has continued, without a call that the
 * core sees: the function changes to that stack. Context: birth. */
void fathom_coroutine_follow(struct fathom_location *self, uintptr_t here, uint64_t now);

#endif
