#!/bin/bash
# Wait states in the profile of an MPI run: planted waiting is found with its kind, call path, rank and size, and the
# delay costs are at its cause. FATHOM_WAITS=off leaves everything out, and so does a program of one process.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include "waits_work.h"
static char data[1 << 22];
static int rank, size;
static void late_sender(void)
{
	if (rank == 0) { work(0.2); MPI_Send(data, 8, MPI_CHAR, 1, 3, MPI_COMM_WORLD); }
	if (rank == 1) MPI_Recv(data, 8, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void late_receiver(void)
{
	if (rank == 0) MPI_Ssend(data, sizeof(data), MPI_CHAR, 1, 4, MPI_COMM_WORLD);
	if (rank == 1) { work(0.2); MPI_Recv(data, sizeof(data), MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
}
static void late_waitall(void)
{
	MPI_Request requests[2];
	MPI_Irecv(data, 8, MPI_CHAR, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
	if (rank == 1) work(0.2);
	MPI_Isend(data + 8, 8, MPI_CHAR, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
static void barrier(void) { if (rank == 1) work(0.2); MPI_Barrier(MPI_COMM_WORLD); }
static void broadcast(void) { if (rank == 1) work(0.2); MPI_Bcast(data, 8, MPI_CHAR, 1, MPI_COMM_WORLD); }
static void allreduce(void)
{
	int one = 1, sum;
	if (rank == 0) work(0.2);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void reduce(void)
{
	int one = 1, sum;
	if (rank == 1) work(0.2);
	MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void ibarrier(MPI_Comm comm)
{
	MPI_Request request;
	if (rank == 1) work(0.2);
	MPI_Ibarrier(comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void harmless(void)	/* no partner, a partner that is the process itself, a cancelled receive */
{
	MPI_Request request;
	MPI_Send(data, 8, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	MPI_Irecv(data, 8, MPI_CHAR, rank, 6, MPI_COMM_WORLD, &request);
	MPI_Send(data + 8, 8, MPI_CHAR, rank, 6, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Irecv(data, 8, MPI_CHAR, rank, 7, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
	MPI_Comm reversed;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc > 1 && !strcmp(argv[1], "many")) {
		int one = 1, sum;
		for (int i = 0; i < 30000; i++) {
			MPI_Sendrecv(data, 8, MPI_CHAR, (rank + 1) % size, 5, data + 8, 8, MPI_CHAR, (rank + size - 1) % size, 5,
				     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			if (i % 1000 == 0)
				MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		}
		MPI_Finalize();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "abort"))
		MPI_Abort(MPI_COMM_WORLD, 3);
	harmless();
	MPI_Barrier(MPI_COMM_WORLD);
	if (size == 1) { MPI_Finalize(); return 0; }
	late_sender(); MPI_Barrier(MPI_COMM_WORLD);
	late_receiver(); MPI_Barrier(MPI_COMM_WORLD);
	late_waitall(); MPI_Barrier(MPI_COMM_WORLD);
	barrier();
	broadcast(); MPI_Barrier(MPI_COMM_WORLD);
	allreduce(); MPI_Barrier(MPI_COMM_WORLD);
	reduce(); MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	MPI_Barrier(MPI_COMM_WORLD);
	ibarrier(reversed);
	MPI_Comm_free(&reversed);
	MPI_Finalize();
	return 0;
}
C
build_prog

# run N WORDS: the profile of N ranks is in $f.
run() {
	rm -rf fathom-*
	n=$1
	shift
	"$MPIRUN" -n $n ./prog "$@" > out 2> err
	dir=$(experiment) || exit 1
	f=$dir/profile.cubex
}

# waited_at WHAT METRIC PATH SECONDS: within 20 % or 60 ms. A sleep of a loaded machine may take longer, but not shorter.
waited_at() {
	got=$(value "$2" "$3" "$f")
	awk -v g="$got" -v w="$4" 'BEGIN { d = g - w; if (d < 0) d = -d; exit !(d <= 0.2 * w || d <= 0.06 || (w > 0 && g > w && d < 2)) }' ||
		bad "$1: $2 at $3 should be $4 s, is $got"
}

run 2
check_profile "$f"
same "the search has an outcome" 1 "$(tar xOf "$f" anchor.xml | grep -c 'key="fathom::wait_states" value="yes"')"
waited_at "late sender" mpi_latesender prog/main/late_sender/MPI_Recv 0.2
waited_at "its cause" delay_latesender prog/main/late_sender/work 0.2
waited_at "late receiver" mpi_latereceiver prog/main/late_receiver/MPI_Ssend 0.2
waited_at "its cause" delay_latereceiver prog/main/late_receiver/work 0.2
waited_at "Waitall" mpi_latesender prog/main/late_waitall/MPI_Waitall 0.2
waited_at "barrier" mpi_barrier_wait prog/main/barrier/MPI_Barrier 0.2
waited_at "its cause" delay_barrier prog/main/barrier/work 0.2
waited_at "broadcast" mpi_latebroadcast prog/main/broadcast/MPI_Bcast 0.2
waited_at "allreduce" mpi_wait_nxn prog/main/allreduce/MPI_Allreduce 0.2
waited_at "reduce" mpi_earlyreduce prog/main/reduce/MPI_Reduce 0.2
waited_at "ibarrier" mpi_barrier_wait prog/main/ibarrier/MPI_Wait 0.2
waited_at "messages to oneself" mpi_latesender prog/main/harmless/MPI_Wait 0
nothing_negative "2 ranks"
delays_add_up "2 ranks"

# Each rank's own work, without regard to who waits: a function that only one of two ranks calls, for 0.2 s, is 0.1 s
# above the mean there, and 0.1 s below it at the other rank.
"$builddir/fathom-report" --waits --all "$f" > out 2> err || bad "--waits: $(cat err)"
contains "unequal computation" "$(cat out)" '^ *[0-9.]+% +[0-9.]+ m?s +[0-9.]+ m?s  work .*[.][ch]:[0-9]+.*, rank [01]$'
"$builddir/fathom-report" --json "$f" > out 2> err || bad "--json: $(cat err)"
cat > imbalance.py <<'P'
import json, sys
report = json.load(open(sys.argv[1]))
nodes = {node["id"]: node for node in report["call_tree"]}
def path(node):
    return (path(nodes[node["parent"]]) + "/" if node["parent"] is not None else "") + node["name"]
for item in report["imbalance"]:
    assert abs(item["above"] - item["below"]) < 1e-9, item
    if path(nodes[item["node"]]).endswith("main/late_sender/work"):
        print(item["single"] >= 0.099 and item["singularity"] >= 0.099)
P
same "the imbalance of late_sender/work" True "$("$PYTHON3" imbalance.py out 2>&1)"

# More ranks than processors: nothing is negative, and nobody waits longer than its calls took.
run 4
waiting_within_mpi "4 ranks"
nothing_negative "4 ranks"
delays_add_up "4 ranks"

# Few bytes of memory: the log goes on in a file that nobody sees.
FATHOM_WAITS=1M run 2 many
same "operations" 60064 "$(tar xOf "$f" anchor.xml | sed -n 's/.*key="fathom::wait_operations" value="\([0-9]*\)".*/\1/p')"
same "nothing is lost" 0 "$(tar xOf "$f" anchor.xml | grep -c 'fathom::wait_operations_lost')"
same "no file is left" "" "$(find . -name '.fathom*')"

FATHOM_WAITS=off run 2
same "off: metrics" 0 "$(tar xOf "$f" anchor.xml | grep -c 'wait_states\|mpi_latesender')"
run 1
same "one process: metrics" 0 "$(tar xOf "$f" anchor.xml | grep -c 'wait_states\|mpi_latesender')"
FATHOM_WAITS=12 "$MPIRUN" -n 1 ./prog 2> err && bad "FATHOM_WAITS=12 is allowed"
contains "too small" "$(cat err)" 'FATHOM_WAITS=12 cannot be used: allowed is off, or a number of bytes from 1000000'

# A run that ends early has no wait states, and its profiles say so.
rm -rf fathom-*
"$MPIRUN" -n 2 ./prog abort > out 2> err
dir=$(experiment) || exit 1
f=$(ls "$dir"/*.cubex | head -1)
same "after MPI_Abort" 1 "$(tar xOf "$f" anchor.xml | grep -c 'key="fathom::wait_states" value="no: the run did not end')"
verdict
