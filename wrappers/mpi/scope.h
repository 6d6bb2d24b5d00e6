/*
 * scope: one MPI call, from its enter to its exit.
 *
 * Each wrapper begins with fathom_mpi_enter and ends with fathom_mpi_exit or a function that calls it. A call is
 * recorded where its group is enabled (FATHOM_MPI) and no other MPI call is active on the thread. MPI libraries call
 * their own functions now and then, and functions of the program that MPI calls (reductions, attribute copies, error
 * handlers) call MPI, too; that time belongs to the outermost call. Requests and communicators are followed also in
 * calls that are not recorded, because later calls depend on them.
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
	uintptr_t outer;	/* the value of fathom_mpi_thread.outermost before this call */
};

/* The state of one thread. Only this thread uses it. */
struct fathom_mpi_thread {
	uintptr_t outermost;	/* frame address of the outermost active wrapper; 0: the thread is not inside MPI */

	/* The communicator that the thread used last. Valid while comm_epoch is fathom_mpi_communicator_epoch. */
	uint64_t comm_key;
	struct fathom_mpi_communicator *comm;
	uint64_t comm_epoch;
};

extern FATHOM_TLS struct fathom_mpi_thread fathom_mpi_self;

/* By call: its region; NULL where the call is not recorded; &fathom_mpi_undefined before the first use of the call. The
 * value changes once, from undefined to its final value, which is the same in all threads that race for it. */
extern const struct fathom_region *fathom_mpi_regions[FATHOM_MPI_CALLS];

/* By call: true if the call is not recorded, but begins or ends messages or collective operations, or starts or
 * completes requests. Set before the call's region is. */
extern bool fathom_mpi_is_matched[FATHOM_MPI_CALLS];
extern const struct fathom_region fathom_mpi_undefined;

/* False with FATHOM_MODE=none and in a forked child: the wrappers only pass the calls on. */
extern bool fathom_mpi_tracking;

/* True if a trace is written. */
extern bool fathom_mpi_tracing;

/* True if the members of communicators are recorded: for a trace, or for the search for wait states. */
extern bool fathom_mpi_knowing_comms;

/* True if a trace also has records of tests of requests that are not complete. */
extern bool fathom_mpi_testing;

/* True if several threads may call MPI at the same time (MPI_THREAD_MULTIPLE). Only then the locks of tables are
 * taken. */
extern bool fathom_mpi_concurrent;

/* Defines the region of a call at its first use. Returns the region, or NULL where the call is not recorded. Context:
 * birth. */
const struct fathom_region *fathom_mpi_region_birth(enum fathom_mpi_call call);

/*
 * Begins a call. Always inlined, so that the frame address is that of the wrapper. Where an error handler left MPI by
 * longjmp or an exception, outermost is out of date; this is seen by a frame that does not lie below it on the stack.
 * Context: hook; a call's first use: birth.
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
	else if (fathom_mpi_is_matched[call])
		scope.region = fathom_event_enter_unrecorded();
	return scope;
}

/* Ends a call. Context: hook. */
static inline void fathom_mpi_exit(struct fathom_mpi_scope scope)
{
	if (likely(scope.region))
		fathom_event_exit_operation(scope.region);
	fathom_mpi_self.outermost = scope.outer;
}

/* Notes that a call failed. Its effects are unknown (a message may have been sent), so the trace may be incomplete.
 * Context: hook. */
FATHOM_COLD void fathom_mpi_failed(struct fathom_mpi_scope scope);

/* Returns whether the effects of the call are to be recorded: the call is recorded and has succeeded. Context: hook. */
static inline bool fathom_mpi_records(struct fathom_mpi_scope scope, int err)
{
	if (unlikely(err != MPI_SUCCESS))
		fathom_mpi_failed(scope);
	return likely(scope.region && err == MPI_SUCCESS);
}

/* A handle as a key of the tables of requests, communicators, ...: handles are numbers in one MPI and pointers in
 * another. */
#define FATHOM_MPI_KEY(handle) ((uint64_t)(uintptr_t)(handle))

/* Fibonacci hashing: keys differ in their low bits, the upper bits of the result are the best. Context: hook. */
static inline uint64_t fathom_mpi_hash(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

/* Combines two numbers into one hash, which is never 0. Context: hook. */
static inline uint64_t fathom_mpi_mix(uint64_t a, uint64_t b)
{
	uint64_t sum = (a ^ a >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + b * UINT64_C(0x9e3779b97f4a7c15);

	sum = (sum ^ sum >> 32) * UINT64_C(0x94d049bb133111eb);
	return sum | 1;
}

/* Waits until the lock is free and takes it. Context: hook. */
void fathom_mpi_lock_slow(int *lock);

/* Takes a lock that is held for a few instructions, and not at all where only one thread calls MPI.
 * Context: hook. */
static inline void fathom_mpi_lock(int *lock)
{
	if (unlikely(fathom_mpi_concurrent) && unlikely(__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)))
		fathom_mpi_lock_slow(lock);
}

/* Releases a lock taken by fathom_mpi_lock. Context: hook. */
static inline void fathom_mpi_unlock(int *lock)
{
	if (unlikely(fathom_mpi_concurrent))
		__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* Returns zeroed pages from the system, never memory of the program's malloc. NULL: no memory. Context: birth. */
void *fathom_mpi_pages(size_t bytes);

#endif
