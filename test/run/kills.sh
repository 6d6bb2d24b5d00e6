#!/bin/bash
# SIGKILL: whenever it comes, a snapshot is there of which fathom merge makes a profile that is at most about a second old.
# KILLS says how many kills there are (50; 1000 in the long form: make check TESTS=test/run/kills.sh KILLS=1000).
. "${srcdir:?}/test/lib.sh" || exit 99
prog=$srcdir/test/run/kills/prog.c
KILLS=${KILLS:-50}
export FATHOM_INSTRUMENT_MIN_INSNS=0

build() { "$FATHOM" "$@" -O1 -g "$prog" -lpthread 2> build.err || { cat build.err >&2; die "cannot build: $*"; }; }
build "$CC" -o serial
"$CC" -O1 "$prog" -o plain -lpthread || die "cannot build prog.c"

# Where the library has no snapshots there is nothing to test; it says why.
FATHOM_VERBOSE=1 timeout -s KILL 1 ./serial map 2> err
ls fathom-*/profile.snapshot > /dev/null 2>&1 || skip "$(sed -n 's/^fathom: FATHOM_SNAPSHOT: //p' err | head -1)"
rm -rf fathom-* map

# wait_for MAP COUNT: until so many processes count there.
wait_for() {
	for _ in $(seq 1000); do
		[ -e "$1" ] && [ "$(./plain pids "$1" | wc -l)" -ge "$2" ] && return
		sleep 0.02
	done
	bad "the program did not begin"
}

# wait_for_end MAP: until the processes that counted there have ended; mpirun may end before them.
wait_for_end() {
	for pid in $(./plain pids "$1"); do
		for _ in $(seq 500); do
			kill -0 "$pid" 2> /dev/null || break
			sleep 0.02
		done
	done
}

# visits FILE: of step, all call paths together.
visits() { values visits "$1" | awk '/\/step$/ { sum += $1 } END { print sum + 0 }'; }

# The process is started now, and has ended now.
begins() { begin=$(date +%s.%N); }
ends() { end=$(date +%s.%N); }

# judge WHAT THREADS FILE: against the program's own count. The program notes no time before main, nor while it gets no
# processor, but the profile has such times: so no more than the time from begins to ends is allowed for each thread.
judge() {
	read -r count before life <<< "$(./plain truth map)"
	got=$(visits "$3")
	[ "$got" -le $((count + $2)) ] && [ "$got" -ge "$before" ] ||
		bad "$1: killed after $life s with $count calls, $before of them 2 s before: the profile has $got"
	values time "$3" | awk -v life="$life" -v wall="$(awk "BEGIN { print $end - $begin }")" -v threads="$2" '{ sum += $1 }
		END { exit !(sum <= wall * threads + 0.01 && sum >= life - 2) }' ||
		bad "$1: killed after $life s, the profile has $(values time "$3" | awk '{ sum += $1 } END { print sum }') s;" \
			"begun at $begin, ended at $end"
}

# kill_and_judge WHAT THREADS COMMAND: a kill at some time.
kill_and_judge() {
	rm -rf map fathom-*
	begins
	"$3" map 2> err &
	pid=$!
	wait_for map 1
	# Mostly early, now and then after the period of a second.
	sleep "$(awk -v number="$RANDOM" 'BEGIN { x = number / 32768; printf "%.3f", x < 0.85 ? x * 0.3 : x * 2 }')"
	kill -KILL $pid
	{ wait $pid; } 2> /dev/null
	ends
	dir=$(experiment) || { bad "$1: no directory is left"; return; }
	"$FATHOM" merge "$dir" > out 2>&1 || { bad "$1: $(cat out)"; return; }
	judge "$1" "$2" "$dir/profile.cubex"
}

# --- one thread ------------------------------------------------------------------------------------

build "$CC" -DTHREADS=3 -o threads
"$FATHOM" "$CC" -O1 -g -fopenmp "$prog" -o openmp 2> build.err || rm -f openmp
for i in $(seq "$KILLS"); do
	case $((i % 5)) in
	1) kill_and_judge "3 threads" 3 ./threads ;;
	3) if [ -e openmp ]; then kill_and_judge "OpenMP" 2 ./openmp; fi ;;
	*) kill_and_judge "serial" 1 ./serial ;;
	esac
done

# What people read.
kill_and_judge "serial" 1 ./serial
rm "$dir/profile.cubex"
contains "report" "$("$FATHOM" report "$dir" 2>&1)" "the program was killed .* with: fathom merge $dir$"
contains "report of the newest" "$("$FATHOM" report 2>&1)" "with: fathom merge $dir$"
contains "merge" "$("$FATHOM" merge "$dir")" "^$dir/profile.cubex: made from the last run snapshot: the program was killed$"
contains "note" "$("$FATHOM" report "$dir")" "^! Not complete: the program was killed; its last snapshot is of$"
check_profile "$dir/profile.cubex"

