/*
 * sleds: hooks that leave the code around them as it is.
 *
 * -finstrument-functions makes a program slower even where its hooks do nothing: arguments are made ready, registers
 * saved, and no call is a jump any more. So the GCC plugin puts calls of its own into functions that are finished
 * (instrument/gcc-plugin), which keep every register:
 *
 *	first instruction		call __fathom_sled_enter
 *	each return			call __fathom_sled_exit
 *					ret
 *					nopl disp32(%rax)
 *	before each jump to another	call __fathom_sled_tail
 *	function, or another return	nopl disp32(%rax)
 *
 * disp32 leads from the nopl to the function's first sled, whose address stands for the function. Each file has the
 * three functions that are called, hidden, as COMDAT: jumps to those below through the global offset table, or returns
 * where there is no libfathom-compiler. To take a sled out is to change its first byte (patch_table.h). The idea is
 * XRay's: D. Berris et al., "XRay: A Function Call Tracing System", 2016.
 *
 * The stack pointer is the same at all sleds of a call of a function: it points to the return address.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_SLEDS_H
#define FATHOM_WRAPPERS_COMPILER_SLEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

/* What the calls end up in. They keep all registers but the flags. Not to be called from C. */
FATHOM_API void fathom_sled_enter(void);
FATHOM_API void fathom_sled_exit(void);
FATHOM_API void fathom_sled_tail(void);

/* Whom they call, in hooks.c: sled is the function's first, here where the stack pointer was before that was called.
 * The first two keep vector registers if fathom_event_keeps_vectors says so, the others do
 * in any case. */
FATHOM_HIDDEN void fathom_hook_sled_enter(const uint8_t *sled, uintptr_t here);
FATHOM_HIDDEN void fathom_hook_sled_exit(const uint8_t *sled, uintptr_t here);
FATHOM_HIDDEN void fathom_hook_sled_enter_kept(const uint8_t *sled, uintptr_t here);
FATHOM_HIDDEN void fathom_hook_sled_exit_kept(const uint8_t *sled, uintptr_t here);

/* Where the code goes on behind the sled: the address that the call of it left. */
static inline const uint8_t *fathom_sled_from(uintptr_t here)
{
	return ((const uint8_t *const *)here)[-1];
}

/*
 * What sleds cost is measured by the two parts of a function that stands for all: its enter and its end, to be called
 * from the same place in turn, as if it were called there. The address that stands for it; NULL: there are no sleds
 * here, and the two do nothing.
 */
FATHOM_HIDDEN void fathom_sled_stand_in_enter(void);
FATHOM_HIDDEN void fathom_sled_stand_in_leave(void);
const void *fathom_sled_stand_in(void);

/* Bytes of the call, what stands behind it at most where a function ends, and what may stand before the first. */
enum { FATHOM_SLED_CALL = 5, FATHOM_SLED_END = 8, FATHOM_SLED_ENDBR = 4 };

/* The first sled of the function that ends with a sled behind which the code goes on at from; NULL: that is none. */
static inline const uint8_t *fathom_sled_first(const uint8_t *from)
{
	int32_t distance;

	if (from[0] == 0xc3)
		from++;
	if (from[0] != 0x0f || from[1] != 0x1f || from[2] != 0x80)
		return NULL;
	__builtin_memcpy(&distance, from + 3, sizeof(distance));
	return from + distance;
}

/* Where a function begins whose address is that: its own, or its first sled's, which may stand behind an endbr64. */
const void *fathom_sled_function(const void *address);

/* It is known what this run does; false: nothing is measured. Context: start. */
void fathom_sleds_start(bool measures);

#endif
