#include "define/activity.h"

#include <string.h>

#define NONE (-1)
#define UNDER(parent) FATHOM_ACTIVITY_##parent

const struct fathom_activity_info fathom_activity_table[FATHOM_ACTIVITY_COUNT] = {
	[FATHOM_ACTIVITY_EXECUTION] = { "execution", "Execution", NONE,
		"Time in the program and in the libraries that it calls: all of the time but the measurement's own" },
	[FATHOM_ACTIVITY_COMPUTATION] = { "comp", "Computation", UNDER(EXECUTION),
		"Time in the program's own functions, and in libraries that are not listed otherwise" },
	[FATHOM_ACTIVITY_IO] = { "io_time", "File I/O", UNDER(COMPUTATION),
		"Time in calls that use files, outside of MPI" },
	[FATHOM_ACTIVITY_IO_META] = { "io_meta_time", "Open, close, seek", UNDER(IO),
		"Time in calls that open, close, seek in or remove files" },
	[FATHOM_ACTIVITY_IO_READ] = { "io_reading_time", "Reading", UNDER(IO),
		"Time in calls that read from files" },
	[FATHOM_ACTIVITY_IO_WRITE] = { "io_writing_time", "Writing", UNDER(IO),
		"Time in calls that write to files" },
	[FATHOM_ACTIVITY_LIBWRAP] = { "libwrap_time", "Wrapped libraries", UNDER(COMPUTATION),
		"Time in calls of libraries that the user had wrapped" },
	[FATHOM_ACTIVITY_MPI] = { "mpi", "MPI", UNDER(EXECUTION),
		"Time in MPI calls" },
	[FATHOM_ACTIVITY_MPI_MANAGEMENT] = { "mpi_management", "Management", UNDER(MPI),
		"Time in MPI calls that set up or free communicators, windows, files and the like" },
	[FATHOM_ACTIVITY_MPI_INIT_EXIT] = { "mpi_init_exit", "Init and finalize", UNDER(MPI_MANAGEMENT),
		"Time in MPI_Init, MPI_Finalize and their relatives" },
	[FATHOM_ACTIVITY_MPI_COMM] = { "mpi_mgmt_comm", "Communicators", UNDER(MPI_MANAGEMENT),
		"Time in MPI calls that make or free communicators and groups" },
	[FATHOM_ACTIVITY_MPI_FILE] = { "mpi_mgmt_file", "File management", UNDER(MPI_MANAGEMENT),
		"Time in MPI calls that open, close or set up files" },
	[FATHOM_ACTIVITY_MPI_WIN] = { "mpi_mgmt_win", "Window management", UNDER(MPI_MANAGEMENT),
		"Time in MPI calls that make or free windows" },
	[FATHOM_ACTIVITY_MPI_SYNC] = { "mpi_synchronization", "Synchronization", UNDER(MPI),
		"Time in MPI calls that only synchronize" },
	[FATHOM_ACTIVITY_MPI_BARRIER] = { "mpi_sync_collective", "Barrier", UNDER(MPI_SYNC),
		"Time in MPI barriers" },
	[FATHOM_ACTIVITY_MPI_RMA_SYNC] = { "mpi_rma_synchronization", "One-sided sync", UNDER(MPI_SYNC),
		"Time in MPI calls that synchronize one-sided communication" },
	[FATHOM_ACTIVITY_MPI_RMA_ACTIVE] = { "mpi_rma_sync_active", "One-sided sync, active", UNDER(MPI_RMA_SYNC),
		"Time in calls for which the target takes part: fences, and start, post, complete, wait" },
	[FATHOM_ACTIVITY_MPI_RMA_PASSIVE] = { "mpi_rma_sync_passive", "One-sided sync, passive", UNDER(MPI_RMA_SYNC),
		"Time in calls for which the target does not take part: locks and flushes of windows" },
	[FATHOM_ACTIVITY_MPI_COMMUNICATION] = { "mpi_communication", "Communication", UNDER(MPI),
		"Time in MPI calls that move data between processes" },
	[FATHOM_ACTIVITY_MPI_P2P] = { "mpi_point2point", "Point-to-point", UNDER(MPI_COMMUNICATION),
		"Time in MPI calls that send or receive messages between two processes" },
	[FATHOM_ACTIVITY_MPI_COLLECTIVE] = { "mpi_collective", "Collective", UNDER(MPI_COMMUNICATION),
		"Time in collective MPI calls that move data" },
	[FATHOM_ACTIVITY_MPI_RMA] = { "mpi_rma_communication", "One-sided", UNDER(MPI_COMMUNICATION),
		"Time in one-sided MPI calls that move data: put, get, accumulate" },
	[FATHOM_ACTIVITY_MPI_IO] = { "mpi_io", "File access", UNDER(MPI),
		"Time in MPI calls that read or write files" },
	[FATHOM_ACTIVITY_MPI_IO_INDIVIDUAL] = { "mpi_io_individual", "File access, individual", UNDER(MPI_IO),
		"Time in MPI calls by which each process reads or writes a file on its own" },
	[FATHOM_ACTIVITY_MPI_IO_COLLECTIVE] = { "mpi_io_collective", "File access, collective", UNDER(MPI_IO),
		"Time in MPI calls by which processes read or write a file together" },
	[FATHOM_ACTIVITY_MPI_REQUEST] = { "mpi_request_handling", "Requests", UNDER(MPI),
		"Time in MPI calls that start, complete or free requests" },
	[FATHOM_ACTIVITY_MPI_REQUEST_START] = { "mpi_request_start", "Start requests", UNDER(MPI_REQUEST),
		"Time in MPI calls that start persistent requests" },
	[FATHOM_ACTIVITY_MPI_REQUEST_COMPLETION] = { "mpi_request_completion", "Wait and test", UNDER(MPI_REQUEST),
		"Time in MPI calls that wait for requests or test them" },
	[FATHOM_ACTIVITY_SHMEM] = { "shmem_time", "SHMEM", UNDER(EXECUTION),
		"Time in OpenSHMEM calls" },
	[FATHOM_ACTIVITY_OMP] = { "omp_time", "OpenMP", UNDER(EXECUTION),
		"Time in OpenMP constructs and calls that is not the program's own work" },
	[FATHOM_ACTIVITY_OMP_MANAGEMENT] = { "omp_management", "Management", UNDER(OMP),
		"Time in which OpenMP starts and ends teams, and makes tasks" },
	[FATHOM_ACTIVITY_OMP_SYNC] = { "omp_synchronization", "Synchronization", UNDER(OMP),
		"Time in OpenMP constructs in which threads wait for each other" },
	[FATHOM_ACTIVITY_OMP_BARRIER] = { "omp_barrier", "Barrier", UNDER(OMP_SYNC),
		"Time in OpenMP barriers" },
	[FATHOM_ACTIVITY_OMP_EXPLICIT_BARRIER] = { "omp_ebarrier", "Explicit barrier", UNDER(OMP_BARRIER),
		"Time in barriers that the source asks for" },
	[FATHOM_ACTIVITY_OMP_IMPLICIT_BARRIER] = { "omp_ibarrier", "Implicit barrier", UNDER(OMP_BARRIER),
		"Time in barriers at the end of OpenMP constructs" },
	[FATHOM_ACTIVITY_OMP_CRITICAL] = { "omp_critical", "Critical and atomic", UNDER(OMP_SYNC),
		"Time in which threads wait for critical and atomic constructs" },
	[FATHOM_ACTIVITY_OMP_LOCK] = { "omp_lock_api", "Locks", UNDER(OMP_SYNC),
		"Time in OpenMP lock routines" },
	[FATHOM_ACTIVITY_OMP_ORDERED] = { "omp_ordered", "Ordered", UNDER(OMP_SYNC),
		"Time in which threads wait for their turn in ordered constructs" },
	[FATHOM_ACTIVITY_OMP_TASKWAIT] = { "omp_taskwait", "Task wait", UNDER(OMP_SYNC),
		"Time in which threads wait for tasks: taskwait, taskgroup" },
	[FATHOM_ACTIVITY_OMP_FLUSH] = { "omp_flush", "Flush", UNDER(OMP),
		"Time in flush constructs" },
	[FATHOM_ACTIVITY_PTHREAD] = { "pthread_time", "Threads", UNDER(EXECUTION),
		"Time in calls of the thread library" },
	[FATHOM_ACTIVITY_PTHREAD_MANAGEMENT] = { "pthread_management", "Create and join", UNDER(PTHREAD),
		"Time in calls that create, join or detach threads" },
	[FATHOM_ACTIVITY_PTHREAD_SYNC] = { "pthread_synchronization", "Synchronization", UNDER(PTHREAD),
		"Time in thread calls that synchronize" },
	[FATHOM_ACTIVITY_PTHREAD_MUTEX] = { "pthread_lock_api", "Mutex", UNDER(PTHREAD_SYNC),
		"Time in calls that lock or unlock a mutex" },
	[FATHOM_ACTIVITY_PTHREAD_CONDITION] = { "pthread_conditional", "Condition", UNDER(PTHREAD_SYNC),
		"Time in calls of condition variables, mostly waiting" },
	[FATHOM_ACTIVITY_PTHREAD_RWLOCK] = { "pthread_rwlock", "Read-write lock", UNDER(PTHREAD_SYNC),
		"Time in calls of read-write locks" },
	[FATHOM_ACTIVITY_PTHREAD_SPIN] = { "pthread_spin", "Spin lock", UNDER(PTHREAD_SYNC),
		"Time in calls of spin locks" },
	[FATHOM_ACTIVITY_PTHREAD_BARRIER] = { "pthread_barrier", "Thread barrier", UNDER(PTHREAD_SYNC),
		"Time in barriers of the thread library" },
	[FATHOM_ACTIVITY_PTHREAD_ONCE] = { "pthread_once", "Once", UNDER(PTHREAD_SYNC),
		"Time in pthread_once and call_once" },
	[FATHOM_ACTIVITY_OPENACC] = { "openacc_time", "OpenACC", UNDER(EXECUTION),
		"Time in OpenACC constructs and calls" },
	[FATHOM_ACTIVITY_OPENCL] = { "opencl_time", "OpenCL", UNDER(EXECUTION),
		"Time in OpenCL calls" },
	[FATHOM_ACTIVITY_CUDA] = { "cuda_time", "CUDA", UNDER(EXECUTION),
		"Time in CUDA calls" },
	[FATHOM_ACTIVITY_HIP] = { "hip_time", "HIP", UNDER(EXECUTION),
		"Time in HIP calls" },
	[FATHOM_ACTIVITY_OVERHEAD] = { "overhead", "Measurement overhead", NONE,
		"Time in regions of the measurement system itself" },
};

