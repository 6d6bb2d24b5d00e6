#include "mpi/request_wait.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

int fathom_mpi_comm_wait(MPI_Request *request)
{
	struct timespec pause = { 0, 20000 };	/* on a busy machine, a good part of a time slice */
	int done = 0;

	for (int tests = 0;; tests++) {
		if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return -EIO;
		if (done)
			return 0;
		if (tests < 10) {
			sched_yield();
			continue;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 1000000)
			pause.tv_nsec += pause.tv_nsec / 2;
	}
}
