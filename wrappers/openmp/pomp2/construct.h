/*
 * construct: what a handle of the instrumented program points to.
 *
 * Each construct in the source has a handle, a pointer that is NULL at first. The first call for it brings
 * the text that describes it, and the handle is made to point to its regions. A header's construct has a
 * handle in every object that includes it; all of them point to the same.
 */
#ifndef FATHOM_POMP2_CONSTRUCT_H
#define FATHOM_POMP2_CONSTRUCT_H

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

/* NULL where the construct has no such part: its events are dropped. */
struct fathom_construct {
	const struct fathom_region *parallel;
	const struct fathom_region *management;	/* fork and join */
	const struct fathom_region *own;	/* the loop, the critical with its waiting, the creation of the task */
	const struct fathom_region *block;	/* a section, what is inside single or critical, the task's body */
	const struct fathom_region *barrier;	/* the implicit one at its end */
	const void *lock;			/* of critical: the same for all of that name */
};

/* Has no part. */
extern const struct fathom_construct fathom_construct_none FATHOM_HIDDEN;

#define FATHOM_TERMINATED SIZE_MAX	/* as length: text ends with a NUL */

/*
 * The construct of a handle that is still NULL; sets it, unless nothing is measured now. A text that cannot be
 * read is said once, and its handle points to none. Never NULL. Context: birth. Takes a lock, in which the
 * region lock nests.
 */
FATHOM_COLD const struct fathom_construct *fathom_construct_birth(void **handle, const char *text, size_t length);

/* Context: hook. Pairs with the release in fathom_construct_birth; no lock. */
static inline const struct fathom_construct *fathom_construct_met(void **handle)
{
	const struct fathom_construct *construct = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	/* Called first when measurement has just begun, or there is none. */
	return likely(construct) ? construct : &fathom_construct_none;
}

/* For the first call of a construct, from C, and from Fortran, where the text has a length but no end. */
static inline const struct fathom_construct *fathom_construct_meet(void **handle, const char *text)
{
	const struct fathom_construct *construct = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	return likely(construct) ? construct : fathom_construct_birth(handle, text, FATHOM_TERMINATED);
}

static inline const struct fathom_construct *fathom_construct_meet_fortran(void **handle, const char *text,
									   size_t length)
{
	const struct fathom_construct *construct = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	return likely(construct) ? construct : fathom_construct_birth(handle, text, length);
}

#endif
