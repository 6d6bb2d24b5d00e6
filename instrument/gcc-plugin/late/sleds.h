/*
 * sleds: late hooks, which do not change the code around them.
 *
 * -finstrument-functions inserts its hooks early, and all later parts of the compiler have to take them into account:
 * the arguments of the hooks, and registers that must keep their values across the calls. A sled is inserted when the
 * instructions of a function are final: one call at the entry, and one before each return and each tail call that must
 * stay a jump. The called code keeps every register except the flags, so the code around the sleds does not change.
 *
 *	.Lfathom7:	call __fathom_sled_enter	first instruction, but for endbr64
 *			...
 *			call __fathom_sled_exit
 *			ret
 *			nopl d(%rax)			never executed; d = .Lfathom7 - this nopl
 *			...
 *			call __fathom_sled_tail
 *			nopl d(%rax)			before a jump, and before a return that is longer than `ret'
 *			jmp another_function
 *
 * __fathom_sled_* are small functions, one of each kind in every program or library. They jump to fathom_sled_* of
 * libfathom-compiler, or return if the program runs without it. wrappers/compiler/patch/sleds.h describes this form,
 * too.
 *
 * To be included after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_SLEDS_H
#define FATHOM_PLUGIN_SLEDS_H

#ifndef FATHOM_WITHOUT_LATE_HOOKS

/* Registers the compiler pass, which does nothing until a function is marked. Called by plugin_init. */
void fathom_sleds_init(const char *plugin_name);

/* Returns why no function of this file can have sleds, or NULL. To be called when all options are final. */
const char *fathom_sleds_why_no_file(void);

/* Returns why this function cannot have sleds but only early hooks, or NULL. */
const char *fathom_sleds_why_not(tree function);

/* Returns why this function cannot be marked, or NULL. It can have sleds if fathom_sleds_why_not allows it. */
const char *fathom_sleds_why_no_mark(tree function);

/*
 * Marks the function, so that it gets sleds instead of early hooks, and each call of it is measured. From now on GCC
 * neither clones nor inlines it; and its tail calls become calls (tail_calls.h), so that the functions that it calls
 * are below it in the call tree. (Functions that have sleds without being marked: compiled_functions.h.)
 */
void fathom_sleds_mark(tree function);

/* Returns whether the function is marked. */
bool fathom_sleds_has(tree function);

#else

/* configure --without-late-hooks: all functions have early hooks. */
static inline void fathom_sleds_init(const char *)
{
}

static inline const char *fathom_sleds_why_no_file(void)
{
	return "built without late hooks";
}

static inline const char *fathom_sleds_why_not(tree)
{
	return fathom_sleds_why_no_file();
}

static inline const char *fathom_sleds_why_no_mark(tree)
{
	return fathom_sleds_why_no_file();
}

static inline void fathom_sleds_mark(tree)
{
}

#endif

#endif
