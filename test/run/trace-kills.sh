#!/bin/bash
# SIGKILL while a trace is recorded: whenever it comes, fathom merge makes a sound trace of the last snapshot and the files of
# events. KILLS says how many kills there are (12; more in the long form: make check TESTS=test/run/trace-kills.sh KILLS=500).
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
prog=$srcdir/test/run/kills/prog.c
KILLS=${KILLS:-12}
export FATHOM_INSTRUMENT_MIN_INSNS=0 FATHOM_MODE=trace

build() { "$FATHOM" "$@" -O1 -g "$prog" -lpthread 2> build.err || { cat build.err >&2; die "cannot build: $*"; }; }
build "$CC" -o serial
build "$CC" -DTHREADS=3 -o threads
"$CC" -O1 "$prog" -o plain -lpthread || die "cannot build prog.c"
"$FATHOM" "$CC" -O1 -g -fopenmp "$prog" -o openmp 2> build.err || rm -f openmp

# wait_for COUNT: until so many processes count in map.
wait_for() {
	for _ in $(seq 1000); do
		[ -e map ] && [ "$(./plain pids map | wc -l)" -ge "$1" ] && return
		sleep 0.02
	done
	bad "the program did not begin"
}

# Where the library has no snapshots there is nothing to test; it says why.
FATHOM_VERBOSE=1 ./serial map 2> err &
pid=$!
wait_for 1
ls fathom-*/profile.snapshot > /dev/null 2>&1 || no_snapshot="no snapshot: $(sed -n 's/^fathom: FATHOM_SNAPSHOT: //p' err | head -1)"
kill -KILL $pid
{ wait $pid; } 2> /dev/null
[ -z "${no_snapshot:-}" ] || skip "$no_snapshot"

clean() { rm -rf map fathom-* .fathom-trace-*; }

# wait_for_end: until the processes that counted in map have ended; mpirun may end before them.
wait_for_end() {
	for pid in $(./plain pids map); do
		for _ in $(seq 500); do
			kill -0 "$pid" 2> /dev/null || break
			sleep 0.02
		done
	done
}

# judge WHAT THREADS DIR...: all traces together against the program's own count. A call of step that has not counted yet may be
# in the trace; so each thread has one more at most.
judge() {
	what=$1 most_more=$2
	shift 2
	read -r count before life <<< "$(./plain truth map)"
	got=0
	for one; do
		sound "$what" "$one" || return
		got=$((got + $(enters "$one" | awk '$2 == "step" { print $1 }')))
	done
	[ "$got" -le $((count + most_more)) ] && [ "$got" -ge "$before" ] ||
		bad "$what: killed after $life s with $count calls, $before of them 2 s before: the trace has $got"
}

# kill_one COMMAND: a kill at some time; sets dir.
kill_one() {
	clean
	"$@" map 2> err &
	pid=$!
	wait_for 1
	sleep "$(awk -v number="$RANDOM" 'BEGIN { x = number / 32768; printf "%.3f", x < 0.8 ? x * 0.3 : x * 2 }')"
	kill -KILL $pid
	{ wait $pid; } 2> /dev/null
	dir=$(experiment) || { bad "$1: no directory is left"; return 1; }
}

merge() { "$FATHOM" merge "$dir" > out 2>&1 || { bad "$1: $(cat out)"; return 1; }; }

# --- one process -----------------------------------------------------------------------------------

for i in $(seq "$KILLS"); do
	program=serial threads=1
	case $((i % 4)) in
	1) program=threads threads=3 ;;
	3) if [ -e openmp ]; then program=openmp threads=2; fi ;;
	esac
	# Now and then buffers are so small that most events are in the file.
	[ $((i % 3)) -ne 0 ] || export FATHOM_TRACE_MEMORY=800k
	kill_one ./$program && merge $program && judge $program $threads "$dir"
	[ ! -e "$dir/profile.cubex" ] || bad "FATHOM_MODE=trace made a profile"
	unset FATHOM_TRACE_MEMORY
done

# What people read.
kill_one ./serial
contains "report" "$("$FATHOM" report "$dir" 2>&1)" "the program was killed .* with: fathom merge $dir$"
contains "report of the newest" "$("$FATHOM" report 2>&1)" "with: fathom merge $dir$"
contains "report --trace" "$("$FATHOM" report --trace "$dir" 2>&1)" "with: fathom merge $dir$"
contains "merge" "$("$FATHOM" merge "$dir" 2>&1)" "^$dir/traces.otf2: made from the last run snapshot: the program was killed$"
contains "report of the trace" "$("$FATHOM" report "$dir" 2>&1)" "step"
contains "merge again" "$("$FATHOM" merge "$dir" 2>&1)" "nothing in it that can be put together$"
# The next run leaves the files of events alone as long as the snapshot is there.
FATHOM_NAME=another timeout -s INT 1 ./serial other 2> err
[ -d .fathom-trace-*-$pid-* ] || bad "the next run removed the events of a killed one"
rm -rf fathom-* another
FATHOM_NAME=another timeout -s INT 1 ./serial other 2> err
nothing_hidden "after the experiment directory was removed"
rm -rf another other

