#include "mpi/request_wait.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

/* How often a request is tested before the process sleeps. Two ranks that wait for each other's messages in turn would
 * both sleep for each message: the message of a rank that has just woken up comes when the other one sleeps again.
 * Where messages are timed, a rank therefore looks for longer than the other one sleeps at first, 100 microseconds or
 * so. */
enum { TESTS = 10, TIMED_TESTS = 500 };

int fathom_mpi_comm_wait(MPI_Request *request, bool is_timed)
{
	struct timespec pause = { 0, 20000 };	/* on a busy machine, a good part of a time slice */
	int done = 0;

	for (int tests = 0;; tests++) {
		if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return -EIO;
		if (done)
			return 0;
		if (tests < (is_timed ? TIMED_TESTS : TESTS)) {
			sched_yield();
			continue;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 1000000)
			pause.tv_nsec += pause.tv_nsec / 2;
	}
}