# Functions have names only if the program is still the one that ran.
rm "$dir/profile.cubex"
cp serial other && build "$CC" -Dsink=other -o serial
"$FATHOM" merge -o renamed.cubex "$dir" > out 2> err || bad "program changed: $(cat err)"
contains "program changed" "$(cat err)" "/serial: not the file that the program ran"
contains "program changed" "$(values visits renamed.cubex)" 'serial\+0x[0-9a-f]+'
mv other serial

# While it runs: looked at, but nothing is put where its result will come.
rm -rf map fathom-*
./serial map 2> err &
pid=$!
wait_for map 1
dir=$(experiment)
sleep 0.3
contains "running" "$("$FATHOM" merge "$dir" 2>&1)" "still running .-o FILE.cubex"
[ ! -e "$dir/profile.cubex" ] || bad "running: a profile was made"
contains "running" "$("$FATHOM" report "$dir" 2>&1)" "still running; .* fathom merge -o FILE.cubex $dir$"
contains "running, newest" "$("$FATHOM" report 2>&1)" "^fathom report: $dir: the program is still running; "
"$FATHOM" merge -o now.cubex "$dir" > out && [ "$(visits now.cubex)" -gt 0 ] || bad "running: no profile of it"
contains "running" "$(cat out)" "^now.cubex: made from the last run snapshot: the program is still running$"
# A signal that can be caught, and nothing remains of the snapshot.
kill -TERM $pid
{ wait $pid; } 2> /dev/null
same "ended by SIGTERM" "MANIFEST.md profile.cubex settings.txt" "$(echo $(ls "$dir"))"

# Another directory, and none.
rm -rf map fathom-*
FATHOM_SNAPSHOT=$PWD/elsewhere timeout -s KILL 1 ./serial map 2> err
[ -d elsewhere ] && bad "a directory that is not there was made"
mkdir elsewhere
FATHOM_SNAPSHOT=$PWD/elsewhere timeout -s KILL 1 ./serial map 2> err
"$FATHOM" merge -o there.cubex elsewhere/fathom-* > out 2>&1 && [ "$(visits there.cubex)" -gt 0 ] ||
	bad "FATHOM_SNAPSHOT=DIRECTORY: $(cat out)"
rm -rf fathom-* elsewhere
FATHOM_SNAPSHOT=off timeout -s KILL 1 ./serial map 2> err
same "FATHOM_SNAPSHOT=off" "" "$(ls -d fathom-* 2> /dev/null)"
contains "a wrong setting" "$(FATHOM_SNAPSHOT=2 ./serial map 2>&1)" "FATHOM_SNAPSHOT=2 cannot be used: allowed is off, a time"

# Counters.
if "$FATHOM" metrics 2> /dev/null | grep -q 'perf::PAGE-FAULTS'; then
	rm -rf map fathom-*
	begins
	FATHOM_METRICS=perf::PAGE-FAULTS timeout -s KILL 1 ./serial map 2> err
	ends
	dir=$(experiment) && "$FATHOM" merge "$dir" > out 2>&1 || bad "counters: $(cat out)"
	values "perf::PAGE-FAULTS" "$dir/profile.cubex" | awk '{ sum += $1 } END { exit !(sum > 0) }' || bad "counters: none"
	judge "counters" 1 "$dir/profile.cubex"
fi

# A program of one thread may end by the system call exit, which ends that thread alone: the snapshot's thread does not keep
# the process, and the exit code is the program's.
cat > alone.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { usleep(100000); syscall(SYS_exit, 7); return 0; }
C
instrument alone.c -o alone
timeout -s KILL 60 ./alone 2> err
same "the system call exit" 7 $?

# --- MPI ------------------------------------------------------------------------------------------------

if [ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ]; then
	build "$MPICC" -DWITH_MPI -o ranks
	rm -rf map fathom-*
	begins
	timeout -k 5 60 $MPIRUN -n 2 ./ranks map > out 2>&1 &
	mpirun=$!
	wait_for map 2
	sleep 0.7
	kill -KILL $(./plain pids map)
	{ wait $mpirun; } 2> /dev/null
	wait_for_end map
	ends
	dir=$(experiment) || bad "MPI: no directory is left"
	contains "MPI" "$("$FATHOM" merge "$dir" 2>&1)" "profile.cubex: 2 ranks put together, 2 of them killed$"
	judge "MPI" 2 "$dir/profile.cubex"
	# One rank calls MPI_Abort and saves its profile, which kills the other.
	rm -rf map fathom-*
	timeout -k 5 60 $MPIRUN -n 2 ./ranks map abort > out 2>&1
	wait_for_end map
	dir=$(experiment) || bad "MPI_Abort: no directory is left"
	contains "MPI_Abort" "$("$FATHOM" merge "$dir" 2>&1)" "profile.cubex: 2 ranks put together"
	[ "$(visits "$dir/profile.cubex")" -gt 100000 ] || bad "MPI_Abort: $(visits "$dir/profile.cubex") visits"
fi
verdict