# Moved to another place together.
kill_one ./threads
mkdir elsewhere && mv "$dir" .fathom-trace-* elsewhere
"$FATHOM" merge elsewhere/"$dir" > out 2>&1 || bad "moved: $(cat out)"
judge "moved" 3 elsewhere/"$dir"
rm -rf elsewhere

# Killed while it put the trace together: some files of events are in the experiment directory already, and maybe an
# earlier fathom merge was killed as well.
for state in moving anchor merging; do
	kill_one ./threads
	hidden=$(echo .fathom-trace-*)
	mkdir "$dir/traces"
	: > "$dir/traces.def"
	if [ $state = anchor ]; then
		: > "$dir/traces.otf2"
	else
		for id in 0 2; do mv "$hidden/events/$id.evt" "$dir/traces/$((id << 32)).evt" 2> /dev/null; done
		: > "$dir/traces.otf2.part"
	fi
	if [ $state = merging ]; then
		mv "$dir/traces" "$dir/traces.killed"
		mkdir "$dir/traces"
		: > "$dir/traces/0.evt"
		: > "$dir/traces/0.def"
	fi
	merge "$state" && judge "$state" 3 "$dir"
	[ ! -e "$dir/traces.killed" ] && [ ! -e "$dir/traces.otf2.part" ] || bad "$state: left: $(ls "$dir")"
done

# Both results, and either of them where the other one is there already.
export FATHOM_MODE=profile,trace
kill_one ./threads
merge "both" && judge "both" 3 "$dir" && check_profile "$dir/profile.cubex"
same "the same moment" "$(values visits "$dir/profile.cubex" | awk '$2 ~ /\/step$/ { sum += $1 } END { print (sum > 0) }')" 1
rm -rf "$dir"/traces*
merge "the trace alone" && judge "the trace alone" 3 "$dir"
export FATHOM_MODE=trace

# Damaged and cut files: what is whole, and a line.
kill_one ./serial
cp -r "$dir" whole
cp -r .fathom-trace-* events
for part in 3 5 7; do
	rm -rf "$dir"
	cp -r whole "$dir"
	bytes=$(stat -c %s "$dir/profile.snapshot")
	truncate -s $((bytes * part / 8)) "$dir/profile.snapshot"
	if "$FATHOM" merge "$dir" > out 2> err; then
		# A region may be unknown now, which is no fault of the trace.
		[ ! -x "$FATHOM-check" ] || "$FATHOM" check "$dir" > out 2>&1 || bad "cut to $part/8: $(cat out)"
	else
		contains "cut to $part/8" "$(lines_said err) $(cat err)" "^1 fathom merge: "
	fi
done
rm -rf "$dir" .fathom-trace-*
cp -r whole "$dir"
"$FATHOM" merge "$dir" > out 2> err && sound "without events" "$dir"
contains "without events" "$(cat err)" "the directory of its events, .*, is missing"
rm -rf whole events

# Counters.
if "$FATHOM" metrics 2> /dev/null | grep -q 'perf::PAGE-FAULTS'; then
	export FATHOM_METRICS=perf::PAGE-FAULTS
	kill_one ./threads && merge "counters" && judge "counters" 3 "$dir"
	[ ! -s events.txt ] || contains "counters" "$(grep -m1 METRIC events.txt)" "PAGE-FAULTS"
	unset FATHOM_METRICS
fi

# LLVM's runtime: tasks, and teams inside of teams.
cat > tasks.c <<'C'
#include <stdio.h>
#include <unistd.h>
static volatile long sink;
static void leaf(long n) { for (long i = 0; i < 100 + n % 7; i++) sink += i; }
__attribute__((noinline)) static void tree(int depth)
{
	if (depth == 0) { leaf(depth); return; }
	for (int i = 0; i < 2; i++) {
#pragma omp task
		tree(depth - 1);
	}
#pragma omp taskwait
}
int main(int argc, char **argv)
{
	FILE *begun = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (begun) fclose(begun);
	for (;;) {
#pragma omp parallel num_threads(2)
		{
#pragma omp single
			tree(6);
#pragma omp parallel num_threads(2)
			leaf(1);
		}
	}
}
C
for compiler in "$CC" clang; do
	[ "$compiler" = "$CC" ] || command -v clang > /dev/null || continue
	"$FATHOM" "$compiler" -O1 -g -fopenmp tasks.c -o tasks 2> build.err || continue
	for _ in 1 2; do
		clean
		./tasks map 2> err &
		pid=$!
		for _ in $(seq 500); do [ -e map ] && break; sleep 0.02; done
		sleep "$(awk -v number="$RANDOM" 'BEGIN { printf "%.3f", 0.1 + number / 32768 }')"
		kill -KILL $pid
		{ wait $pid; } 2> /dev/null
		dir=$(experiment) && merge "tasks with $compiler" && sound "tasks with $compiler" "$dir"
	done
