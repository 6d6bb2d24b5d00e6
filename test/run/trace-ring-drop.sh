#!/bin/bash
# FATHOM_TRACE_OLDER=drop: what leaves the ring is dropped up to a cut point that all processes share. The trace is valid, its
# size does not depend on the length of the run, and its end is that of a whole trace.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"

# ring_drop STEPS CALLS [WHAT]: steps with calls of leaf. keep: keeps the newest events in each hundredth step; abort: ends so.
cat > prog.c <<'C'
#include <fathom/fathom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif
static volatile long sink;
static void leaf(void) { sink++; }
static void inner(int n) { for (int i = 0; i < n; i++) leaf(); }
static void step(int i, int n, int rank, int size)
{
	FATHOM_PHASE("iteration", i);
#ifdef _OPENMP
	#pragma omp parallel num_threads(3)
#endif
	inner(n * (1 + rank));
#ifdef WITH_MPI
	int sent = rank, received;
	MPI_Request requests[2];
	MPI_Status statuses[2];
	MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, statuses);
	MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
	(void)size;
}
int main(int argc, char **argv)
{
	int steps = atoi(argv[1]), n = atoi(argv[2]), rank = 0, size = 1;
	const char *what = argc > 3 ? argv[3] : "";
#ifdef WITH_MPI
	MPI_Comm half;
	MPI_Win window;
	int memory = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#endif
	for (int i = 0; i < steps; i++) {
		step(i, n, rank, size);
		if (!strcmp(what, "keep") && i % 100 == 50 && rank == 0)
			FATHOM_TRACE_KEEP();
	}
	if (!strcmp(what, "abort"))
		abort();
#ifdef WITH_MPI
	MPI_Win_fence(0, window);
	MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
	MPI_Barrier(half);
	MPI_Comm_free(&half);
	MPI_Finalize();
#endif
	return 0;
}
C
build="-g -O1 -finstrument-functions -DFATHOM_USER -I$srcdir/include prog.c -L$builddir/.libs -Wl,-rpath,$builddir/.libs \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom -Wl,--pop-state"
export FATHOM_MODE=trace FATHOM_TRACE_OLDER=drop

