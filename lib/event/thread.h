/*
 * thread: threads that the program creates.
 *
 * If a wrapper reports the creation of a thread, the regions of the thread appear below the call path of the
 * creation. Any other thread gets a location at its first event, with a call tree of its own.
 */
#ifndef FATHOM_EVENT_THREAD_H
#define FATHOM_EVENT_THREAD_H

#include <stdint.h>

#include "platform/compiler.h"

struct fathom_location;
struct fathom_region;

/* The creation of a thread. The creator fills this in, and the new thread reads it. */
struct fathom_origin {
	struct fathom_location *creator;	/* NULL: the creator recorded nothing */
	struct fathom_node *node;		/* the creator's call path, as the substrate knows it */
	uint64_t number;			/* number of the thread among those that the process created, from 1 */
	int is_paused;				/* the creator is paused (pause.h); then the new thread is, too */
};

/* The calling thread is about to create a thread: notes its call path in origin. Context: hook. */
FATHOM_API void fathom_event_thread_create(struct fathom_origin *origin);

/*
 * The calling thread was created at origin and begins; it is in region until it ends. Called before any other event
 * of the thread. Context: birth.
 */
FATHOM_API void fathom_event_thread_begin(const struct fathom_origin *origin, const struct fathom_region *region);

/* The calling thread ends; this ends its regions. Its location remains; with FATHOM_THREAD_REUSE a later thread may
 * take it over. If this is not called, the core notices the end when the thread-specific data are destroyed. Context:
 * hook. */
FATHOM_API void fathom_event_thread_end(void);

/* The calling thread, whose location is self, ends: ends its regions. May be called more than once. Context: birth. */
void fathom_thread_end(struct fathom_location *self);

/* The calling thread has waited for the end of another thread, inside the region of the call. number: the one in the
 * origin of the other thread; 0: not known. Context: hook. */
FATHOM_API void fathom_event_thread_wait(uint64_t number);

/*
 * The calling thread belongs to a runtime system (OpenMP, MPI): it records nothing, except while it is in a team.
 * Called before any other event of the thread. Context: birth.
 */
FATHOM_API void fathom_event_thread_ignore(void);

#endif
