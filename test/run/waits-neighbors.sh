#!/bin/bash
# Wait states of neighbourhood operations in the profile: a rank waits for its neighbours and for nobody else.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <mpi.h>
#include "waits_work.h"
static int rank, in[4], out[4];
static void inner(MPI_Comm row) { if (rank == 1) work(0.3); MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, row); }
static void border(MPI_Comm row) { if (rank == 0) work(0.3); MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, row); }
static void early(MPI_Comm row)		/* the late rank begins the operation in time, and is not late */
{
	MPI_Request request;
	MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, row, &request);
	if (rank == 1) work(0.1);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void late(MPI_Comm row)
{
	MPI_Request request;
	if (rank == 2) work(0.3);
	MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, row, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void graph(MPI_Comm arrow)	/* rank 2 sends to rank 0 only */
{
	if (rank == 2) work(0.3);
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, arrow);
}
int main(int argc, char **argv)
{
	MPI_Comm row, arrow;
	int size, no = 0, from = 2, to = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &row);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0, &from, MPI_UNWEIGHTED, rank == 2, &to, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &arrow);
	MPI_Barrier(MPI_COMM_WORLD);
	inner(row); MPI_Barrier(MPI_COMM_WORLD);
	border(row); MPI_Barrier(MPI_COMM_WORLD);
	early(row); MPI_Barrier(MPI_COMM_WORLD);
	late(row); MPI_Barrier(MPI_COMM_WORLD);
	graph(arrow); MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_free(&arrow);
	MPI_Comm_free(&row);
	MPI_Finalize();
	return 0;
}
C
build_prog
timeout -s KILL 100 "$MPIRUN" -n 3 ./prog > out 2> err || bad "the program failed: $(cat err)"
dir=$(experiment) || exit 1
f=$dir/profile.cubex
check_profile "$f"
waited "both neighbours of the middle" mpi_wait_nxn inner/MPI_Neighbor_allgather 0.6
waited "the only neighbour of an end" mpi_wait_nxn border/MPI_Neighbor_alltoall 0.3
waited "begun in time" mpi_wait_nxn early/MPI_Wait 0
waited "the neighbour of the other end" mpi_wait_nxn late/MPI_Wait 0.3
waited "a directed graph" mpi_wait_nxn graph/MPI_Neighbor_allgather 0.3
waited "the cause" delay_n2n_short graph/work 0.3
nothing_negative "neighbourhood operations"
same "nothing is left out" 0 "$(tar xOf "$f" anchor.xml | grep -c 'waits_skipped\|waits_unmatched')"
verdict
