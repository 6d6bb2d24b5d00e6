#!/bin/bash
# The wait states of one run are the same in three ways: found by the run itself, by fathom analyze in one process, and
# by several processes of fathom analyze. The run records a profile and a trace at the same time, both from the same
# readings of the clock; so the waiting is equal for each metric, call path and rank, except for the rounding of the
# clock's rate. Delay costs and the critical path also depend on time maps, which a run makes less often than a trace.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
. "$srcdir/test/run/waits-lib.sh" || exit 99
need_part FATHOM_WAITS

cat > prog.c <<'C'
#include <mpi.h>
#include <time.h>
#include <string.h>
static char data[1 << 20], more[1 << 20];
static int rank, size;
static void work(double seconds)
{
	struct timespec time = { 0, (long)(seconds * 1e9) };
	while (nanosleep(&time, &time))
		;
}
static void late_sender(void)
{
	if (rank == 0) { work(0.15); MPI_Send(data, 8, MPI_CHAR, 1, 3, MPI_COMM_WORLD); }
	if (rank == 1) MPI_Recv(data, 8, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void passed_on(void)	/* rank 1 is late because of rank 0, and rank 2 because of rank 1 */
{
	if (rank == 0) work(0.15);
	if (rank > 0) MPI_Recv(data, 8, MPI_CHAR, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank + 1 < size) MPI_Send(data, 8, MPI_CHAR, rank + 1, 3, MPI_COMM_WORLD);
}
static void late_receiver(void)
{
	if (rank == 0) MPI_Ssend(data, sizeof(data), MPI_CHAR, 1, 4, MPI_COMM_WORLD);
	if (rank == 1) { work(0.15); MPI_Recv(data, sizeof(data), MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
}
static void wrong_order(void)
{
	if (rank == 0) { work(0.15); MPI_Send(data, 8, MPI_CHAR, 1, 8, MPI_COMM_WORLD); }
	if (rank == 2) MPI_Send(data, 8, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Recv(data, 8, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(more, 8, MPI_CHAR, 2, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}
static void late_waitall(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	MPI_Irecv(data, 8, MPI_CHAR, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
	if (rank == 1) work(0.15);
	MPI_Isend(more, 8, MPI_CHAR, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, statuses);
}
static void barrier(void) { if (rank == 1) work(0.15); MPI_Barrier(MPI_COMM_WORLD); }
static void broadcast(void) { if (rank == 1) work(0.15); MPI_Bcast(data, 8, MPI_CHAR, 1, MPI_COMM_WORLD); }
static void allreduce(void)
{
	int one = 1, sum;
	if (rank == 0) work(0.15);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void reduce(void)
{
	int one = 1, sum;
	if (rank == 1) work(0.15);
	MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void scan(void)
{
	int one = 1, sum;
	if (rank == 0) work(0.15);
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void iallreduce(MPI_Comm comm)
{
	int one = 1, sum;
	MPI_Request request;
	if (rank == 1) work(0.15);
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void ibarrier(void)
{
	MPI_Request request;
	if (rank == 2) work(0.15);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void exscan(void)
{
	int one = 1, sum;
	if (rank == 1) work(0.15);
	MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void gather(void) { if (rank == 2) work(0.15); MPI_Gather(data, 8, MPI_CHAR, more, 8, MPI_CHAR, 0, MPI_COMM_WORLD); }
static void scatter(void) { if (rank == 1) work(0.15); MPI_Scatter(data, 8, MPI_CHAR, more, 8, MPI_CHAR, 1, MPI_COMM_WORLD); }
static void alltoall(void) { if (rank == 0) work(0.15); MPI_Alltoall(data, 8, MPI_CHAR, more, 8, MPI_CHAR, MPI_COMM_WORLD); }
static void sendrecv(void)
{
	if (rank == 1) work(0.15);
	MPI_Sendrecv(data, 8, MPI_CHAR, (rank + 1) % size, 6, more, 8, MPI_CHAR, (rank + size - 1) % size, 6, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
}
static void persistent(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	MPI_Recv_init(data, 8, MPI_CHAR, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(more, 8, MPI_CHAR, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&requests[0]);
		if (rank == 0) work(0.1);
		MPI_Start(&requests[1]);
		MPI_Waitall(2, requests, statuses);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}
static void waitany(void)
{
	MPI_Request requests[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
	int index;
	if (rank == 0) {
		MPI_Irecv(data, 8, MPI_CHAR, 1, 10, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(more, 8, MPI_CHAR, 2, 10, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
		MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	} else {
		work(rank * 0.1);
		MPI_Send(data, 8, MPI_CHAR, 0, 10, MPI_COMM_WORLD);
	}
}
static void probe(void)
{
	MPI_Message message;
	if (rank == 0) { work(0.15); MPI_Send(data, 8, MPI_CHAR, 2, 11, MPI_COMM_WORLD); }
	if (rank == 2) {
		MPI_Mprobe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(data, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	}
}
static void test_loop(void)	/* a test does not wait */
{
	MPI_Request request;
	int done = 0;
	if (rank == 0) { work(0.15); MPI_Send(data, 8, MPI_CHAR, 1, 12, MPI_COMM_WORLD); }
	if (rank == 1) {
		MPI_Irecv(data, 8, MPI_CHAR, 0, 12, MPI_COMM_WORLD, &request);
		while (!done)
			MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	}
}
static void spin(void)		/* the others wait for a rank that only tests and probes */
{
	MPI_Request request;
	double end = MPI_Wtime() + 0.15;
	int flag;
	if (rank == 1) {
		MPI_Irecv(data, 8, MPI_CHAR, 2, 16, MPI_COMM_WORLD, &request);
		while (MPI_Wtime() < end) {
			MPI_Iprobe(2, 17, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 2) MPI_Send(data, 8, MPI_CHAR, 1, 16, MPI_COMM_WORLD);
}
static void between(MPI_Comm inter)	/* a message between the groups of an intercommunicator */
{
	if (rank == 0) { work(0.15); MPI_Send(data, 8, MPI_CHAR, 0, 13, inter); }
	if (rank == 1) MPI_Recv(data, 8, MPI_CHAR, 0, 13, inter, MPI_STATUS_IGNORE);
}
static void sweep(MPI_Comm row, int by)	/* each rank works when the one before it is done */
{
	int before, behind;
	MPI_Cart_shift(row, 0, by, &before, &behind);
	MPI_Recv(data, 8, MPI_CHAR, before, 15, row, MPI_STATUS_IGNORE);
	work(0.1);
	MPI_Send(data, 8, MPI_CHAR, behind, 15, row);
}
static int in[4], out[4];
static void row_ends(MPI_Comm row)	/* both neighbours wait for the middle; a later operation waits for an end */
{
	MPI_Request request;
	if (rank == 1) work(0.15);
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, row);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2) work(0.15);
	MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, row, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void arrow(void)			/* rank 2 sends to rank 0 only, in a communicator that counts backward */
{
	MPI_Comm reversed, graph;
	int from = 0, to = 2;
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	MPI_Dist_graph_create_adjacent(reversed, rank == 0, &from, MPI_UNWEIGHTED, rank == 2, &to, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &graph);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2) work(0.15);
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, graph);
	MPI_Comm_free(&graph);
	MPI_Comm_free(&reversed);
}
static void persistent_ring(void)	/* each rank receives from the one before it */
{
#if MPI_VERSION >= 4
	MPI_Comm ring;
	MPI_Request request;
	int from = (rank + size - 1) % size, to = (rank + 1) % size;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
				       &ring);
	MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, ring, MPI_INFO_NULL, &request);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		if (rank == 0 && i) work(0.15);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	MPI_Comm_free(&ring);
#endif
}
static int memory[64];
static void fences(MPI_Win win)		/* the second fence waits for a process, the third one for nobody */
{
	MPI_Win_fence(0, win);
	if (rank == 1) work(0.15);
	MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, rank, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Accumulate(&rank, 1, MPI_INT, 0, 10, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
}
static void epochs(MPI_Win win, MPI_Group others)	/* rank 0 accesses the others; rank 2 tests, which waits for nobody */
{
	int done = 0, got;
	if (rank == 0) {
		MPI_Win_start(others, 0, win);
		MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
		work(0.15);
		MPI_Get(&got, 1, MPI_INT, size - 1, 2, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else {
		MPI_Win_post(others, 0, win);
		while (rank == size - 1 && !done)
			MPI_Win_test(win, &done);
		if (!done)
			MPI_Win_wait(win);
	}
}
static void late_post(MPI_Win win, MPI_Group others)
{
	if (rank == 0) {
		MPI_Win_start(others, 0, win);
		MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else {
		work(0.15);
		MPI_Win_post(others, 0, win);
		MPI_Win_wait(win);
	}
}
static void locks(MPI_Win win)		/* each rank holds the window of rank 0 for a while */
{
	int one = 1, old;
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
	MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 20, MPI_SUM, win);
	MPI_Win_flush(0, win);
	work(0.05);
	MPI_Win_unlock(0, win);
	MPI_Win_lock_all(0, win);
	MPI_Put(&one, 1, MPI_INT, (rank + 1) % size, 30, 1, MPI_INT, win);
	MPI_Win_flush_all(win);
	MPI_Win_unlock_all(win);
}
static void progress(MPI_Win win)	/* rank 0 waits three times until another rank, which has left the barrier, calls MPI */
{
	if (rank == 0) MPI_Win_lock_all(0, win);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		work(0.05);
		MPI_Put(&rank, 1, MPI_INT, 1, 40, 1, MPI_INT, win);
		MPI_Win_flush(1, win);
		MPI_Win_flush_all(win);		/* nothing is left to complete */
	}
	if (rank == 1) work(0.2);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		work(0.05);
		MPI_Put(&rank, 1, MPI_INT, 1, 40, 1, MPI_INT, win);
		MPI_Win_flush_all(win);
	}
	if (rank == 1) work(0.2);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		work(0.05);
		MPI_Put(&rank, 1, MPI_INT, 2, 40, 1, MPI_INT, win);
		MPI_Win_unlock_all(win);
	}
	if (rank == 2) work(0.2);
}
static void windows(void)
{
	MPI_Win win;
	MPI_Group world, others;
	int partners[2] = { 1, 2 }, first = 0;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, rank ? 1 : 2, rank ? &first : partners, &others);
	if (rank == 0) work(0.15);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	fences(win); MPI_Barrier(MPI_COMM_WORLD);
	epochs(win, others); MPI_Barrier(MPI_COMM_WORLD);
	late_post(win, others); MPI_Barrier(MPI_COMM_WORLD);
	locks(win); MPI_Barrier(MPI_COMM_WORLD);
	progress(win); MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2) work(0.15);
	MPI_Win_free(&win);
	MPI_Group_free(&others);
	MPI_Group_free(&world);
	MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
	MPI_Comm reversed, group, inter, row;
	int no = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	late_sender(); MPI_Barrier(MPI_COMM_WORLD);
	passed_on(); MPI_Barrier(MPI_COMM_WORLD);
	late_receiver(); MPI_Barrier(MPI_COMM_WORLD);
	wrong_order(); MPI_Barrier(MPI_COMM_WORLD);
	late_waitall(); MPI_Barrier(MPI_COMM_WORLD);
	barrier();
	broadcast(); MPI_Barrier(MPI_COMM_WORLD);
	allreduce(); MPI_Barrier(MPI_COMM_WORLD);
	reduce(); MPI_Barrier(MPI_COMM_WORLD);
	scan(); MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	MPI_Barrier(MPI_COMM_WORLD);
	iallreduce(reversed);
	MPI_Comm_free(&reversed);
	MPI_Barrier(MPI_COMM_WORLD);
	ibarrier(); MPI_Barrier(MPI_COMM_WORLD);
	exscan(); MPI_Barrier(MPI_COMM_WORLD);
	gather(); MPI_Barrier(MPI_COMM_WORLD);
	scatter(); MPI_Barrier(MPI_COMM_WORLD);
	alltoall(); MPI_Barrier(MPI_COMM_WORLD);
	sendrecv(); MPI_Barrier(MPI_COMM_WORLD);
	persistent(); MPI_Barrier(MPI_COMM_WORLD);
	waitany(); MPI_Barrier(MPI_COMM_WORLD);
	probe(); MPI_Barrier(MPI_COMM_WORLD);
	test_loop(); MPI_Barrier(MPI_COMM_WORLD);
	spin(); MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &group);
	MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 14, &inter);
	MPI_Barrier(MPI_COMM_WORLD);
	between(inter); MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&group);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &row);
	MPI_Barrier(MPI_COMM_WORLD);
	sweep(row, 1); MPI_Barrier(MPI_COMM_WORLD);
	sweep(row, -1); MPI_Barrier(MPI_COMM_WORLD);
	row_ends(row); MPI_Barrier(MPI_COMM_WORLD);
	arrow(); MPI_Barrier(MPI_COMM_WORLD);
	persistent_ring(); MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_free(&row);
	windows();
	if (rank == 2) work(0.15);
	MPI_Finalize();
	return 0;
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog $mpilibs || die "cannot build"

cat > compare.py <<'P'
"""compare.py TOLERANCE MAP_TOLERANCE FILE FILE: prints the values of wait states that differ by more, in seconds.
MAP_TOLERANCE is for values that depend on time maps. A count may differ by one, where the waiting is about nothing."""
import os, subprocess, sys

tolerance, map_tolerance = float(sys.argv[1]), float(sys.argv[2])
from_maps = ("delay", "critical_path", "performance_impact", "mpi_direct", "mpi_indirect", "mpi_propagating", "mpi_terminal")

def dump(*arguments):
    program = os.environ["builddir"] + "/test/run/dump"
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout.splitlines()

def metrics(path):
    names = [line.split()[1] for line in dump("-s", path) if line.startswith("metric ")]
    names = names[names.index("wait_states"):]
    names = [name for name in names if not name.startswith("left_out_")]
    # A run without topologies knows no grid; its trace still says which thread of which process each location is.
    return [name for name in names if "without_grids" not in os.environ or not name.startswith(("grid_", "pipeline_"))]

def values(metric, path):
    found = {}
    for line in dump("-l", metric, path):
        value, place = line.split(" ", 1)
        found[place] = found.get(place, 0) + float(value)
    return found

one, other = sys.argv[3:]
count = wrong = 0
for metric in sorted(set(metrics(one)) | set(metrics(other))):
    of_one, of_other = values(metric, one), values(metric, other)
    allowed = map_tolerance if metric.startswith(from_maps) else tolerance if not metric.endswith("_count") else 1
    for place in sorted(set(of_one) | set(of_other)):
        count += 1
        a, b = of_one.get(place, 0), of_other.get(place, 0)
        if abs(a - b) > allowed + tolerance * max(abs(a), abs(b)):
            print(metric, place, a, b)
            wrong += 1
if count < 500:
    print("only", count, "values")
sys.exit(wrong > 0 or count < 500)
P

# measure: the run is in the directory run.
measure() {
	rm -rf here run
	mkdir here
	FATHOM_MODE=profile,trace FATHOM_DIR=$PWD/here "$MPIRUN" -n 3 ./prog 2> err || die "the program failed: $(cat err)"
	mv here/fathom-* run
	works "$analyze" run -o run/one.cubex
}

# planted METRIC PATH SECONDS: notes each file in which there is less waiting than the program plants. One rank may come
# late where other programs have the processors; then the others wait less.
planted() {
	for planted_file in run/profile.cubex run/one.cubex; do
		planted_got=$(value "$1" "prog/main/$2" "$planted_file")
		awk -v g="$planted_got" -v w="$3" 'BEGIN { exit !(g >= 0.8 * w) }' ||
			echo "$planted_file: $1 at $2 should be $3 s, is $planted_got" >> missed
	done
}

# Which call of an epoch waits for the post depends on MPI, and so does the one that waits for a lock.
planted_below() {	# FUNCTION SECONDS: of one-sided communication below it
	for planted_file in run/profile.cubex run/one.cubex; do
		planted_got=$(values wait_rma "$planted_file" |
			awk -v at="prog/main/windows/$1/" 'index($2, at) == 1 { s += $1 } END { printf "%.6f", s }')
		awk -v g="$planted_got" -v w="$2" 'BEGIN { exit !(g >= 0.8 * w) }' ||
			echo "$planted_file: wait_rma below $1 should be $2 s, is $planted_got" >> missed
	done
}

# What the program does: each of these waits for the planted delay.
all_planted() {
	: > missed
	planted mpi_latesender late_sender/MPI_Recv 0.15
	planted mpi_latesender passed_on/MPI_Recv 0.3
	planted mpi_latereceiver late_receiver/MPI_Ssend 0.15
	planted mpi_lswo_different wrong_order/MPI_Recv 0.15
	planted mpi_latesender late_waitall/MPI_Waitall 0.15
	planted mpi_barrier_wait barrier/MPI_Barrier 0.3
	planted mpi_latebroadcast broadcast/MPI_Bcast 0.3
	planted mpi_wait_nxn allreduce/MPI_Allreduce 0.3
	planted mpi_earlyreduce reduce/MPI_Reduce 0.15
	planted mpi_earlyscan scan/MPI_Scan 0.3
	planted mpi_earlyscan exscan/MPI_Exscan 0.15
	planted mpi_wait_nxn iallreduce/MPI_Wait 0.3
	planted mpi_barrier_wait ibarrier/MPI_Wait 0.3
	planted mpi_earlyreduce gather/MPI_Gather 0.15
	planted mpi_latebroadcast scatter/MPI_Scatter 0.3
	planted mpi_wait_nxn alltoall/MPI_Alltoall 0.3
	planted mpi_latesender sendrecv/MPI_Sendrecv 0.15
	planted mpi_latesender persistent/MPI_Waitall 0.2
	planted mpi_latesender between/MPI_Recv 0.15
	planted mpi_barrier_wait spin/MPI_Barrier 0.3
	planted delay_barrier_short spin/MPI_Iprobe 0.03
	planted delay_barrier_short spin/MPI_Test 0.03
	planted mpi_finalize_wait MPI_Finalize 0.3
	planted mpi_rma_wait_at_create windows/MPI_Win_create 0.3
	planted mpi_rma_wait_at_fence windows/fences/MPI_Win_fence 0.3
	planted mpi_rma_early_wait windows/epochs/MPI_Win_wait 0.15
	planted mpi_rma_wait_at_free windows/MPI_Win_free 0.3
	planted mpi_wait_nxn row_ends/MPI_Neighbor_allgather 0.3
	planted mpi_wait_nxn row_ends/MPI_Wait 0.15
	planted mpi_wait_nxn arrow/MPI_Neighbor_allgather 0.15
	grep -q MPI_Neighbor_alltoall_init prog && planted mpi_wait_nxn persistent_ring/MPI_Wait 0.15
	planted_below late_post 0.15
	planted_below locks 0.12
	planted mpi_rma_sync_wait_for_progress windows/progress/MPI_Win_flush 0.15
	planted mpi_rma_sync_wait_for_progress windows/progress/MPI_Win_flush_all 0.15
	planted mpi_rma_sync_wait_for_progress windows/progress/MPI_Win_unlock_all 0.15
	[ -n "${without_grids:-}" ] && return
	planted pipeline_refill_x_up sweep/MPI_Recv 0.3
	planted pipeline_refill_x_down sweep/MPI_Recv 0.3
}

has_part topologies || export without_grids=1

# The tolerance for values from time maps is a fifth of what the program plants. A time map may come late where another
# program has the processor meanwhile: then it must agree in another run, which must also have what is planted.
for attempt in 1 2 3 4 5; do
	measure
	export builddir
	"$PYTHON3" compare.py 1e-6 1e9 run/profile.cubex run/one.cubex > differences ||
		bad "the run and fathom analyze: $(head -5 differences)"
	"$PYTHON3" compare.py 1e-6 0.03 run/profile.cubex run/one.cubex > differences
	all_planted
	[ -s differences ] || [ -s missed ] || break
done
[ ! -s differences ] || bad "the run and fathom analyze: causes: $(head -5 differences)"
[ ! -s missed ] || bad "$(head -5 missed)"
for f in run/profile.cubex run/one.cubex; do
	delays_add_up "$f"
done
if [ -e "$builddir/.libs/fathom-analyze-mpich.so" ]; then
	for hosts in 2 3; do
		works "$MPIRUN" -n "$hosts" "$analyze" run -o "run/hosts$hosts.cubex"
		"$PYTHON3" compare.py 1e-9 1e-9 run/one.cubex "run/hosts$hosts.cubex" > differences ||
			bad "fathom analyze in $hosts processes: $(head -5 differences)"
	done
fi

# The neighbours of a trace of another tool follow from its Cartesian topologies; those of a graph are not known.
cp -r run foreign
sed -i 's/FATHOM::NEIGHBORS/ANOTHER:ATTRIBUTE/' foreign/traces.def
works "$analyze" foreign -o foreign.cubex
same "from the topology" "$(value mpi_wait_nxn prog/main/row_ends/MPI_Neighbor_allgather run/one.cubex) $(
	value mpi_wait_nxn prog/main/row_ends/MPI_Wait run/one.cubex)" "$(
	value mpi_wait_nxn prog/main/row_ends/MPI_Neighbor_allgather foreign.cubex) $(
	value mpi_wait_nxn prog/main/row_ends/MPI_Wait foreign.cubex)"
same "no neighbours" 0 "$(value mpi_wait_nxn prog/main/arrow/MPI_Neighbor_allgather foreign.cubex)"
grep -q '^! Left out: [39] collective operations between neighbours that the trace does not name$' out ||
	bad "operations without known neighbours: $(cat out)"

if [ -z "${without_grids:-}" ]; then
	for file in run/*.cubex; do
		"$report" --json "$file" > json || bad "$file: no JSON"
		same "$file: topology" '[[0, [0]], [1, [1]], [2, [2]]]' "$("$PYTHON3" -c 'import json, sys
print([[place["rank"], place["at"]] for place in json.load(open("json"))["topologies"][0]["places"]])')"
	done
fi
same "a test does not wait" 0 "$(value mpi_latesender prog/main/test_loop/MPI_Test run/one.cubex)"

# A trace without the functions that make no MPI calls has the same wait states as its run.
export FATHOM_TRACE_GRANULARITY=1000s
measure
"$PYTHON3" compare.py 1e-6 1e9 run/profile.cubex run/one.cubex > differences ||
	bad "the run and the trace with pending enters: $(head -5 differences)"
otf2-print run/traces.otf2 2> /dev/null | grep -q '^ENTER .*"work"' && bad "functions without MPI calls are in the trace with pending enters"
verdict
