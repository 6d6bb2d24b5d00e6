#!/bin/bash
# An MPI program: one profile of all ranks, with bytes, messages and the classes of time.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi

cat > prog.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static volatile long sink;
static void compute(int n) { for (int i = 0; i < n; i++) sink++; }
static void ring(int rank, int size)
{
	char out[100] = { 0 }, in[100];
	MPI_Request request;
	MPI_Irecv(in, 100, MPI_CHAR, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &request);
	MPI_Send(out, 100, MPI_CHAR, (rank + 1) % size, 7, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void only_on_odd(void) { compute(10); }
int main(int argc, char **argv)
{
	int rank, size;
	double one = 1, sum;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 5; i++) ring(rank, size);
	compute(1000 * (rank + 1));
	if (rank % 2) only_on_odd();
	MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) printf("%g\n", sum);
	MPI_Finalize();
	compute(1);
	return argc > 1 ? atoi(argv[1]) : 0;
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog $mpilibs || die "cannot build"
for n in 1 2 3 4; do
	rm -rf fathom-*
	out=$("$MPIRUN" -n $n ./prog 2> err)
	same "$n ranks: output" $n "$out"
	same "$n ranks: lines said" 1 "$(lines_said err)"
	dir=$(experiment) || exit 1
	f=$dir/profile.cubex
	check_profile "$f"
	same "$n ranks: locations" $n "$("$builddir/test/run/dump" -s "$f" | grep -c '^location MPI Rank')"
	same "$n ranks: visits of ring" $((5 * n)) "$(value visits prog/main/ring "$f")"
	same "$n ranks: visits of only_on_odd" $((n / 2)) "$(value visits prog/main/only_on_odd "$f")"
	same "$n ranks: bytes sent" $((500 * n)) "$(value bytes_sent prog/main/ring/MPI_Send "$f")"
	same "$n ranks: bytes received" $((500 * n)) "$(value bytes_received prog/main/ring/MPI_Wait "$f")"
	same "$n ranks: messages" $((5 * n)) "$(value messages_sent prog/main/ring/MPI_Send "$f")"
	same "$n ranks: bytes of the reduction" $((8 * n * n)) "$(value bytes_sent prog/main/MPI_Allreduce "$f")"
	same "$n ranks: MPI_Init" $n "$(value visits prog/main/MPI_Init "$f")"
	same "$n ranks: MPI_Finalize" $n "$(value visits prog/main/MPI_Finalize "$f")"
	for metric in execution comp mpi mpi_point2point mpi_collective mpi_sync_collective mpi_init_exit; do
		[ -n "$(values $metric "$f")" ] || bad "$n ranks: no metric $metric"
	done
done
verdict