static enum fathom_activity mpi_activity(enum fathom_role role)
{
	switch (role) {
	case FATHOM_ROLE_BARRIER:
		return FATHOM_ACTIVITY_MPI_BARRIER;
	case FATHOM_ROLE_POINT2POINT:
		return FATHOM_ACTIVITY_MPI_P2P;
	case FATHOM_ROLE_RMA:
	case FATHOM_ROLE_ATOMIC:
		return FATHOM_ACTIVITY_MPI_RMA;
	case FATHOM_ROLE_COLL_ONE2ALL:
	case FATHOM_ROLE_COLL_ALL2ONE:
	case FATHOM_ROLE_COLL_ALL2ALL:
	case FATHOM_ROLE_COLL_OTHER:
		return FATHOM_ACTIVITY_MPI_COLLECTIVE;
	default:
		return FATHOM_ACTIVITY_MPI;
	}
}

static enum fathom_activity openmp_activity(enum fathom_role role)
{
	switch (role) {
	case FATHOM_ROLE_BARRIER:
		return FATHOM_ACTIVITY_OMP_EXPLICIT_BARRIER;
	case FATHOM_ROLE_IMPLICIT_BARRIER:
		return FATHOM_ACTIVITY_OMP_IMPLICIT_BARRIER;
	case FATHOM_ROLE_ATOMIC:
	case FATHOM_ROLE_CRITICAL:
		return FATHOM_ACTIVITY_OMP_CRITICAL;
	case FATHOM_ROLE_ORDERED:
		return FATHOM_ACTIVITY_OMP_ORDERED;
	case FATHOM_ROLE_TASK_WAIT:
		return FATHOM_ACTIVITY_OMP_TASKWAIT;
	case FATHOM_ROLE_FLUSH:
		return FATHOM_ACTIVITY_OMP_FLUSH;
	case FATHOM_ROLE_LOCK:
		return FATHOM_ACTIVITY_OMP_LOCK;
	case FATHOM_ROLE_TASK_CREATE:
	case FATHOM_ROLE_SINGLE:	/* the block of a single construct is another region */
	case FATHOM_ROLE_ARTIFICIAL:	/* fork and join */
		return FATHOM_ACTIVITY_OMP_MANAGEMENT;
	default:			/* parallel, loop, task, ...: code of the program */
		return FATHOM_ACTIVITY_COMPUTATION;
	}
}

