/*
 * sleds: late hooks, which do not change the code around them.
 *
 * -finstrument-functions makes a program slower even if its hooks do nothing: the program prepares arguments and saves
 * registers, and the compiler can no longer turn calls into jumps. So the GCC plugin (instrument/gcc-plugin) puts calls
 * of its own into the finished code of functions, and the called code keeps every register:
 *
 *	first instruction		call __fathom_sled_enter
 *	each return			call __fathom_sled_exit
 *					ret
 *					nopl disp32(%rax)
 *	before each jump to another	call __fathom_sled_tail
 *	function, or another return	nopl disp32(%rax)
 *
 * disp32 is the distance from the nopl to the function's first sled, whose address identifies the function. Each object
 * file has the three called functions, hidden and as COMDAT: they jump to the functions below through the global offset
 * table, or return if there is no libfathom-compiler. A sled is taken out by changing its first byte (patch_table.h).
 * The idea comes from XRay: D. Berris et al., "XRay: A Function Call Tracing System", 2016.
 *
 * The stack pointer is the same at all sleds of one visit of a function: it points to the return address.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_SLEDS_H
#define FATHOM_WRAPPERS_COMPILER_SLEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "platform/compiler.h"

#ifndef FATHOM_WITHOUT_LATE_HOOKS

/* The code of sleds. The three functions keep all registers except the flags, and cannot be called from C. Context of
 * the three: hook. */
FATHOM_API void fathom_sled_enter(void);
FATHOM_API void fathom_sled_exit(void);
FATHOM_API void fathom_sled_tail(void);

/*
 * The functions of hooks.c that the code of sleds calls. sled: the function's first sled. here: the stack pointer
 * before the sled was called. The first two keep vector registers if fathom_event_keeps_vectors returns true, the
 * others always do. Context of all of them: hook.
 */
FATHOM_HIDDEN void fathom_hook_sled_enter(const uint8_t *sled, uintptr_t here);
FATHOM_HIDDEN void fathom_hook_sled_exit(const uint8_t *sled, uintptr_t here);
FATHOM_HIDDEN void fathom_hook_sled_enter_kept(const uint8_t *sled, uintptr_t here);
FATHOM_HIDDEN void fathom_hook_sled_exit_kept(const uint8_t *sled, uintptr_t here);

/* Returns the address at which the code continues after the sled: the return address that the call has pushed. Context:
 * hook. */
static inline const uint8_t *fathom_sled_from(uintptr_t here)
{
	return ((const uint8_t *const *)here)[-1];
}

/*
 * The two halves of a function with sleds, with which fathom measures the own cost of sleds: the enter and the exit.
 * They are to be called alternately from the same place. They do nothing on processors without sleds. Context of both:
 * hook.
 */
FATHOM_HIDDEN void fathom_sled_stand_in_enter(void);
FATHOM_HIDDEN void fathom_sled_stand_in_leave(void);

/* Returns the address that identifies this function; NULL: there are no sleds on this processor. Context: birth. */
const void *fathom_sled_stand_in(void);

/* Sizes in bytes: of the call; at most of the bytes that follow it at an end of a function; of the instruction that may
 * precede the first sled. */
enum { FATHOM_SLED_CALL = 5, FATHOM_SLED_END = 8, FATHOM_SLED_ENDBR = 4 };

/* Returns the first sled of a function, given where the code continues after a sled at an end of this function; NULL:
 * there is no such sled. Context: birth. */
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

/* Returns where a function begins. address: its begin, or its first sled, which may follow an endbr64. Context:
 * birth. */
const void *fathom_sled_function(const void *address);

/* Makes sleds work or, if nothing is measured, return at once. Before this call sleds keep vector registers.
 * Context: start. */
void fathom_sleds_start(bool measures);

#else

/* configure --without-late-hooks. Sleds in objects of another build do nothing, because they find no libfathom-compiler
 * with these functions. */
static inline void fathom_sled_stand_in_enter(void)
{
}

static inline void fathom_sled_stand_in_leave(void)
{
}

static inline const void *fathom_sled_stand_in(void)
{
	return NULL;
}

static inline const void *fathom_sled_function(const void *address)
{
	return address;
}

static inline void fathom_sleds_start(bool measures)
{
	(void)measures;
}

#endif

#endif
