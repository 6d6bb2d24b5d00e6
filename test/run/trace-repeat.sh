#!/bin/bash
# Traces without repetitions (FATHOM_TRACE_REPEAT): the processes of an MPI program leave out the same stretches between
# collective operations, so that messages and operations keep all their ends. What is left out does not depend on times.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
have_mpi || skip "no MPI"
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"

cat > prog.c <<'C'
#include <fathom/fathom.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static volatile long sink;
static int rank, size;
static const char *what;
static MPI_Comm copy, half;
static MPI_Request requests[2];
static int values[2];
static void leaf(void) { sink++; }
static void compute(void) { leaf(); leaf(); }
static int is(const char *name) { return !strcmp(what, name); }
static void swap(MPI_Comm comm, int tag)
{
	int value = 1, other;
	MPI_Sendrecv(&value, 1, MPI_INT, size - 1 - rank, tag, &other, 1, MPI_INT, size - 1 - rank, tag, comm, MPI_STATUS_IGNORE);
}
static void norm(void) { int one = 1, all; leaf(); MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); leaf(); }
static void deep(int n) { if (n) deep(n - 1); else norm(); }
static void begin_swap(void)
{
	MPI_Irecv(&values[0], 1, MPI_INT, size - 1 - rank, 2, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&values[1], 1, MPI_INT, size - 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);
}
static void step(int i)
{
	int one = 1, all;
	compute();
	if (is("early") && i) MPI_Recv(&all, 1, MPI_INT, size - 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (is("early")) MPI_Send(&one, 1, MPI_INT, size - 1 - rank, 3, MPI_COMM_WORLD);
	if (is("open") && i) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	if (is("open")) begin_swap();
	if (is("requests")) { begin_swap(); MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }
	if (is("copy")) { swap(copy, i); MPI_Alltoall(&one, 1, MPI_INT, values, 1, MPI_INT, copy); return; }
	if (is("half")) { MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, half); }
	if (is("rooted")) { MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD); return; }
	if (is("once") && rank == 1 && i == 40) leaf();
	if (is("off") && rank == 1 && i == 40) FATHOM_RECORDING_OFF();
	if (is("off") && rank == 1 && i == 45) FATHOM_RECORDING_ON();
	if (is("three")) { MPI_Barrier(MPI_COMM_WORLD); swap(MPI_COMM_WORLD, 1); MPI_Allgather(&one, 1, MPI_INT, values, 1, MPI_INT, MPI_COMM_WORLD); }
	if (is("deep")) { deep(i % 2); return; }
	if (is("inner")) for (int k = 0; k < 20; k++) norm();
	if (is("aborts") && i == 50 && rank == 0) abort();
	swap(MPI_COMM_WORLD, i);
	MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
	int level;
	what = argc > 1 ? argv[1] : "";
	if (is("threads")) MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	else MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
	for (int i = 0; i < 60; i++) step(i);
	if (is("open")) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	if (is("early")) MPI_Recv(&level, 1, MPI_INT, size - 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&half);
	MPI_Finalize();
	return 0;
}
C
"$MPICC" -g -O1 -w -finstrument-functions -DFATHOM_USER -I"$srcdir/include" prog.c -o prog $mpilibs || die "cannot build prog.c"

# run WHAT MODE [SETTING=VALUE...]: a run of the program in this mode; in $dir is its trace
run() {
	what=$1 mode=$2
	shift 2
	rm -rf fathom-*
	env FATHOM_MODE=trace FATHOM_TRACE_REPEAT=2 "$@" timeout 60 "$MPIRUN" -n 2 ./prog "$mode" > out 2> err || bad "$what: exit code $?: $(cat err)"
	dir=$(experiment) || exit 1
	sound "$what" "$dir"
}
# left LOCATION: the number of stretches that the trace of events.txt says are left out there
left() { awk -v at="$1" '/^METRIC / && $2 == at' events.txt | sed -n 's/^.*"left out stretches" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' | awk '{ n += $1 } END { print n + 0 }'; }
# count KIND: the records of this kind on both ranks
count() { awk -v kind="$1" '$1 == kind { n[$2]++ } END { print n[0] + 0, n[1] + 0 }' events.txt; }
# without WHAT STRETCHES RECORDS: so many stretches are left out by both ranks, and so many collective operations stay
without() {
	same "$1: stretches left out" "$2 $2" "$(left 0) $(left 1)"
	same "$1: collective operations" "$3 $3" "$(count MPI_COLLECTIVE_END)"
}