static enum fathom_activity pthread_activity(enum fathom_role role)
{
	switch (role) {
	case FATHOM_ROLE_THREAD_CREATE:
	case FATHOM_ROLE_THREAD_WAIT:
		return FATHOM_ACTIVITY_PTHREAD_MANAGEMENT;
	case FATHOM_ROLE_BARRIER:
		return FATHOM_ACTIVITY_PTHREAD_BARRIER;
	default:			/* the function that a thread runs: code of the program */
		return FATHOM_ACTIVITY_COMPUTATION;
	}
}

enum fathom_activity fathom_activity_of_role(enum fathom_paradigm paradigm, enum fathom_role role)
{
	switch (paradigm) {
	case FATHOM_PARADIGM_MPI:
		return mpi_activity(role);
	case FATHOM_PARADIGM_OPENMP:
		return openmp_activity(role);
	case FATHOM_PARADIGM_PTHREAD:
		return pthread_activity(role);
	case FATHOM_PARADIGM_IO:
		return role == FATHOM_ROLE_FILE_IO_METADATA ? FATHOM_ACTIVITY_IO_META : FATHOM_ACTIVITY_IO;
	default:
		return FATHOM_ACTIVITY_COMPUTATION;
	}
}

enum fathom_activity fathom_activity_by_metric(const char *metric)
{
	for (int a = 0; a < FATHOM_ACTIVITY_COUNT; a++)
		if (strcmp(fathom_activity_table[a].metric, metric) == 0)
			return (enum fathom_activity)a;
	return FATHOM_ACTIVITY_NONE;
}

bool fathom_activity_within(enum fathom_activity activity, enum fathom_activity outer)
{
	int at = (int)activity;

	while (at >= 0 && at != (int)outer)
		at = fathom_activity_table[at].parent;
	return at >= 0;
}
