/*
 * jump: the functions that are called when the program jumps: by those that interpose longjmp, swapcontext and
 * similar calls. The latter are in jump.c in the shared library, and in jump_static.c in static programs.
 */
#ifndef FATHOM_EVENT_JUMP_H
#define FATHOM_EVENT_JUMP_H

#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>

#include "platform/compiler.h"

/* Finds the functions of the C library that the interposed ones call. Context: start. */
void fathom_jump_init(void);

/* The calling thread is about to jump to the place where setjmp filled buffer. Context: hook, signal. */
void fathom_jump_by(const struct __jmp_buf_tag *buffer);

/* The calling thread, whose stack pointer is at here, is about to continue with context. Context: birth. */
void fathom_jump_to(const ucontext_t *context, uintptr_t here);

/* An exception stops at a frame of the stack, and the thread continues there with the stack pointer at here. Context:
 * hook. */
FATHOM_API void fathom_event_unwind(uintptr_t here);

#endif
