/*
 * lock_call: the runtime's lock functions, called for the program inside a region of their own.
 *
 * The program's calls were rewritten to ours, so these must always reach the real ones, measured or not.
 */
#ifndef FATHOM_POMP2_LOCK_CALL_H
#define FATHOM_POMP2_LOCK_CALL_H

#include "define/region.h"
#include "platform/compiler.h"

struct fathom_lock_call {
	const char *name;			/* as people write it; C and Fortran share a region */
	const char *symbol;			/* as the runtime's library shows it */
	enum fathom_role role;
	void (*real)(void);			/* NULL: not looked for yet, or not there */
	const struct fathom_region *region;	/* NULL: not defined yet */
};

/*
 * In a static program the real functions are linked. Else they are looked up, for two reasons: a shared library
 * that is linked without the runtime's at hand refers to names without versions, and so would get libgomp's lock
 * functions from before OpenMP 3, which have other locks; and where these are all that a program uses of
 * OpenMP, the linker may have left the runtime out (--as-needed), because all that is called is us.
 */
#ifdef PIC
#define FATHOM_LOCK_CALL(shown, linked, kind) { .name = shown, .symbol = #linked, .role = FATHOM_ROLE_##kind }
#else
#define FATHOM_LOCK_CALL(shown, linked, kind) \
	{ .name = shown, .symbol = #linked, .role = FATHOM_ROLE_##kind, .real = (void (*)(void))linked }
#endif

/* The real function. NULL: the runtime has none (which may be for those with a hint). Context: birth. */
FATHOM_COLD void (*fathom_lock_call_find(struct fathom_lock_call *call))(void);

/* The same; there must be one: without it the program cannot go on. Context: birth. */
FATHOM_COLD void (*fathom_lock_call_need(struct fathom_lock_call *call))(void);

/* Begin and end the region, if anything is measured. Context: hook; the first: birth. */
void fathom_lock_call_enter(struct fathom_lock_call *call);
void fathom_lock_call_exit(struct fathom_lock_call *call);

static inline void (*fathom_lock_call_real(struct fathom_lock_call *call))(void)
{
	void (*real)(void) = __atomic_load_n(&call->real, __ATOMIC_RELAXED);

	return likely(real) ? real : fathom_lock_call_need(call);
}

/* Functions that take the lock alone. */
static inline void fathom_lock_call(struct fathom_lock_call *call, void *lock)
{
	void (*real)(void *) = (void (*)(void *))fathom_lock_call_real(call);

	fathom_lock_call_enter(call);
	real(lock);
	fathom_lock_call_exit(call);
}

static inline int fathom_lock_call_test(struct fathom_lock_call *call, void *lock)
{
	int (*real)(void *) = (int (*)(void *))fathom_lock_call_real(call);
	int result;

	fathom_lock_call_enter(call);
	result = real(lock);
	fathom_lock_call_exit(call);
	return result;
}

#endif
