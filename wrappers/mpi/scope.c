/*
 * scope: regions of MPI calls are made at their first use; switches, locks, memory.
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
bool fathom_mpi_testing;
bool fathom_mpi_concurrent;

/* At first all calls have the undefined region. */
const struct fathom_region *fathom_mpi_regions[FATHOM_MPI_CALLS] = {
	[0 ... FATHOM_MPI_CALLS - 1] = &fathom_mpi_undefined,
};

/* Constructors of other libraries may call MPI before libfathom has read its settings: Open MPI's C++ library does.
 * Those calls are nobody's, and nothing must be concluded from them. */
static bool can_start;

__attribute__((constructor(102))) static void wake(void)
{
	can_start = true;
}

/*
 * A child of fork measures nothing, and another thread may have held a lock. A daemon goes on with the measurement: its
 * parent had no other thread. The core's own handler, which decides that, has run before.
 */
static void stop_in_child(void)
{
	if (fathom_runtime_measures())
		return;
	fathom_mpi_tracking = false;
	fathom_mpi_tracing = false;
}

static void start(void)
{
	fathom_mpi_real_load();
	fathom_mpi_tracking = fathom_runtime_measures();
	fathom_mpi_tracing = fathom_mpi_tracking && fathom_event_traces();
	fathom_mpi_testing = fathom_mpi_tracing && fathom_runtime_settings()->trace_tests;
	pthread_atfork(NULL, NULL, stop_in_child);
}

static bool communicates(enum fathom_role role)
{
	return (role >= FATHOM_ROLE_COLL_ONE2ALL && role <= FATHOM_ROLE_COLL_OTHER) ||
	       role == FATHOM_ROLE_POINT2POINT || role == FATHOM_ROLE_RMA;
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
	/* Left out by a filter: as if its group were off. Records of it, outside of a region of MPI, would
	 * mislead who reads a trace, which says instead that it has not all. */
	if (region && fathom_region_is_disabled(region)) {
		if (communicates(region->role))
			fathom_event_incomplete();
		region = NULL;
	}
	/* Pairs with the load in fathom_mpi_enter: what start() set up is seen with it. */
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
	/* The holder may have lost its processor: after 100 looks give ours away. */
	for (int looks = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); looks++) {
		if (looks >= 100)
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