done

# --- MPI ------------------------------------------------------------------------------------------------

if have_mpi; then
	build "$MPICC" -DWITH_MPI -o ranks
	for mode in trace profile,trace; do
		clean
		export FATHOM_MODE=$mode
		timeout -k 5 60 $MPIRUN -n 2 ./ranks map > out 2>&1 &
		mpirun=$!
		wait_for 2
		sleep 0.7
		kill -KILL $(./plain pids map)
		{ wait $mpirun; } 2> /dev/null
		wait_for_end
		dir=$(experiment) || bad "MPI, $mode: no directory is left"
		contains "MPI, $mode" "$("$FATHOM" merge "$dir" 2>&1)" "traces.otf2: made from the last run snapshots: 2 ranks were killed$"
		judge "MPI, $mode" 2 "$dir"
	done
	[ -e "$dir/profile.cubex" ] || bad "MPI, profile,trace: no profile"
	# One of two snapshots is lost: a trace of one rank, in which the other one has a place.
	rm -rf "$dir"/traces* "$dir"/profile.cubex "$dir/rank-0.snapshot"
	contains "MPI, one snapshot" "$("$FATHOM" merge "$dir" 2>&1)" "traces of 1 ranks that were killed, each in rank-N"
	sound "MPI, one snapshot" "$dir/rank-1"
	# One rank calls MPI_Abort and saves its trace, which kills the other.
	clean
	export FATHOM_MODE=trace
	timeout -k 5 60 $MPIRUN -n 2 ./ranks map abort > out 2>&1
	wait_for_end
	dir=$(experiment) || bad "MPI_Abort: no directory is left"
	"$FATHOM" merge "$dir" > out 2>&1
	for rank in 0 1; do sound "MPI_Abort, rank $rank" "$dir/rank-$rank"; done
fi

# Messages and communicators; several ranks, one trace.
if have_mpi; then
	cat > ring.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static void step(int rank, int size, MPI_Comm comm, int n)
{
	int to = (rank + 1) % size, from = (rank + size - 1) % size, got;
	MPI_Request request;
	MPI_Irecv(&got, 1, MPI_INT, from, n % 5, comm, &request);
	MPI_Send(&n, 1, MPI_INT, to, n % 5, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (n % 50 == 0) MPI_Allreduce(MPI_IN_PLACE, &got, 1, MPI_INT, MPI_MAX, comm);
}
int main(int argc, char **argv)
{
	int rank, size, part_rank, part_size, periods = 1;
	MPI_Comm half, ring;
	char path[64];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
	MPI_Comm_rank(half, &part_rank);
	MPI_Comm_size(half, &part_size);
	snprintf(path, sizeof(path), "pid.%d", rank);
	FILE *file = fopen(path, "w");
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	for (int n = 0;; n++) {
		step(rank, size, ring, n);
		step(part_rank, part_size, half, n);
		usleep(200);
	}
}
C
	"$FATHOM" "$MPICC" -O1 -g ring.c -o ring 2> build.err || die "cannot build ring.c: $(cat build.err)"
	clean
	rm -f pid.*
	timeout -k 5 60 $MPIRUN -n 4 ./ring > out 2>&1 &
	mpirun=$!
	for _ in $(seq 1500); do [ "$(cat pid.* 2> /dev/null | wc -l)" = 4 ] && break; sleep 0.02; done
	sleep 1.3
	cat pid.* > map
	kill -KILL $(cat map)
	{ wait $mpirun; } 2> /dev/null
	for pid in $(cat map); do while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done; done
	dir=$(experiment) || bad "ring: no directory is left"
	contains "ring" "$("$FATHOM" merge "$dir" 2>&1)" "traces.otf2: made from the last run snapshots: 4 ranks were killed$"
	sound "ring" "$dir"
	[ ! -s events.txt ] || [ "$(grep -c '^MPI_RECV\|^MPI_IRECV ' events.txt)" -gt 100 ] || bad "ring: hardly any messages"
fi
verdict
