/*
 * scope: one MPI call, from its enter to its exit.
 *
 * Each wrapper begins and ends with these. A call is recorded where its group is switched on
 * (FATHOM_MPI) and no other MPI call is active on the thread: MPI calls itself now and then,
 * and user functions that MPI calls (reductions, attribute copies, error handlers) call it
 * too; that time belongs to the outer call. Whether recorded or not, requests and
 * communicators are followed, or later calls would be misjudged.
 */
#ifndef FATHOM_MPI_SCOPE_H
#define FATHOM_MPI_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "mpi/mpi_library.h"
#include "mpi/calls.h"	/* generated: enum fathom_mpi_call, its facts */

struct fathom_mpi_communicator;

struct fathom_mpi_scope {
	const struct fathom_region *region;	/* NULL: the call is not recorded */
	uintptr_t outer;	/* what outermost was before */
};

/* What a thread knows. Only its own thread looks at it. */
struct fathom_mpi_thread {
	uintptr_t outermost;	/* frame of the outermost active wrapper; 0: outside MPI */

	/* The communicator used last; right as long as epoch is the table's. */
	uint64_t comm_key;
	struct fathom_mpi_communicator *comm;
	uint64_t comm_epoch;
};

extern FATHOM_TLS struct fathom_mpi_thread fathom_mpi_self;

/* By call: its region, NULL where its group is off, the undefined region before its first use. A call's
 * region goes from undefined to its value once; racing threads find the same value. */
extern const struct fathom_region *fathom_mpi_regions[FATHOM_MPI_CALLS];
extern const struct fathom_region fathom_mpi_undefined;

/* False: FATHOM_MODE=none or a forked child; wrappers only pass calls through. */
extern bool fathom_mpi_tracking;

/* What happens is written down event by event, too. */
extern bool fathom_mpi_tracing;

/* Tests of requests that are not complete are written down, too. */
extern bool fathom_mpi_testing;

/* Several threads may call MPI at the same time: tables need their locks. */
extern bool fathom_mpi_concurrent;

/* First use of a call. Returns its region or NULL. Context: birth. */
const struct fathom_region *fathom_mpi_region_birth(enum fathom_mpi_call call);

/*
 * Context: hook. Always inlined: the frame address is the wrapper's. Where an error handler
 * left MPI by longjmp or an exception, outermost is stale; a frame that does not lie below it
 * on the stack shows that.
 */
__attribute__((always_inline)) static inline struct fathom_mpi_scope fathom_mpi_enter(enum fathom_mpi_call call)
{
	struct fathom_mpi_thread *self = &fathom_mpi_self;
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	struct fathom_mpi_scope scope = { __atomic_load_n(&fathom_mpi_regions[call], __ATOMIC_ACQUIRE), 0 };

	if (unlikely(scope.region == &fathom_mpi_undefined))
		scope.region = fathom_mpi_region_birth(call);

	if (unlikely(self->outermost > frame)) {
		scope.region = NULL;
		scope.outer = self->outermost;
		return scope;
	}

	self->outermost = frame;
	if (likely(scope.region))
		fathom_event_enter(scope.region);
	return scope;
}

static inline void fathom_mpi_exit(struct fathom_mpi_scope scope)
{
	if (likely(scope.region))
		fathom_event_exit(scope.region);
	fathom_mpi_self.outermost = scope.outer;
}

/* What a call that failed did all the same, nobody knows: a message may be gone, or be on its way. */
FATHOM_COLD void fathom_mpi_failed(struct fathom_mpi_scope scope);

/* The call succeeded, and what it did is to be recorded. */
static inline bool fathom_mpi_records(struct fathom_mpi_scope scope, int err)
{
	if (unlikely(err != MPI_SUCCESS))
		fathom_mpi_failed(scope);
	return likely(scope.region && err == MPI_SUCCESS);
}

/* A handle as a key of our tables, whether it is a number or a pointer. */
#define FATHOM_MPI_KEY(handle) ((uint64_t)(uintptr_t)(handle))

/* Fibonacci hashing: handles differ in their low bits, the best bits come out on top. */
static inline uint64_t fathom_mpi_hash(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

/* A lock held for a few instructions, and not at all where only one thread calls MPI. */
void fathom_mpi_lock_slow(int *lock);

static inline void fathom_mpi_lock(int *lock)
{
	if (unlikely(fathom_mpi_concurrent) && unlikely(__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)))
		fathom_mpi_lock_slow(lock);
}

static inline void fathom_mpi_unlock(int *lock)
{
	if (unlikely(fathom_mpi_concurrent))
		__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* Zeroed memory from the system, never from the program's malloc. NULL: there is none. */
void *fathom_mpi_pages(size_t bytes);

#endif
