/*
 * unwind: finds the machine frames of the calling thread from an interrupted instruction outwards.
 *
 * The handler of a sample calls fathom_unwind with the registers of the interrupted code. The unwinder allocates
 * nothing, takes no lock, calls no function of the C library but _dl_find_object, and reads only memory that it knows
 * to be readable. It finds callers by the call-frame information in .eh_frame, and guesses them where code has none.
 *
 * On processors other than x86-64 samples have no frames.
 */
#ifndef FATHOM_SAMPLE_UNWIND_H
#define FATHOM_SAMPLE_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "event/sample.h"

/* What the unwinder keeps of one thread: which rule belongs to which instruction, and which part of the thread's stack
 * is readable. */
struct fathom_unwinder;

/* Finds out where the program has its call-frame information, if the dynamic linker does not know it. Returns 0 or
 * -errno; after an error unwinding works, but guesses more. Calling it again does nothing. Context: start. */
int fathom_unwind_init(void);

/* Returns an unwinder for the calling thread, in pages of its own. NULL: no memory. Context: birth. */
struct fathom_unwinder *fathom_unwinder_create(void);

/* The calling thread takes over the unwinder of a thread that has ended, with the rules that it has found.
 * Context: birth. */
void fathom_unwinder_take_over(struct fathom_unwinder *unwinder);

/* Frees an unwinder, which may be NULL and is not in use. Any thread may call it. Context: birth. */
void fathom_unwinder_destroy(struct fathom_unwinder *unwinder);

/*
 * Fills in frames, innermost first, from the registers of context outwards, at most room of them; returns their number.
 * All signals that lead here are blocked. The thread is the one that created the unwinder, or its copy after fork.
 *
 * The last frame is the one whose part of the stack contains the address stop, the stack pointer that the core keeps of
 * the innermost recorded frame; then *has_own is true. If there is none, the last frame is the outermost one of the
 * thread or of its coroutine stack; then *has_own is true for FATHOM_STACK_HIGHEST only.
 *
 * *is_partial is true if the unwinder found the caller of a frame neither by rule nor by guess, if there is no room,
 * and if it came to the thread's outermost frame without a frame of stop, so that the recorded frame is not active any
 * more.
 *
 * Frames that a signal handler interrupted are in the list like callers: their address is one higher than that of the
 * interrupted instruction, as if it were a return address. The frame between the two, which the kernel made for the
 * handler, is left out. Context: signal.
 */
uint32_t fathom_unwind(struct fathom_unwinder *unwinder, const ucontext_t *context, uintptr_t stop,
		       struct fathom_sample_frame *frames, uint32_t room, bool *is_partial, bool *has_own);

#endif
