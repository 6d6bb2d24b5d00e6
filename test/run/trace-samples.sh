#!/bin/bash
# Samples in traces: calling contexts in place of regions, known chains of calls and lines in them, as many as there are
# to be, of every thread and rank, also after SIGKILL; and without the setting nothing of all this.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
have otf2-print || skip "no otf2-print (Debian: otf2-tools)"
export FATHOM_MODE=trace FATHOM_SAMPLING=1000 FATHOM_TRACE_SAMPLES=1000 OMP_WAIT_POLICY=passive

cat > work.h <<'C'
static volatile double sink;
__attribute__((noinline)) static void burn(long units)
{
	for (long i = 0; i < units; i++)
		sink = sink * 0.5 + (double)i; /* line burn */
}
C
cat > serial.c <<'C'
#include <stdlib.h>
#include "work.h"
__attribute__((noinline)) void hidden(long n)
{
	burn(n); /* line hidden */
	sink += 1;
}
__attribute__((noinline)) void seen(long n)
{
	hidden(n); /* line seen */
	burn(n); /* line own */
	sink += 1;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 20; i++)
		seen(atol(argv[1]));
	return argc != 2;
}
C
cat > threads.c <<'C'
#include <pthread.h>
#include <stddef.h>
#include "work.h"
__attribute__((noinline)) static void of_thread(long n) { burn(n); sink += 1; }
__attribute__((noinline)) static void of_team(long n) { burn(n); sink += 1; }
__attribute__((noinline)) static void of_task(long n) { burn(n); sink += 1; }
static void *run(void *data) { of_thread(40000000); return data; }
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
#pragma omp parallel num_threads(2)
	{
		of_team(20000000);
#pragma omp single
		for (int i = 0; i < 4; i++) {
#pragma omp task
			of_task(10000000);
		}
	}
	pthread_join(thread, NULL);
	return 0;
}
C
cat > ranks.c <<'C'
#include <mpi.h>
#include "work.h"
__attribute__((noinline)) static void of_first(long n) { burn(n); sink += 1; }
__attribute__((noinline)) static void of_second(long n) { burn(n); sink += 1; }
int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 4; i++) {
		if (rank == 0)
			of_first(20000000);
		else
			of_second(20000000);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
C
# Functions named here have no hooks, so only samples find them.
printf 'exclude %s\n' hidden burn of_thread of_team of_task of_first of_second > hidden.flt
export FATHOM_INSTRUMENT_MIN_INSNS=0
build() { "$FATHOM" --filter=hidden.flt "$@" 2> err || die "cannot build: $*: $(cat err)"; }
build "$CC" -g -O1 serial.c -o serial

# run WHAT COMMAND...: the one directory is in $dir.
run() {
	what=$1
	shift
	rm -rf fathom-* .fathom-trace-*
	FATHOM_VERBOSE=1 timeout -s KILL 120 "$@" > out 2> err || bad "$what: status $?: $(tail -n 3 err)"
	dir=$(experiment) || die "$what"
}
property() { "$FATHOM" report --trace "$dir" | awk -v name="FATHOM::$1" '$1 == name { print $2 }'; }
# samples: a line "count location chain" for each chain of calls with samples, of what otf2-print says; a chain is like
# main/seen:12/burn:5.
samples() {
	otf2-print -G "$dir/traces.otf2" > definitions.txt
	otf2-print "$dir/traces.otf2" > events.txt
	awk '
	FNR == NR && /^CALLING_CONTEXT / {
		id = $2; name = $0; sub(/^.*Region: "/, "", name); sub(/" <.*$/, "", name)
		line = $0; sub(/^.*Source code location: /, "", line)
		if (line ~ /^"/) { sub(/" <.*$/, "", line); sub(/^.*:/, "", line); name = name ":" line }
		parent = $0; sub(/^.*Parent: /, "", parent)
		if (parent ~ /</) { sub(/^.*</, "", parent); sub(/>.*$/, "", parent); name = chain[parent] "/" name }
		chain[id] = name
	}
	FNR < NR && /^CALLING_CONTEXT_SAMPLE / {
		id = $0; sub(/^.*Calling Context: "[^"]*" </, "", id); sub(/>.*$/, "", id)
		count[$2 " " chain[id]]++
	}
	END { for (one in count) print count[one], one }' definitions.txt events.txt | sort -k2
}
line() { grep -n "line $1 " "$2" | cut -d: -f1; }
sum() { awk '{ n += $1 } END { print n + 0 }' "$@"; }

