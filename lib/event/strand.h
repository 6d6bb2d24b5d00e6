/*
 * strand: a stack of the program's own making, which threads switch to and back from: by swapcontext, setcontext, and
 * longjmp to where one of these led.
 *
 * A thread has one stack of frames. What is active on a strand stands on top of what is active on the thread's own
 * stack, above a hollow frame: whoever switches to it, from whichever strand, the call paths are the same. A switch
 * ends the visits of the strand that is left and keeps them here; when the strand goes on, on this thread or on
 * another one, they begin again, without being counted. So time is counted for a strand while it runs.
 *
 * Where a strand's stack is says the context that is switched to. Switches that the program makes by itself are not
 * seen.
 */
#ifndef FATHOM_EVENT_STRAND_H
#define FATHOM_EVENT_STRAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_location;

/* The calling thread, whose stack pointer is at here, is about to go on with it at target, which is on the stack of
 * that size if that is not 0: else it may be on the thread's own. Context: birth. */
void fathom_strand_switch(uintptr_t here, uintptr_t target, const void *stack, size_t bytes);

/* The same for longjmp; false: it stays on its stack. Context: birth, signal. */
bool fathom_strand_jump(uintptr_t target);

/* self, the calling thread's, is on a strand, as far as we know; its stack pointer is at here. If that is elsewhere, a
 * context ended and another went on without a call that we see. Context: birth. */
void fathom_strand_follow(struct fathom_location *self, uintptr_t here, uint64_t now);

#endif
