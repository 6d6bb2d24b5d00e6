/* Files: at an offset, by pointers, collective, not blocking, in two halves; the argument is a name for them. */
#include <mpi.h>
#include <stdio.h>
static double out[100], in[100];

int main(int argc, char **argv)
{
	MPI_File file;
	MPI_Request request[2];
	MPI_Offset base;
	int me;
	char own[100];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	base = 1000 * (MPI_Offset)me;
	MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, base, out, 10, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_write_at_all(file, base, out, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_read_at(file, base + 700, in, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_iwrite_at(file, base, out, 20, MPI_DOUBLE, &request[0]);
	MPI_File_iread_at(file, base + 500, in, 21, MPI_DOUBLE, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_File_iwrite_at_all(file, base, out, 2, MPI_DOUBLE, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_File_write_at_all_begin(file, base, out, 30, MPI_DOUBLE);
	MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE);
	MPI_File_set_view(file, base, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
	MPI_File_write(file, out, 5, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_write(file, out, 6, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 2, MPI_SEEK_SET);
	MPI_File_seek(file, 1, MPI_SEEK_CUR);
	MPI_File_read_all(file, in, 7, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_iread(file, in, 8, MPI_DOUBLE, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	snprintf(own, sizeof(own), "%s.%d", argv[1], me);
	MPI_File_open(MPI_COMM_SELF, own, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
		      &file);
	MPI_File_write_shared(file, out, 9, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		MPI_File_delete(argv[1], MPI_INFO_NULL);
	MPI_Finalize();
	return 0;
}
