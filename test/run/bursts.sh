#!/bin/bash
# FATHOM_BURSTS: the bursts that a run records are those of a trace of the same run, in all counts, times, call paths and counters.
. "${srcdir:?}/test/lib.sh" || exit 99
print=$builddir/test/run/print_bursts
[ -x "$print" ] || skip "OTF2 not found when configure ran (Debian: libopen-trace-format2-dev)"
have_traces || skip "no traces in this build"
export FATHOM_BURSTS=on FATHOM_MODE=profile

# agree WHAT DIR [OPTION...]: the bursts of the file are those of the trace; says how many there are.
agree() {
	"$print" "$2/traces.otf2" > trace.txt 2> trace.err || bad "$1: $(cat trace.err)"
	"$print" "$2/bursts.bin" > file.txt 2> file.err || bad "$1: $(cat file.err)"
	same "$1: interrupted and dropped" "$(cat trace.err)" "$(cat file.err)"
	"$PYTHON3" "$srcdir/test/run/compare_bursts.py" trace.txt file.txt "${@:3}" > number 2> err || bad "$1: $(cat err)"
}
# check_file FILE: prints how many bursts it has, and what was left out.
check_file() { "$print" "$1" 2> err | grep -c ''; cat err; }

# --- threads: 4 bursts for each round, and 4 more ------------------------------------------------------------
"$FATHOM" "$CC" -O1 -g -pthread "$srcdir/test/run/bursts_threads.c" -o run_threads 2> err || die "cannot build: $(cat err)"
FATHOM_NAME=threads FATHOM_MODE=profile,trace ./run_threads 20 2> err || bad "threads: exit $?"
agree "threads" threads threads
same "threads" 84 "$(cat number)"
FATHOM_NAME=counted FATHOM_MODE=profile,trace FATHOM_METRICS=rusage::minflt,rusage::nvcsw ./run_threads 20 2> err || bad "counters: exit $?"
agree "counters" counted threads
contains "counters" "$(head -1 file.txt)" 'rusage::minflt=[0-9]+	rusage::nvcsw=[0-9]'

# Bursts that memory has no room for are in a file meanwhile; those beyond 15 times as much are counted.
FATHOM_NAME=spilled FATHOM_BURSTS=1M ./run_threads 40000 2> err || bad "spilled: exit $?"
same "spilled" "160004 0 interrupted, 0 dropped" "$(echo $(check_file spilled/bursts.bin))"
same "spilled: all are in the order of time" "" "$("$print" spilled/bursts.bin 2> err | awk -F '\t' '$3 < end[$2] - 1 { print; exit } { end[$2] = $3 + $4 }')"
FATHOM_NAME=dropped FATHOM_BURSTS=1M ./run_threads 200000 2> err || bad "dropped: exit $?"
contains "dropped" "$(cat err)" '^fathom: [0-9]* bursts were dropped, because they had no room in memory: give FATHOM_BURSTS a larger size$'
check_file dropped/bursts.bin > found
same "dropped: none is lost without being counted" 800004 "$(awk '/dropped/ { $1 = $3 } { sum += $1 } END { print sum }' found)"
[ "$(head -1 found)" -gt 300000 ] || bad "dropped: only $(head -1 found) bursts were kept"

# A crash saves them; without the setting there is no file, and no program has more bursts than one without calls.
FATHOM_NAME=crashed ./run_threads 20 crash 2> err && bad "crash: exit 0"
same "crash" "84 0 interrupted, 0 dropped" "$(echo $(check_file crashed/bursts.bin))"
FATHOM_NAME=without FATHOM_BURSTS=off ./run_threads 20 2> err || bad "off: exit $?"
[ ! -e without/bursts.bin ] || bad "a file of bursts without the setting"
echo 'int main(void) { return 0; }' > alone.c
"$FATHOM" "$CC" alone.c -o run_alone 2> err || die "cannot build: $(cat err)"
FATHOM_NAME=alone ./run_alone 2> err || bad "alone: exit $?"
same "alone" "1 0 interrupted, 0 dropped" "$(echo $(check_file alone/bursts.bin))"

# --- commands ---------------------------------------------------------------------------------------------------
clusters=$builddir/fathom-clusters
"$clusters" spilled > out 2> err || bad "clusters: exit $?: $(cat err)"
contains "clusters" "$(cat out)" '^Bursts +160004 bursts of 2 threads'
"$clusters" alone > out 2> err || bad "clusters: exit $?: $(cat err)"
contains "clusters: a program without calls" "$(cat out)" '^No calls +of MPI, OpenMP, threads or files: .* one burst$'
"$clusters" --histogram spilled > out 2> err || bad "histogram: exit $?: $(cat err)"
"$clusters" dropped > out 2> err || bad "clusters: exit $?: $(cat err)"
contains "clusters: dropped" "$(cat out)" '^Left out +[0-9]* that had no room: give FATHOM_BURSTS a larger size$'
"$clusters" --json --share 100 threads/bursts.bin > of_file.json 2> err && "$clusters" --json --share 100 threads > of_trace.json 2> err ||
	bad "clusters: exit $?: $(cat err)"
