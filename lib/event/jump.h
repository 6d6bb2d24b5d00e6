/*
 * jump: the reports of the functions that interpose longjmp and similar calls: jump.c itself in the shared library,
 * jump_static.c in static programs.
 */
#ifndef FATHOM_EVENT_JUMP_H
#define FATHOM_EVENT_JUMP_H

#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>

#include "platform/compiler.h"

/* Finds the functions of the C library that the interposed ones call. Context: start. */
void fathom_jump_init(void);

/* The calling thread is about to jump to where setjmp was called with buffer. Context: hook, signal. */
void fathom_jump_by(const struct __jmp_buf_tag *buffer);

/* It is about to go on with context; its stack pointer is at here. Context: birth. */
void fathom_jump_to(const ucontext_t *context, uintptr_t here);

/* An exception goes on where the stack pointer is at here. Context: hook. */
FATHOM_API void fathom_event_unwind(uintptr_t here);

#endif
