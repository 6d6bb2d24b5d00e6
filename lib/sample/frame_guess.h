/*
 * frame_guess: guesses the caller of a frame whose code has no call-frame information: assembly, or code that the
 * program made at run time.
 *
 * An address on the stack is taken for a return address if a call instruction is in front of it. It is preferred if the
 * call leads to code that has no call-frame information either, most of all if it leads to the code of the frame.
 */
#ifndef FATHOM_SAMPLE_FRAME_GUESS_H
#define FATHOM_SAMPLE_FRAME_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/cfi.h"
#include "sample/readable_memory.h"

/* Changes registers from those of a frame to those of its caller. is_interrupted: the instruction pointer is at the
 * next instruction; otherwise it is a return address. Stores the first instruction of the frame's function in
 * *function, 0 if that is not known. False: no caller was found, and registers are unchanged. Context: signal. */
bool fathom_frame_guess(struct fathom_registers *registers, bool is_interrupted, struct fathom_readable_memory *memory,
			uintptr_t *function);

/* Returns whether a call instruction is in front of address. Context: signal. */
bool fathom_frame_guess_is_return(uintptr_t address, struct fathom_readable_memory *memory);

#endif
