/*
 * patch_table: takes hook calls for a function out of running code, and puts them back.
 *
 * One byte of each call changes. The length of the instruction stays the same, except where it ends the function:
 *
 *	call hook		e8 ..		becomes		test $.., %eax		a9 ..
 *	call *slot(%rip)	ff 15 ..	becomes		test %edx, slot(%rip)	85 15 ..
 *	jmp hook		e9 ..		becomes		ret			c3
 *	jmp *slot(%rip)		ff 25 ..	becomes		ret			c3
 *
 * A sled (sleds.h) is a call of the first kind, so a disabled sled costs one test instruction. A sled that is followed
 * by a return instruction becomes the return, and costs nothing:
 *
 *	call sled; ret		e8 .. c3	becomes		ret			c3
 *
 * One store writes the byte. Whatever part of the instruction a processor has fetched before, it decodes the old
 * instruction or the new one: both are complete, differ only in the first byte, and have the same length unless the new
 * one is a return, after which no byte is executed. After a
 * change, every processor that runs a thread of the process executes a serializing instruction (membarrier); from then
 * on no processor executes the old instruction.
 *
 * Intel's manual asks for more (volume 3, "Handling Self- and Cross-Modifying Code"): a processor must execute a
 * serializing instruction before it reaches the new instruction. No store achieves that, however small or aligned it
 * is. The threads would have to be stopped or trapped: a breakpoint as the first byte, serialization, the new byte,
 * serialization, and a handler that continues the threads that reached the breakpoint. fathom does not do this, because
 * it harms programs:
 *  - A thread that reaches a breakpoint while it blocks SIGTRAP ends the program: then the kernel calls no handler.
 *    Threads that block all signals are common, and threads do reach the breakpoints, because disabled functions are
 *    those that are called most. (Measured with one thread in a loop of calls: it reached the breakpoint in 0 to 135 of
 *    2000 changes, and with signals blocked the process ended. A change takes 4 us, with a breakpoint 5 us.)
 *  - A debugger would stop at each breakpoint, and the program's own handler of SIGTRAP must not see them.
 * What remains is the risk that Intel's errata name for changes without synchronization: a processor may execute
 * neither the old nor the new instruction. A user who cannot accept this sets FATHOM_PATCH=off; then all hooks stay.
 *
 * The test instructions only read, and change only the flags, which no code keeps across a call. The code still
 * prepares the arguments of the call. A call of another form (a conditional jump, a call through a register) stays.
 *
 * Zydis finds the boundaries of instructions. The entry of a function in .eh_frame, which exists for exceptions, says
 * where the function ends. Code that cannot be decoded to its end is not patched.
 *
 * code_writing.h says how the code is written. If the system refuses all ways, nothing is patched.
 *
 * The library libfathom-patch, which needs Zydis, has this code; patching.c loads it. One thread at a time may call it.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_PATCH_TABLE_H
#define FATHOM_WRAPPERS_COMPILER_PATCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

/* Which hook calls of a function are meant. */
enum fathom_patch_parts {
	FATHOM_PATCH_ENTERS = 1,
	FATHOM_PATCH_EXITS = 2,
	FATHOM_PATCH_BOTH = 3,
	FATHOM_PATCH_SLED_ENTERS = 4	/* enters, if they are sleds (sleds.h) */
};

struct fathom_patch_hooks {
	const void *enter, *exit;	/* addresses of the early hooks */
	const void *sled_enter, *sled_exit, *sled_tail;	/* addresses of the late hooks, see sleds.h; NULL: none */
};

/* The functions of the library, under the name FATHOM_PATCH_ENTRY. */
struct fathom_patch_table {
	/*
	 * Takes these calls for function out: in the code that contains from (the function's own code, or that of a
	 * function that it was inlined into), and in all code that was read before. A call through a slot is known as a
	 * call of a hook only after the dynamic linker has resolved the slot, at the first such call of the program or
	 * library: then out has to be called again. Returns how many calls of these parts are out now, or -errno.
	 * -ENOENT: the end of the code that contains from is not known. -EILSEQ: the code cannot be decoded (known
	 * calls in other code are out nevertheless). -EACCES: the system does not let this process change code.
	 * Context: birth.
	 */
	int (*out)(const void *function, const void *from, const struct fathom_patch_hooks *hooks,
		   enum fathom_patch_parts parts);

	/* Puts back all calls for function that are out: exits first, so that each recorded enter has its exit. Returns
	 * 0, or -EACCES: the system did not let all calls be changed, and some are still out; the caller may try again.
	 * Context: birth. */
	int (*restore)(const void *function);

	/* Forgets the code for which is_loaded returns 0, without changing it. Context: birth. */
	void (*forget)(int (*is_loaded)(const void *address));
};

#define FATHOM_PATCH_ENTRY "fathom_patch_table"
#define FATHOM_PATCH_LIBRARY "libfathom-patch.so.0"
FATHOM_API extern const struct fathom_patch_table fathom_patch_table;

#endif
