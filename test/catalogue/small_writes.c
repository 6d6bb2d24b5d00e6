/*
 * A file is written in very many small pieces.
 * run: 2 ranks, profile
 * first: kind=file access, place=MPI_File_write_at
 */
#include <mpi.h>
#include "catalogue.h"

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	char name[] = "small_writes.data";
	double value = 1;
	MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &file);
	for (int i = 0; i < 60000; i++)
		MPI_File_write_at(file, ((MPI_Offset)i * 2 + rank) * 8, &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Finalize();
	return size < 1;
}
