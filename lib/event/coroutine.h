/*
 * coroutine: a stack of the program's own making, which threads switch to and back from: by swapcontext, setcontext,
 * and longjmp to where one of these led.
 *
 * A thread has one stack of frames. What is active on a coroutine stands on top of what is active on the thread's own
 * stack, above a placeholder frame: whoever switches to it, from whichever coroutine, the call paths are the same. A
 * switch ends the visits of the coroutine that is left and keeps them here; when the coroutine goes on, on this thread
 * or on another one, they begin again, without being counted. So time is counted for a coroutine while it runs.
 *
 * Where a coroutine's stack is says the context that is switched to. Switches that the program makes by itself are not
 * seen.
 */
#ifndef FATHOM_EVENT_COROUTINE_H
#define FATHOM_EVENT_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_location;

/* The calling thread, whose stack pointer is at here, is about to go on with it at target, which is on the stack of
 * that size if that is not 0: else it may be on the thread's own. Context: birth. */
void fathom_coroutine_switch(uintptr_t here, uintptr_t target, const void *stack, size_t bytes);

/* The same for longjmp; false: it stays on its stack. Context: birth, signal. */
bool fathom_coroutine_jump(uintptr_t target);

/* The calling thread's location self is on a coroutine stack as far as the core knows; the thread's stack pointer is at
 * here. If here is on another stack, a context ended and another one went on without a call that the core sees.
 * Context: birth. */
void fathom_coroutine_follow(struct fathom_location *self, uintptr_t here, uint64_t now);

#endif
