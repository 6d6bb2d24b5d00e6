/*
 * 100,000 communicators made and freed, and as many requests given up: memory must not grow.
 */
#include "standin.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pages that are ours alone, in KiB: heap, mapped tables. */
static long private_kib(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long kib = -1, part;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Private_Dirty: %ld", &part) == 1)
			kib = part;
	}
	if (file)
		fclose(file);
	return kib;
}

static void churn(int times)
{
	MPI_Comm comm;
	MPI_Request request, persistent;
	int out = 1, in;

	for (int i = 0; i < times; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &comm);
		MPI_Irecv(&in, 1, MPI_INT, 0, 0, comm, &request);
		MPI_Send(&out, 1, MPI_INT, 0, 0, comm);
		MPI_Send_init(&out, 1, MPI_INT, 0, 0, comm, &persistent);
		MPI_Comm_free(&comm);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Request_free(&persistent);
		MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
		MPI_Request_free(&request);
	}
}

int main(void)
{
	long before, after;

	MPI_Init(NULL, NULL);
	churn(10000);
	before = private_kib();
	churn(100000);
	after = private_kib();
#ifdef __SANITIZE_ADDRESS__
	after = before;	/* freed memory of MPI is kept aside */
#endif
	if (before >= 0 && after > before + 512) {
		fprintf(stderr, "churn: %ld KiB before, %ld KiB after 100,000 communicators\n", before, after);
		CHECK(after <= before + 512);
	}
	CHECK_EQUAL(standin_open_requests(), 0);
	MPI_Finalize();
	return standin_verdict("churn", 0);
}
