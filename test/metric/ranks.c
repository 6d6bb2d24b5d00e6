#include <mpi.h>

#include "touch.h"

int main(int count, char **words)
{
	int rank;

	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	touch(100 * (rank + 1));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