# There are 59 stretches between the 60 operations of the program's loop. The period, of one stretch, is found after 7 of
# them, 2 more are recorded, and 50 are left out. 6 operations are made in MPI_Init, by the communicators, and at the end.
run "a loop" loop FATHOM_TRACE_REPEAT=0
others=$(($(count MPI_COLLECTIVE_END | cut -d' ' -f1) - 60))
all=$(grep -c '^ENTER ' events.txt)
without "all of a loop" 0 $((60 + others))
run "a loop" loop
without "a loop" 50 $((10 + others))
same "a loop: messages" "10 10" "$(count MPI_SEND)"
[ $((all - $(grep -c '^ENTER ' events.txt))) -ge 500 ] || bad "a loop: only $((all - $(grep -c '^ENTER ' events.txt))) enters are left out"
otf2-print -I "$dir/traces.otf2" | grep -A 1 'FATHOM::REPEAT' | grep -q ' 2$' || bad "the trace does not say what it leaves out"
[ ! -x "$FATHOM-report" ] || "$FATHOM" report --trace "$dir" | grep -q 'Repetitions' || bad "the report does not say that repetitions are left out"
run "a loop, 5 periods" loop FATHOM_TRACE_REPEAT=5
without "a loop, 5 periods" 47 $((13 + others))
run "requests" requests
without "requests" 50 $((10 + others))
run "a copy of MPI_COMM_WORLD" copy
without "a copy of MPI_COMM_WORLD" 50 $((10 + others))
run "a part of the processes" half
without "a part of the processes" 50 $((20 + others))

# A step with three operations: a period of three stretches.
run "three operations" three
without "three operations" $((179 - 6 - 3 - 6)) $((16 + others))

# The regions around the operation are left and entered again around a gap, also if they differ from step to step.
run "a function around the operation" deep
without "a function around the operation" $((59 - 6 - 2 - 4)) $((13 + others))

# An inner loop whose repetitions are left out in each step.
run "an inner loop" inner FATHOM_TRACE_REPEAT=1
same "an inner loop: as much is left out by both ranks" "$(left 0)" "$(left 1)"
[ "$(left 0)" -ge 600 ] || bad "an inner loop: only $(left 0) of 1259 stretches are left out"

# What one process alone does differently stays in the traces of both.
run "one difference" once
same "one difference: stretches" "$(left 0)" "$(left 1)"
same "one difference: the calls of leaf in steps" 1 "$(($(grep -c 'ENTER .* 1 .*"leaf"' events.txt) - $(grep -c 'ENTER .* 0 .*"leaf"' events.txt)))"
run "a pause" off
same "a pause: stretches" "$(left 0)" "$(left 1)"
[ "$(left 0)" -ge 30 ] || bad "a pause: only $(left 0) stretches are left out"

# Nothing is left out where messages or requests are open at each operation, where processes do not wait for each
# other, and where several threads may call MPI. A line says so.
for mode in early open rooted threads; do
	run "$mode" $mode
	same "$mode: stretches left out" "0 0" "$(left 0) $(left 1)"
	grep -q 'FATHOM_TRACE_REPEAT left nothing out: ' err || bad "$mode: no line says that nothing was left out: $(cat err)"
done

# With other settings. A profile counts everything.
run "with a profile" loop FATHOM_MODE=profile,trace
without "with a profile" 50 $((10 + others))
same "with a profile: visits" 120 "$(visited "$dir/profile.cubex" | awk '$2 == "MPI_Allreduce" { print $1 }')"
run "with the granularity" loop FATHOM_TRACE_GRANULARITY=1000s
without "with the granularity" 50 $((10 + others))
run "with a window" loop FATHOM_TRACE_WINDOW=100:
without "with a window" 50 $((10 + others))
run "with a ring" loop FATHOM_TRACE_RING=1M
without "with a ring" 50 $((10 + others))
run "with counters" deep FATHOM_METRICS=rusage::minflt,rusage::nvcsw
without "with counters" $((59 - 6 - 2 - 4)) $((13 + others))
run "with samples" loop FATHOM_SAMPLING=1000 FATHOM_TRACE_SAMPLES=1000
same "with samples: stretches" "50 50" "$(left 0) $(left 1)"
run "with a limit and little memory" loop FATHOM_TRACE_LIMIT=1 FATHOM_TRACE_MEMORY=1
same "with a limit and little memory: stretches" "$(left 0)" "$(left 1)"

# A process that is killed: its trace has the gap, and what followed it.
rm -rf fathom-*
{ (ulimit -c 0; FATHOM_MODE=trace FATHOM_TRACE_REPEAT=2 timeout 60 "$MPIRUN" -n 2 ./prog aborts) > out 2> err; } 2> /dev/null
for one in fathom-*/rank-0 fathom-*; do [ -e "$one/traces.otf2" ] && break; done
sound "abort" "$one"
same "abort: stretches left out" 40 "$(left 0)"
verdict
