/*
 * construct: the regions of an OpenMP construct, to which the construct's handle in the instrumented program points.
 *
 * Each construct in a source has a handle, a pointer that is NULL at first. The first call for the construct passes the
 * text that describes it (description.h), and sets the handle. A construct in a header has a handle in each object that
 * includes the header; all of them point to the same record.
 */
#ifndef FATHOM_POMP2_CONSTRUCT_H
#define FATHOM_POMP2_CONSTRUCT_H

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

/* A region is NULL where the construct has no such part: then its events are dropped. */
struct fathom_construct {
	const struct fathom_region *parallel;
	const struct fathom_region *management;	/* fork and join */
	const struct fathom_region *own;	/* the loop, the critical with its waiting, the creation of the task */
	const struct fathom_region *block;	/* a section, the block of single or critical, the task's body */
	const struct fathom_region *barrier;	/* the implicit barrier at its end */
	const void *lock;			/* of critical: equal for all critical constructs of one name */
};

/* A construct without any part. */
extern const struct fathom_construct fathom_construct_none FATHOM_HIDDEN;

#define FATHOM_TERMINATED SIZE_MAX	/* as length: text ends with a NUL */

/*
 * Makes the construct of a handle that is NULL, and sets the handle, unless nothing is measured now. A text that cannot
 * be read is reported once, and its handle points to fathom_construct_none. Never NULL. Context: birth. Takes the lock
 * of constructs, in which the region lock nests.
 */
FATHOM_COLD const struct fathom_construct *fathom_construct_birth(void **handle, const char *text, size_t length);

/* Returns the construct of a handle whose text came with an earlier call. Pairs with the release in
 * fathom_construct_birth. Context: hook. */
static inline const struct fathom_construct *fathom_construct_met(void **handle)
{
	const struct fathom_construct *construct = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	/* NULL: the earlier call came before the measurement began, or nothing is measured. */
	return likely(construct) ? construct : &fathom_construct_none;
}

/* Returns the construct of a handle in a call from C, which passes its text. Context: hook; the first call: birth. */
static inline const struct fathom_construct *fathom_construct_meet(void **handle, const char *text)
{
	const struct fathom_construct *construct = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	return likely(construct) ? construct : fathom_construct_birth(handle, text, FATHOM_TERMINATED);
}

/* As fathom_construct_meet, for a Fortran text, which has a length and no NUL. Context: hook; the first call:
 * birth. */
static inline const struct fathom_construct *fathom_construct_meet_fortran(void **handle, const char *text,
									   size_t length)
{
	const struct fathom_construct *construct = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	return likely(construct) ? construct : fathom_construct_birth(handle, text, length);
}

#endif
