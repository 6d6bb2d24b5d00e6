/*
 * A sender waits until the receiver is ready, because the message is too large to be kept meanwhile.
 * run: 2 ranks, trace
 * first: kind=late receiver, place=digest, ranks=1, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static char data[4 << 20];

static void digest(void) { spend(0.4); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Send(data, sizeof(data), MPI_BYTE, 1, 1, MPI_COMM_WORLD);
	} else if (rank == 1) {
		digest();
		MPI_Recv(data, sizeof(data), MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