# --- known chains, known lines, exact counts ---
run serial ./serial 10000000
sound serial "$dir"
nothing_hidden serial
samples > got
burn=$(line burn work.h)
cat > wanted <<W
0 serial/main/seen:$(line own serial.c)/burn
0 serial/main/seen:$(line seen serial.c)/hidden:$(line hidden serial.c)/burn
W
sed "s/:[0-9]*$//" got | awk '{ count[$2 " " $3] += $1 } END { for (one in count) print count[one], one }' | sort -k2 > chains
total=$(sum chains)
known=$(grep -F -f wanted chains | sum)
[ "$total" -ge 50 ] || bad "serial: only $total samples"
[ "$known" -ge $((total * 95 / 100)) ] || bad "serial: known chains have $known of $total samples: $(cat chains)"
while read -r chain; do
	count=$(grep -F -- "$chain" chains | sum)
	[ "$count" -ge $((total * 40 / 100)) ] && [ "$count" -le $((total * 60 / 100)) ] ||
		bad "serial: $chain has $count of $total samples"
done < wanted
in_line=$(grep -E "burn:($burn|$((burn - 1)))\$" got | sum)
[ "$in_line" -ge $((total * 95 / 100)) ] || bad "serial: $in_line of $total samples are in the loop: $(cat got)"
taken=$(sed -n 's/^fathom: \([0-9]*\) samples .*/\1/p' err)
same "serial: samples of the trace and of the run" "$taken" "$total"
same "serial: the property" "$taken" "$(property SAMPLES)"
same "serial: dropped" 0 "$(property DROPPED_SAMPLES)"
same "serial: plain enters" 0 "$(grep -cE '^(ENTER|LEAVE) ' events.txt)"
same "serial: enters" "$(grep -c '^CALLING_CONTEXT_LEAVE ' events.txt)" "$(grep -c '^CALLING_CONTEXT_ENTER ' events.txt)"
same "serial: visits of seen" 20 "$(grep -c '^CALLING_CONTEXT_ENTER .*"seen"' events.txt)"
contains "serial: the source" "$(grep '^INTERRUPT_GENERATOR ' definitions.txt)" '"time".*TIME.*DECIMAL.*-9.*Period: 1000000$'
if [ -n "$otf2_python" ]; then
	same "serial: Python" "$total" "$("$otf2_python" -c '
import otf2, sys
with otf2.reader.open(sys.argv[1]) as trace:
    print(sum(isinstance(event, otf2.events.CallingContextSample) and event.calling_context.region is not None and
              event.unwind_distance > 0 and event.interrupt_generator.name == "time" for _, event in trace.events))' \
		"$dir/traces.otf2")"
fi

# --- fewer samples; a profile has them all ---
export FATHOM_TRACE_SAMPLES=100
FATHOM_MODE=profile,trace run fewer ./serial 10000000
sound fewer "$dir"
samples > got
taken=$(sed -n 's/^fathom: \([0-9]*\) samples .*/\1/p' err)
same "fewer: one of ten" $((taken / 10)) "$(sum got)"
same "fewer: the profile" "$taken" "$(values samples "$dir/profile.cubex" | sum)"
contains "fewer: the period" "$(grep '^INTERRUPT_GENERATOR ' definitions.txt)" 'Period: 10000000$'

# --- many chunks, some of them written during the run ---
export FATHOM_TRACE_SAMPLES=1000
cat > many.c <<'C'
#include "work.h"
__attribute__((noinline)) void tiny(void) { burn(20); }
int main(void) { for (int i = 0; i < 400000; i++) tiny(); return 0; }
C
build "$CC" -g -O1 many.c -o many
FATHOM_TRACE_MEMORY=1M run many ./many
sound many "$dir"
samples > got
same "many: visits" 400000 "$(grep -c '^CALLING_CONTEXT_ENTER .*"tiny"' events.txt)"
same "many: samples" "$(property SAMPLES)" "$(sum got)"
grep -q '^BUFFER_FLUSH' events.txt || bad "many: no buffer was written during the run"

# fathom score predicts the size of the file, from a profile with more samples than the trace gets, or with none.
FATHOM_MODE=profile,trace FATHOM_TRACE_SAMPLES=500 run score ./many
bytes=$(stat -c %s "$dir/traces/0.evt")
cp "$dir/profile.cubex" sampled.cubex
FATHOM_MODE=profile FATHOM_TRACE_SAMPLES=0 FATHOM_SAMPLING=off run "score: no samples" ./many
for profile in sampled.cubex "$dir/profile.cubex"; do
	"$FATHOM" score --samples 500 --json "$profile" > score.json || bad "score: $profile"
	"$PYTHON3" -c '