same "clusters: bursts from file and trace" "84 84" "$("$PYTHON3" -c '
import json
print(*(sum(x["bursts"] for x in json.load(open(name))["clusters"]) for name in ("of_file.json", "of_trace.json")))')"
"$clusters" --trace copy spilled > out 2> err && bad "clusters --trace without a trace: exit 0"
contains "clusters --trace" "$(cat err)" '^fathom clusters: --trace: spilled/bursts.bin is no trace that can be copied$'
"$builddir/fathom-track" spilled spilled > out 2> err || bad "track: exit $?: $(cat err)"
"$builddir/fathom-fold" spilled > out 2> err && bad "fold without a trace: exit 0"
contains "fold" "$(cat err)" '^fathom fold: spilled: has no trace: a recorded burst has a begin and an end only, and folding needs .* FATHOM_MODE=trace'
same "fold: one line" 1 "$(lines_said err)"
"$builddir/fathom-fold" spilled/bursts.bin > out 2> err && bad "fold of bursts: exit 0"
contains "fold" "$(cat err)" '^fathom fold: spilled/bursts.bin: has no trace: a recorded burst'
"$builddir/fathom-fold" spilled/profile.cubex > out 2> err && bad "fold of a profile: exit 0"
contains "fold" "$(cat err)" '^fathom fold: spilled/profile.cubex: has no trace: a profile has sums only'
"$builddir/fathom-fold" threads > out 2> err
grep -q "has no trace" err && bad "fold of a trace with bursts: $(cat err)"
"$builddir/fathom-whatif" spilled --faster cluster:1=2 > out 2> err || bad "whatif: exit $?: $(cat err)"
contains "whatif" "$(cat out)" 'cluster:1=2: [0-9.]+% of the time, speed-up at most 1'
"$clusters" without > out 2> err && bad "clusters without bursts: exit 0"
contains "clusters without bursts" "$(cat err)" 'no trace in it .*, and no bursts \(FATHOM_BURSTS=on\)$'

# Damage is found, and named.
for place in 3 9 13 20 40 2000 -3; do
	cp threads/bursts.bin damaged.bursts.bin
	"$PYTHON3" -c '
import sys
data, place = bytearray(open("damaged.bursts.bin", "rb").read()), int(sys.argv[1])
data[place] ^= 0x40
open("damaged.bursts.bin", "wb").write(data)' $place
	"$clusters" damaged.bursts.bin > out 2> err && bad "damage at $place: exit 0"
	same "damage at $place: one line" 1 "$(lines_said err)"
	contains "damage at $place" "$(cat err)" '^fathom clusters: damaged.bursts.bin: '
done
for length in 0 10 16 30 500 2000; do
	head -c $length threads/bursts.bin > cut.bursts.bin
	"$clusters" cut.bursts.bin > out 2> err && bad "cut at $length: exit 0"
	contains "cut at $length" "$(cat err)" '^fathom clusters: cut.bursts.bin: '
done

# --- OpenMP: teams, constructs, explicit tasks --------------------------------------------------------------------
echo 'int main(void) { return 0; }' > omp.c
if "$FATHOM" "$CC" -fopenmp omp.c -o omp 2> err; then
	"$FATHOM" "$CC" -O1 -g -fopenmp "$srcdir/test/run/bursts_openmp.c" -o run_openmp 2> err || die "cannot build: $(cat err)"
	FATHOM_NAME=teams FATHOM_MODE=profile,trace ./run_openmp 5 2> err || bad "teams: exit $?"
	agree "teams" teams
	[ "$(cat number)" -gt 100 ] || bad "teams: only $(cat number) bursts"
	FATHOM_NAME=tasks FATHOM_MODE=profile,trace ./run_openmp 5 10 2> err || bad "tasks: exit $?"
	agree "tasks" tasks tasks
	[ "$(cat number)" -gt 200 ] || bad "tasks: only $(cat number) bursts"
else
	left_out "no OpenMP"
fi

# --- MPI: calls, functions that MPI calls, a pause, ranks that end early ---------------------------------------------
have_mpi || { left_out "no MPI"; verdict; }
"$FATHOM" "$MPICC" -O1 -g -I"$srcdir/include" "$srcdir/test/run/bursts_mpi.c" -o run_ranks 2> err || die "cannot build: $(cat err)"
FATHOM_NAME=ranks FATHOM_MODE=profile,trace "$MPIRUN" -n 2 ./run_ranks 20 > out 2>&1 || bad "MPI: exit $?: $(cat out)"
agree "MPI" ranks
same "MPI" 126 "$(cat number)"
same "MPI: a pause interrupts two bursts of each rank" "4 interrupted, 0 dropped" "$(cat file.err)"
rm -rf ranks.trace && mkdir ranks.trace && mv ranks/traces* ranks.trace
"$clusters" ranks > out 2> err || bad "clusters: exit $?: $(cat err)"
contains "clusters of two ranks" "$(cat out)" '^Bursts +126 bursts of 2 threads'
contains "clusters of two ranks" "$(cat out)" '^Left out +4 in which measurement was off'
FATHOM_NAME=early "$MPIRUN" -n 2 ./run_ranks 20 exit > out 2>&1
"$FATHOM" merge early > out 2> err || bad "merge: exit $?: $(cat err)"
[ -e early/bursts.bin ] || bad "merge: no bursts.bin: $(ls early)"
contains "merge" "$(check_file early/bursts.bin)" '^0 interrupted, 0 dropped$'
verdict
