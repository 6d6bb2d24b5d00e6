/*
 * patch_table: the hook calls for a function are taken out of running code, and put back.
 *
 * One byte of each call changes, and no instruction's length does but that of one that ends the function:
 *
 *	call hook		e8 ..		becomes		test $.., %eax		a9 ..
 *	call *slot(%rip)	ff 15 ..	becomes		test %edx, slot(%rip)	85 15 ..
 *	jmp hook		e9 ..		becomes		ret			c3
 *	jmp *slot(%rip)		ff 25 ..	becomes		ret			c3
 *
 * A sled (sleds.h) is a call of the first kind, and all that it leaves is the test.
 *
 * A byte is written in one piece: whatever a processor has fetched of the instruction before, it decodes the old
 * one or the new one; both are whole, of one length, with the same bytes behind the first, whatever their alignment.
 * After a change, every processor that runs a thread of the process executes a serializing instruction (membarrier):
 * from then on nobody executes the old instruction.
 *
 * Intel's manual asks for more (volume 3, "Handling Self- and Cross-Modifying Code"): a processor executes a
 * serializing instruction before it reaches the new one. No store achieves that by itself, however small or aligned
 * it is. Threads would have to be stopped, or trapped: a breakpoint as the first byte, serialization, the new byte,
 * serialization, and a handler that lets those threads go on which met the breakpoint. That is not done, because it
 * harms programs:
 *  - a thread that meets a breakpoint while it blocks SIGTRAP ends the program; the kernel asks no handler then.
 *    Threads that block all signals are common, and breakpoints are met, for the functions that are switched off are
 *    those that are called most. (Tried with one thread in a loop of calls: 0 to 135 of 2000 changes were met, and
 *    with signals blocked the process ended. A change takes 4 us, with a breakpoint 5.)
 *  - a debugger stops at each one, and the program's own handler of SIGTRAP would have to be kept from them.
 * What remains is the risk that Intel's errata name for changes without synchronization: a processor that executes
 * neither the old nor the new instruction. Who cannot take it sets FATHOM_PATCH=off, and all hooks stay.
 *
 * The tests only read what is there and change the flags, which nobody keeps across a call. Arguments are still made
 * ready. Where a hook is called in another way (by a jump that depends on something, through a register) its call
 * stays.
 *
 * Boundaries of instructions are Zydis's word; where a function ends says its entry in .eh_frame, which is there for
 * exceptions. What cannot be read to its end is left alone.
 *
 * The code is written through /proc/self/mem, so that it is never writable for anybody else; where that is refused, by
 * making the page writable for a moment; where that is refused too, nothing is patched.
 *
 * libfathom-patch, which needs Zydis, has all this; hooks.c loads it. One thread at a time.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_PATCH_TABLE_H
#define FATHOM_WRAPPERS_COMPILER_PATCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

/* Which calls of a function. */
enum fathom_patch_parts {
	FATHOM_PATCH_ENTERS = 1,
	FATHOM_PATCH_EXITS = 2,
	FATHOM_PATCH_BOTH = 3,
	FATHOM_PATCH_SLED_ENTERS = 4	/* enters, if they are sleds (sleds.h) */
};

struct fathom_patch_hooks {
	const void *enter, *exit;	/* the code that the calls end up in */
	const void *sled_enter, *sled_exit, *sled_tail;	/* the same of sleds, see sleds.h; NULL: there are none */
};

/* What the library shows under the name FATHOM_PATCH_ENTRY. */
struct fathom_patch_table {
	/*
	 * Take these calls for function out: those in the code that from is in, its own or that of one it was inlined
	 * into, and all that were found elsewhere in reading that. Whether a call is of a hook is not known before the
	 * dynamic linker has looked that up, at the first call from the program or library: then ask again.
	 * Returns how many calls of the kind are out now, or -errno: -ENOENT where the code that from is in ends is
	 * not known; -EILSEQ it cannot be read (what is known of elsewhere is out all the same); -EACCES code cannot
	 * be changed in this process. Context: birth.
	 */
	int (*out)(const void *function, const void *from, const struct fathom_patch_hooks *hooks,
		   enum fathom_patch_parts parts);

	/* Puts back what is out: exits first, so that an enter that is recorded has its exit. 0, or -EACCES: the system
	 * did not let all of it be changed, and the rest is out still; it can be tried again. Context: birth. */
	int (*restore)(const void *function);

	/* Code that is not loaded any more is forgotten, as it is. Context: birth. */
	void (*forget)(int (*is_loaded)(const void *address));
};

#define FATHOM_PATCH_ENTRY "fathom_patch_table"
#define FATHOM_PATCH_LIBRARY "libfathom-patch.so.0"
FATHOM_API extern const struct fathom_patch_table fathom_patch_table;

#endif