import json, sys
predicted, bytes = json.load(open("score.json"))["total"]["bytes"], int(sys.argv[1])
assert abs(predicted - bytes) < 0.05 * bytes, (predicted, bytes)' "$bytes" 2> score.err || bad "score: $(tail -n 1 score.err)"
done
"$FATHOM" score --samples 99999 sampled.cubex 2> err && bad "score: 99999 samples: no error"
contains "score: 99999 samples" "$(cat err)" 'samples 99999: not a whole number from 0 to 10000'

# --- threads, teams, tasks ---
build "$CC" -g -O1 -fopenmp threads.c -o threads -lpthread
run threads ./threads
sound threads "$dir"
samples > got
for chain in '0 threads/main/!\$omp parallel @threads.c:[0-9]*(/[^/]*omp_fn[^/]*)?/of_team:[0-9]*/burn' \
	'[0-9]{5,} !\$omp parallel @threads.c:[0-9]*(/[^/]*omp_fn[^/]*)?/of_team:[0-9]*/burn' \
	'[0-9]+ !\$omp task @threads.c:[0-9]*(/[^/]*omp_fn[^/]*)?/of_task:[0-9]*/burn' \
	'[0-9]{5,} [^/]*/run:[0-9]*/of_thread:[0-9]*/burn'; do
	contains "threads" "$(cat got)" "^[0-9]+ $chain:[0-9]+\$"
done

# --- an unmodified program ---
"$CC" -g -O1 serial.c -o plain || die "cannot build serial.c"
run unmodified "$FATHOM" run ./plain 10000000
sound unmodified "$dir"
samples > got
contains "unmodified" "$(cat got)" " 0 plain/main:[0-9]+/seen:$(line own serial.c)/burn:"

# --- ranks whose contexts differ ---
if have_mpi; then
	build "$MPICC" -g -O1 ranks.c -o ranks
	run ranks "$MPIRUN" -n 2 ./ranks
	sound ranks "$dir"
	samples > got
	contains ranks "$(cat got)" " 0 ranks/main:?[0-9]*/of_first:[0-9]+/burn:"
	contains ranks "$(cat got)" " 1 ranks/main:?[0-9]*/of_second:[0-9]+/burn:"
	same "ranks: strangers" "" "$(grep -E ' 0 .*of_second| 1 .*of_first' got)"
	same "ranks: sources" 1 "$(grep -c '^INTERRUPT_GENERATOR ' definitions.txt)"
fi

# --- a program that is killed, or crashes ---
rm -rf fathom-* .fathom-trace-*
./serial 1000000000000 2> err &
pid=$!
for _ in $(seq 200); do
	ls fathom-*/profile.snapshot > /dev/null 2>&1 && break
	sleep 0.05
done
sleep 1.5
kill -KILL $pid
{ wait $pid; } 2> /dev/null
if ls fathom-*/profile.snapshot > /dev/null 2>&1; then
	dir=$(experiment) || die killed
	"$FATHOM" merge "$dir" > out 2>&1 || bad "killed: $(cat out)"
	sound killed "$dir"
	samples > got
	contains killed "$(cat got)" " 0 serial/main/seen:$(line seen serial.c)/hidden:$(line hidden serial.c)/burn:"
else
	left_out "killed programs: there are no snapshots here"
fi
rm -rf fathom-* .fathom-trace-*
./serial 1000000000000 2> err &
pid=$!
sleep 1
kill -SEGV $pid
{ wait $pid; } 2> /dev/null
dir=$(experiment) || die crashed
sound crashed "$dir"
samples > got
contains crashed "$(cat got)" " 0 serial/main/seen:$(line seen serial.c)/hidden:$(line hidden serial.c)/burn:"

# --- without the setting, and with one that cannot be ---
unset FATHOM_TRACE_SAMPLES
run without ./serial 1000000
sound without "$dir"
same "without: contexts" "" "$(otf2-print "$dir/traces.otf2" | grep CALLING)"
same "without: definitions" "" "$(otf2-print -G "$dir/traces.otf2" | grep -E '^(CALLING_CONTEXT|INTERRUPT_GENERATOR|SOURCE_CODE)')"
same "without: the property" "" "$(property SAMPLES)"
rm -rf fathom-*
FATHOM_TRACE_SAMPLES=100 FATHOM_SAMPLING=off ./serial 1 2> err && bad "no samples to record: no error"
contains "no samples to record" "$(cat err)" 'FATHOM_TRACE_SAMPLES is 100, but FATHOM_SAMPLING=off takes no samples'
FATHOM_TRACE_SAMPLES=many ./serial 1 2> err && bad "many samples: no error"
contains "many samples" "$(cat err)" 'FATHOM_TRACE_SAMPLES.*many.*number'
same "nothing was made" "" "$(ls -d fathom-* .fathom-trace-* 2> /dev/null)"
verdict
