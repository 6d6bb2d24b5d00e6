/*
 * sleds: hooks that leave the code around them as it is.
 *
 * What -finstrument-functions puts in early, the whole compiler works around: arguments of the
 * hooks, registers that must outlive them. A sled is put in when a function's instructions are
 * final: one call at the entry, one before each return and each tail call that must be one.
 * The called keep every register but the flags, so nothing around has to change.
 *
 *	.Lfathom7:	call __fathom_sled_enter	first instruction, but for endbr64
 *			...
 *			call __fathom_sled_exit
 *			ret
 *			nopl d(%rax)			never executed; d = .Lfathom7 - this nopl: whose exit it is
 *			...
 *			call __fathom_sled_tail
 *			nopl d(%rax)			in front of a jump, and of what is longer than `ret'
 *			jmp another_function
 *
 * __fathom_sled_* are little functions, one of each kind in every program or library, which go
 * on to fathom_sled_* of the measurement, or return where there is none. wrappers/compiler/patch/sleds.h
 * has this form as well.
 *
 * Only read after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_SLEDS_H
#define FATHOM_PLUGIN_SLEDS_H

/* Make the pass known to GCC, which does nothing until a function is marked. From plugin_init. */
void fathom_sleds_init(const char *plugin_name);

/* Why no function of this file can have sleds, or NULL. To be asked when all options are settled. */
const char *fathom_sleds_why_no_file(void);

/* Why this function must have hooks of the usual kind, or NULL. */
const char *fathom_sleds_why_not(tree function);

/*
 * Give the function sleds in place of the usual hooks. It is not copied any more, neither under another name nor into
 * its callers, and its tail calls become calls (tail_calls.h): each of its visits is seen, and what it calls is below
 * it.
 */
void fathom_sleds_mark(tree function);

/* Whether that was done. */
bool fathom_sleds_has(tree function);

#endif
