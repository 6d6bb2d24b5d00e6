/*
 * thread: threads that the program creates.
 *
 * A thread nobody announced gets a location with its first event, and hangs under the program itself.
 * One that was announced hangs under the call path that created it.
 */
#ifndef FATHOM_EVENT_THREAD_H
#define FATHOM_EVENT_THREAD_H

#include <stdint.h>

#include "platform/compiler.h"

struct fathom_location;
struct fathom_region;

/* Where a thread comes from: filled in by the creator, read by the new thread. */
struct fathom_origin {
	struct fathom_location *creator;	/* NULL: the creator recorded nothing */
	struct fathom_node *node;		/* the substrate's: the creator's call path */
	uint64_t number;			/* of the threads that the process created, from 1 */
	int is_paused;				/* the creator is, see pause.h: so is the thread */
};

/* The calling thread is about to create one: note its call path. Context: hook. */
FATHOM_API void fathom_event_thread_create(struct fathom_origin *origin);

/*
 * The calling thread was created at origin and begins: it is in region until its end. Called before any
 * other event of the thread. Context: birth.
 */
FATHOM_API void fathom_event_thread_begin(const struct fathom_origin *origin, const struct fathom_region *region);

/* The calling thread ends: so do its regions. Its location stays; by FATHOM_THREAD_REUSE a later thread may
 * get it. Not called: noticed when the thread-specific data go. Context: hook. */
FATHOM_API void fathom_event_thread_end(void);

/* The calling thread, whose location is self, ends: ends its regions. May be called more than once. Context: birth. */
void fathom_thread_end(struct fathom_location *self);

/* The calling thread has waited for the end of the one with that number (in its origin; 0: not known), inside the
 * region of the call. Context: hook. */
FATHOM_API void fathom_event_thread_wait(uint64_t number);

/*
 * The calling thread belongs to a runtime system (OpenMP, MPI): nothing it does is recorded, except while it
 * is in a team. Called before any other event of the thread. Context: birth.
 */
FATHOM_API void fathom_event_thread_ignore(void);

#endif
