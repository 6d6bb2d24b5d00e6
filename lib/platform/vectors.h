/*
 * vectors: calls that do not change vector registers.
 *
 * A hook that the compiler does not know of (wrappers/compiler/patch/sleds.h) must keep all registers. What runs at
 * every event is compiled to use few general registers only (hot_flags in local.mk), so nothing needs to be saved. Code
 * that runs rarely, such as the C library, may use any register. Hooks call it by another name, which saves the vector
 * registers with their full width, and r8 to r11, around the call.
 *
 * XSAVE and its areas: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 13.
 */
#ifndef FATHOM_PLATFORM_VECTORS_H
#define FATHOM_PLATFORM_VECTORS_H

#include "platform/compiler.h"

/*
 * FATHOM_KEEPS_VECTORS(function), at file scope: function_kept is function, and keeps vector registers. function is not
 * static; it has six arguments at most, all of them numbers or pointers, and such a result or none.
 */
#if defined(__x86_64__) && defined(__LP64__)
#define FATHOM_KEEPS_VECTORS(function) \
	extern FATHOM_HIDDEN __typeof__(function) function##_kept; \
	__asm__(".pushsection .text.unlikely, \"ax\", @progbits\n" \
		"\t.globl " #function "_kept\n" \
		"\t.hidden " #function "_kept\n" \
		"\t.type " #function "_kept, @function\n" \
		#function "_kept:\n" \
		"\t.cfi_startproc\n" \
		"\tlea " #function "(%rip), %rax\n" \
		"\tjmp *fathom_vectors_keep@GOTPCREL(%rip)\n" \
		"\t.cfi_endproc\n" \
		"\t.size " #function "_kept, . - " #function "_kept\n" \
		".popsection\n")
#else
#define FATHOM_KEEPS_VECTORS(function) \
	extern __typeof__(function) function##_kept __asm__(#function)
#endif

/* Calls the function in %rax. Only FATHOM_KEEPS_VECTORS uses it. Context: hook. */
FATHOM_API void fathom_vectors_keep(void);

/* Finds the vector registers of this processor; before, fathom assumes those of any x86-64. Context: start. */
void fathom_vectors_init(void);

#endif
