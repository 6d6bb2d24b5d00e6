/*
 * scope: one call of a function of files, from its enter to its exit.
 *
 * A call is recorded if the program or one of its libraries makes it. It is only passed on if fathom makes it or a
 * library of MPI, if the calling thread is inside an MPI call, if the thread records nothing yet (threads of runtime
 * systems never do; the initial thread may begin with such a call), and before this library has started.
 *
 * All regions are defined at the start, so that a call in a signal handler takes no lock.
 */
#ifndef FATHOM_WRAPPERS_IO_SCOPE_H
#define FATHOM_WRAPPERS_IO_SCOPE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"
#include "event/event.h"
#include "io/calls.h"
#include "io/handles.h"
#include "platform/compiler.h"

struct fathom_io_facts {
	const char *name;
	const char *region;		/* name of the region; several calls may have the same */
	enum fathom_role role;
	enum fathom_activity activity;
};

/* Generated from calls.txt. */
extern FATHOM_HIDDEN const struct fathom_io_facts fathom_io_facts[FATHOM_IO_CALLS];
extern FATHOM_HIDDEN struct fathom_io_real fathom_io_real;

/* By call: its region; NULL: it is not recorded. */
extern FATHOM_HIDDEN const struct fathom_region *fathom_io_regions[FATHOM_IO_CALLS];

/* True once fathom_io_real is filled in. */
extern FATHOM_HIDDEN bool fathom_io_is_ready;

/* Fills in fathom_io_real. Keeps errno. Context: birth. */
void fathom_io_find(void);

/* Returns whether a call that returns to caller is recorded on the calling thread. Context: hook. */
bool fathom_io_is_of_program(const void *caller);

/* Returns whether open has a third parameter. Context: hook. */
static inline bool fathom_io_creates(int flags)
{
	return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

/* Enters the region of a call that returns to caller. False: the call is not recorded. Always inlined, so that the
 * stack address of the enter is that of the wrapper. Context: hook; before the start: birth. */
__attribute__((always_inline)) static inline bool fathom_io_enter(enum fathom_io_call call, const void *caller)
{
	if (unlikely(!fathom_io_is_ready))
		fathom_io_find();
	if (!fathom_io_regions[call] || !fathom_io_is_of_program(caller))
		return false;
	fathom_event_enter(fathom_io_regions[call]);
	return true;
}

/* Exits the region of a call that has read or written that many bytes. Keeps errno. Context: hook. */
__attribute__((always_inline)) static inline void fathom_io_exit(enum fathom_io_call call, uint64_t bytes)
{
	int saved = errno;

	if (bytes && fathom_io_facts[call].activity == FATHOM_ACTIVITY_IO_READ)
		fathom_event_io(bytes, 0);
	else if (bytes)
		fathom_event_io(0, bytes);
	fathom_event_exit(fathom_io_regions[call]);
	errno = saved;
}

#endif
