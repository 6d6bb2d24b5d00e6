/*
 * coroutine: coroutine stacks, which are machine stacks that the program switches to by swapcontext, setcontext, or a
 * longjmp to where one of these led.
 *
 * A thread has one stack of frames. The frames of a coroutine stack stand on top of the frames of the thread's own
 * stack, above a placeholder frame: so a coroutine has the same call paths whichever coroutine switched to it. A switch
 * ends the visits of the coroutine stack that the thread leaves and keeps them here. When a thread, this one or another
 * one, goes on with the coroutine, the visits begin again without being counted. So a coroutine's time is counted while
 * it runs.
 *
 * The context that the program switches to says where its stack is. The core does not see switches that the program
 * makes by its own code.
 */
#ifndef FATHOM_EVENT_COROUTINE_H
#define FATHOM_EVENT_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_location;

/* The calling thread, whose stack pointer is at here, is about to continue with the stack pointer at target. That is on
 * the coroutine stack of bytes bytes at stack; bytes 0: perhaps on the thread's own stack. Context: birth. */
void fathom_coroutine_switch(uintptr_t here, uintptr_t target, const void *stack, size_t bytes);

/* The same for a longjmp to target. False: the thread stays on its stack. Context: birth, signal. */
bool fathom_coroutine_jump(uintptr_t target);

/* The calling thread's location self is on a coroutine stack as far as the core knows; the thread's stack pointer is at
 * here. If here is on another stack, a context ended and another one went on without a call that the core sees.
 * Context: birth. */
void fathom_coroutine_follow(struct fathom_location *self, uintptr_t here, uint64_t now);

#endif
