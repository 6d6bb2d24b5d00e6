#!/bin/sh
# fathom score against the trace of an MPI run, for each rank.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
need_mpi
need_otf2
. "$srcdir/test/tools/score_lib.sh"
cat > ring.c <<'P'
#include <mpi.h>
static volatile double x;
static __attribute__((noinline)) void tiny(double a) { x = a; }
static void exchange(double *a, double *b, int n, int rank, int size)
{
	MPI_Request requests[2];
	MPI_Irecv(b, n, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(a, n, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
	static double a[1000], b[1000];
	MPI_Request persistent, request;
	MPI_Comm copy, part;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Recv_init(b, 1, MPI_INT, rank ^ 1, 9, copy, &persistent);
	for (int i = 0; i < 200; i++) {
		for (int k = 0; k < 5 * rank; k++)
			tiny(k);
		exchange(a, b, i % 500 + 1, rank, size);
		MPI_Start(&persistent);
		MPI_Send(a, 1, MPI_INT, rank ^ 1, 9, copy);
		MPI_Wait(&persistent, MPI_STATUS_IGNORE);
		MPI_Sendrecv(a, 10, MPI_DOUBLE, rank ^ 1, 1, b, 10, MPI_DOUBLE, rank ^ 1, 1, copy, MPI_STATUS_IGNORE);
		MPI_Allreduce(MPI_IN_PLACE, a, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		MPI_Bcast(a, 1000, MPI_DOUBLE, 0, copy);
		MPI_Ibarrier(copy, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		if (i % 10 == 0) {
			MPI_Comm_split(copy, rank % 2, 0, &part);
			MPI_Barrier(part);
			MPI_Comm_free(&part);
		}
	}
	MPI_Request_free(&persistent);
	MPI_Comm_free(&copy);
	MPI_Finalize();
	return 0;
}
P
"$FATHOM" "$MPICC" -g -O1 ring.c -o ring || die "cannot build ring.c"
measure ring "$MPIRUN" -n 4 ./ring
predicted ring
"$builddir/fathom-score" ring.run > out || bad "no score"
fits "processes" 80 out
contains "the processes are listed" "$(cat out)" '^ +3 +[0-9.]+ kB'
# One-sided communication and files.
cat > halo.c <<'P'
#include <mpi.h>
int main(int argc, char **argv)
{
	static double a[1000], b[1000];
	MPI_Win win, other;
	MPI_File file;
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Win_create(b, sizeof(b), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_create(b, sizeof(b), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
	MPI_Win_fence(0, win);
	for (int i = 0; i < 200; i++) {
		MPI_Put(a, 100, MPI_DOUBLE, (rank + 1) % size, 0, 100, MPI_DOUBLE, win);
		MPI_Get(a, 100, MPI_DOUBLE, (rank + size - 1) % size, 0, 100, MPI_DOUBLE, win);
		MPI_Win_fence(0, win);
	}
	for (int i = 0; i < 100; i++) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, other);
		MPI_Accumulate(a, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, MPI_SUM, other);
		MPI_Win_unlock(0, other);
	}
	MPI_Win_free(&win);
	MPI_Win_free(&other);
	MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	for (int i = 0; i < 200; i++) {
		MPI_File_write_at(file, (rank * 200 + i) * 8000, a, 1000, MPI_DOUBLE, MPI_STATUS_IGNORE);
		MPI_File_read_at(file, (rank * 200 + i) * 8000, b, 10, MPI_DOUBLE, MPI_STATUS_IGNORE);
	}
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
P
"$FATHOM" "$MPICC" -g -O1 halo.c -o halo || die "cannot build halo.c"
measure halo "$MPIRUN" -n 3 ./halo data
predicted halo

# Every kind of one-sided communication and of message. (trace_io.c has each operation once, at places in the file that
# a profile cannot know: too little for a prediction.)
for name in trace_rma trace_p2p; do
	"$FATHOM" "$MPICC" -g -O1 -w "$srcdir/test/run/$name.c" -o $name || die "cannot build $name.c"
	measure $name "$MPIRUN" -n 3 ./$name
	predicted $name
done
verdict
