/*
 * scope: defines the regions of MPI calls at their first use; state, locks and memory of the wrappers.
 */
#include "mpi/scope.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>

#include "define/region.h"
#include "run/runtime.h"

FATHOM_TLS struct fathom_mpi_thread fathom_mpi_self;
const struct fathom_region fathom_mpi_undefined;
bool fathom_mpi_tracking;
bool fathom_mpi_tracing;
bool fathom_mpi_knowing_comms;
bool fathom_mpi_testing;
bool fathom_mpi_concurrent;

/* At first all calls have the undefined region. */
const struct fathom_region *fathom_mpi_regions[FATHOM_MPI_CALLS] = {
	[0 ... FATHOM_MPI_CALLS - 1] = &fathom_mpi_undefined,
};

bool fathom_mpi_is_matched[FATHOM_MPI_CALLS];

/* Constructors of other libraries may call MPI before libfathom has read its settings: Open MPI's C++ library does.
 * Such calls are not recorded, and the wrappers do not start before the constructor. */
static bool can_start;

__attribute__((constructor(102))) static void allow_start(void)
{
	can_start = true;
}

/*
 * Stops tracking in a child of fork: the child measures nothing, and a thread of the parent may have held a lock at the
 * fork. A daemon continues the measurement, because its parent had no other thread. The core's handler, which decides
 * this, has run before.
 */
static void stop_in_child(void)
{
	if (fathom_runtime_measures())
		return;
	fathom_mpi_tracking = false;
	fathom_mpi_tracing = false;
	fathom_mpi_knowing_comms = false;
}

static void start(void)
{
	fathom_mpi_real_load();
	fathom_mpi_tracking = fathom_runtime_measures();
	fathom_mpi_tracing = fathom_mpi_tracking && fathom_event_traces();
	fathom_mpi_knowing_comms = fathom_mpi_tracking && fathom_event_knows_comms();
	fathom_mpi_testing = fathom_mpi_tracing && fathom_runtime_settings()->trace_tests;
	pthread_atfork(NULL, NULL, stop_in_child);
}

static bool communicates(enum fathom_role role)
{
	return (role >= FATHOM_ROLE_COLL_ONE2ALL && role <= FATHOM_ROLE_COLL_OTHER) ||
	       role == FATHOM_ROLE_POINT2POINT || role == FATHOM_ROLE_RMA;
}

/* Returns whether the recorded calls of other processes may match what an unrecorded call does. They do not where the
 * setting FATHOM_MPI excludes all messages and collective operations: the setting is the same in all processes. A
 * filter may be for some of them. */
static bool is_matched(const struct fathom_mpi_call_facts *facts)
{
	const uint64_t matching = FATHOM_MPI_GROUP_P2P | FATHOM_MPI_GROUP_COLL;

	return fathom_runtime_measures() && fathom_runtime_settings()->waits &&
	       (fathom_runtime_settings()->mpi & matching) &&
	       (facts->group & (matching | FATHOM_MPI_GROUP_REQUEST | FATHOM_MPI_GROUP_COMM));
}

FATHOM_COLD const struct fathom_region *fathom_mpi_region_birth(enum fathom_mpi_call call)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct fathom_mpi_call_facts *facts = &fathom_mpi_call_facts[call];
	const struct fathom_region *region = NULL;
	int saved = errno;

	if (!can_start) {
		fathom_mpi_real_load();
		errno = saved;
		return NULL;
	}
	pthread_once(&once, start);
	if (fathom_runtime_measures() && (fathom_runtime_settings()->mpi & facts->group))
		region = fathom_region_define(&(struct fathom_region){
			.name = facts->name,
			.file = "MPI",
			.paradigm = FATHOM_PARADIGM_MPI,
			.role = facts->role,
			.activity = (uint8_t)facts->activity,
		});
	/* A call that a filter excludes is treated as one whose group is disabled. Records of its messages outside of
	 * an MPI region would mislead readers of a trace; instead the trace is marked as incomplete. */
	if (region && fathom_region_is_disabled(region)) {
		if (communicates(region->role))
			fathom_event_incomplete();
		region = NULL;
	}
	if (!region)
		__atomic_store_n(&fathom_mpi_is_matched[call], is_matched(facts), __ATOMIC_RELAXED);
	/* Pairs with the load in fathom_mpi_enter: a thread that sees the region also sees what start() has set up. */
	__atomic_store_n(&fathom_mpi_regions[call], region, __ATOMIC_RELEASE);
	errno = saved;
	return region;
}

void fathom_mpi_failed(struct fathom_mpi_scope scope)
{
	if (scope.region)
		fathom_event_incomplete();
}

FATHOM_COLD void fathom_mpi_lock_slow(int *lock)
{
	/* The thread that holds the lock may not be running: after 100 attempts this thread yields its processor. */
	for (int attempts = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); attempts++) {
		if (attempts >= 100)
			sched_yield();
	}
}

void *fathom_mpi_pages(size_t bytes)
{
	int saved = errno;
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	errno = saved;
	return pages == MAP_FAILED ? NULL : pages;
}
