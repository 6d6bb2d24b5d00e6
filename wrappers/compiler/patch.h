/*
 * patch: the hook calls for a function are taken out of running code, and put back.
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
 * A byte is written in one piece: a thread that is about to execute the instruction finds the old one or the new one,
 * and both are whole, whatever their alignment. So nobody needs to be stopped, no breakpoint is set, and no signal of
 * the program's is taken. (A thread that blocks SIGTRAP would die of a breakpoint.) The tests only read what is there
 * and change the flags, which nobody keeps across a call. Arguments are still made ready. Where a hook is called in
 * another way (by a jump that depends on something, through a register) its call stays.
 *
 * Boundaries of instructions are Zydis's word; where a function ends says its entry in .eh_frame, which is there for
 * exceptions. What cannot be read to its end is left alone.
 *
 * The code is written through /proc/self/mem, so that it is never writable for anybody else; where that is refused, by
 * making the page writable for a moment; where that is refused too, nothing is patched.
 *
 * libfathom-patch, which needs Zydis, has all this; hooks.c loads it. One thread at a time.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_PATCH_H
#define FATHOM_WRAPPERS_COMPILER_PATCH_H

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

	/* Put back what is out. Context: birth. */
	void (*restore)(const void *function);

	/* Code that is not loaded any more is forgotten, as it is. Context: birth. */
	void (*forget)(int (*is_loaded)(const void *address));
};

#define FATHOM_PATCH_ENTRY "fathom_patch_table"
#define FATHOM_PATCH_LIBRARY "libfathom-patch.so.0"
FATHOM_API extern const struct fathom_patch_table fathom_patch_table;

#endif