# run NAME SETTING... -- COMMAND...: its trace is NAME, and good; says how many events it has.
run() {
	what=$1
	shift
	rm -rf "$what"
	(ulimit -c 0; env FATHOM_NAME="$what" FATHOM_VERBOSE=1 "$@") > out 2> err
	found=$what
	[ ! -d "$what/rank-0" ] || found=$what/rank-0
	"$builddir/fathom-check" "$found" > check.out || bad "$what: $(head -3 check.out)"
	otf2-print "$found/traces.otf2" > "$what.txt" 2> /dev/null
	same "$what: measurement that is on again" "$(grep -c '^MEASUREMENT_ON_OFF.*Mode: OFF' "$what.txt")" "$(grep -c '^MEASUREMENT_ON_OFF.*Mode: ON' "$what.txt")"
}
# dropped: the last run says that it dropped events. bounded A B: B is not much larger than A, although its run was longer.
dropped() { contains "$what: dropped" "$(cat err)" 'FATHOM_TRACE_OLDER=drop: older events were dropped [0-9]+ times'; }
bytes() { cat "$1"/traces/* | wc -c; }
bounded() { [ "$(bytes "$2")" -lt $(($(bytes "$1") * 2)) ] || bad "$2: $(bytes "$2") bytes, $1: $(bytes "$1")"; }
# ends WHOLE PART: the last 20000 records of both are the same but for their times.
ends() {
	for trace in "$1" "$2"; do
		grep -E '^(ENTER|LEAVE)' "$trace.txt" | tail -20000 | sed -E 's/^([A-Z]+) +([0-9]+) +[0-9]+ +/\1 \2 /; s/ <[0-9]+>//' > "$trace.end"
	done
	cmp -s "$1.end" "$2.end" || bad "$2: its end is not that of a whole trace: $(diff "$1.end" "$2.end" | head -3)"
}

eval "$CC $build -o serial" || die "cannot build prog.c"
run short FATHOM_TRACE_RING=1M ./serial 300 500
dropped
run long FATHOM_TRACE_RING=1M ./serial 3000 500
dropped
bounded short long
run whole FATHOM_TRACE_RING=off ./serial 300 500
ends whole short
# A ring that is smaller than a stretch; one of a time; one that is never full.
run large FATHOM_TRACE_RING=1M ./serial 8 100000
dropped
run timed FATHOM_TRACE_RING=1ms ./serial 3000 500
run roomy FATHOM_TRACE_RING=16M ./serial 30 500
same "roomy: nothing was dropped" 0 "$(grep -c 'were dropped' err)"
same "roomy: iterations" 30 "$(grep -c '^ENTER .*"iteration" ' roomy.txt)"
# The end by a signal; counters; samples; events that are kept on request stay, with all functions of the iteration.
run aborted FATHOM_TRACE_RING=1M ./serial 300 500 abort
ends whole aborted 2> /dev/null
run counted FATHOM_TRACE_RING=1M FATHOM_METRICS=rusage::minflt ./serial 300 500
dropped
run sampled FATHOM_TRACE_RING=1M FATHOM_TRACE_SAMPLES=1000 FATHOM_SAMPLING=1000 ./serial 3000 500
run kept FATHOM_TRACE_RING=1M ./serial 400 500 keep
dropped
# A gap before each of four parts that are kept, and one after the last.
same "kept: gaps" 5 "$(grep -c '^MEASUREMENT_ON_OFF.*Mode: OFF' kept.txt)"
[ "$(grep -c '^ENTER .*"leaf" ' kept.txt)" -gt $((4 * 10000)) ] || bad "kept: the functions"

# OpenMP: workers follow, also one that has no team for a long time.
if eval "$CC -fopenmp $build -o teams" 2> /dev/null; then
	run few-teams FATHOM_TRACE_RING=1M ./teams 300 500
	run many-teams FATHOM_TRACE_RING=1M ./teams 3000 500
	bounded few-teams many-teams
else
	left_out "OpenMP: the program cannot be built"
fi

# MPI: all processes drop the same, so that each message and operation has all its ends; communicators and windows stay.
if have_mpi; then
	eval "$MPICC -DWITH_MPI $build -Wl,--push-state,--no-as-needed -lfathom-mpi -Wl,--pop-state -o ranks" 2> build.err || die "cannot build with MPI: $(head -3 build.err)"
	run few-steps FATHOM_TRACE_RING=1M timeout 120 "$MPIRUN" -n 3 ./ranks 200 500
	dropped
	run many-steps FATHOM_TRACE_RING=1M timeout 120 "$MPIRUN" -n 3 ./ranks 2000 500
	dropped
	bounded few-steps many-steps
	same "many-steps: sends" "$(grep -c '^MPI_ISEND ' many-steps.txt)" "$(grep -c '^MPI_IRECV ' many-steps.txt)"
	[ "$(grep -c '^MPI_ISEND ' many-steps.txt)" -lt 3000 ] || bad "many-steps: no message was dropped"
	"$builddir/fathom-analyze" many-steps > analyze.out 2>&1 || bad "analyze: $(head -3 analyze.out)"
	# The request of one rank keeps the events of all.
	run keeping FATHOM_TRACE_RING=1M timeout 120 "$MPIRUN" -n 2 ./ranks 300 500 keep
	for rank in 0 1; do
		[ "$(grep -c "^MEASUREMENT_ON_OFF  *$rank .*Mode: OFF" keeping.txt)" -ge 3 ] || bad "keeping: the gaps of rank $rank"
	done
	run aborting FATHOM_TRACE_RING=1M timeout 120 "$MPIRUN" -n 2 ./ranks 300 500 abort
fi
FATHOM_TRACE_RING=1M FATHOM_TRACE_REPEAT=2 FATHOM_NAME=both ./serial 3 5 > out 2> err && bad "with FATHOM_TRACE_REPEAT: it works"
contains "with FATHOM_TRACE_REPEAT" "$(cat err)" '^fathom: FATHOM_TRACE_OLDER=drop: not together with FATHOM_TRACE_REPEAT'
verdict
