#!/bin/bash
# FATHOM_METRICS_ROTATE: threads count the lists of FATHOM_METRICS one after the other. A trace has the counters of one list
# at a time, changes them within calls only, and fathom clusters extrapolates them.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
need_mpi
[ -e "$builddir/.libs/libfathom-trace.so" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev)"
"$FATHOM" "$MPICC" -g -O1 "$srcdir/test/metric/rotation.c" -o app > build.out 2>&1 || die "cannot build: $(cat build.out)"
lists='rusage::utime,rusage::minflt|rusage::utime,rusage::nvcsw|rusage::utime,rusage::stime'
export FATHOM_MODE=trace FATHOM_METRICS_ROTATE=time

# sequence RANK: the changes of the list, as letters: F(aults), W(aits), S(ystem time); a line for each enter and leave in
# calls.
sequence() {
	otf2-print --location "$1" "$2/traces.otf2" | awk '
		$1 == "METRIC" { at = $3; now = /minflt/ ? "F" : /nvcsw/ ? "W" : /stime/ ? "S" : "?" }
		($1 == "ENTER" || $1 == "LEAVE") && /MPI_/ { print $1, now, at == $3 ? "read" : "old" }'
}

# The list changes every four calls, at the begin of a call: its end has readings of the new list.
FATHOM_METRICS_ROTATE_TIME=3600s FATHOM_METRICS_ROTATE_BURSTS=4 measured counted "$lists" "$MPIRUN" -n 2 ./app 24 100
"$builddir/fathom-check" counted > check.out || bad "counted: $(head -3 check.out)"
if command -v otf2-print > otf2-print.path; then
	for rank in 0 1; do
		sequence $rank counted > sequence
		same "rank $rank: readings at each call" 0 "$(grep -c old sequence)"
		# Init, 24 barriers and Finalize: 26 begins, whose ends are of the lists F (3), W (4), S (4), F (4) ...
		same "rank $rank: lists at the ends" "$(printf 'F%.0s' 1 2 3)WWWWSSSSFFFFWWWWSSSSFFF" \
			"$(grep LEAVE sequence | cut -d' ' -f2 | tr -d '\n')"
		same "rank $rank: lists at the begins" "$(printf 'F%.0s' 1 2 3 4)WWWWSSSSFFFFWWWWSSSSFF" \
			"$(grep ENTER sequence | cut -d' ' -f2 | tr -d '\n')"
		otf2-print --location $rank counted/traces.otf2 | awk '
			$1 == "METRIC" { v = $0; sub(/.*rusage::utime" <[0-9]+>; UINT64; /, "", v); sub(/\).*/, "", v)
				if (v + 0 < last) print "it falls from", last, "to", v; last = v + 0 }' > falls
		[ ! -s falls ] || bad "rank $rank: user time: $(head -1 falls)"
	done
	FATHOM_METRICS_ROTATE=time-space FATHOM_METRICS_ROTATE_TIME=3600s measured spread "$lists" "$MPIRUN" -n 4 ./app 3 10
	for rank in 0 1 2 3; do
		sequence $rank spread | cut -d' ' -f2 | sort -u | tr -d '\n'
	done > firsts
	same "time-space: the lists of four ranks" FWSF "$(cat firsts)"
	contains "no turn ends" "$(cat spread.err)" 'FATHOM_METRICS_ROTATE: one list of counters was counted only'
fi

# Each burst has 100 page faults. A third of the bursts say so, of all of them the total is known.
FATHOM_METRICS_ROTATE_TIME=1ms FATHOM_METRICS_ROTATE_BURSTS=2 measured many "$lists" "$MPIRUN" -n 2 ./app 150 100
"$builddir/fathom-clusters" --least 50us --min-points 4 --metrics duration --eps 0.5 --json many > clusters.json || bad "clusters: exit $?"
"$PYTHON3" - clusters.json << 'P' || bad "extrapolated faults"
import json, sys
document = json.load(open(sys.argv[1]))
faults = [e for e in document["extrapolated"] if e["counter"] == "rusage::minflt"]
sizes = {c["number"]: c["bursts"] for c in document["clusters"]}
measured = sum(e["measured"] for e in faults)
assert 40 <= measured <= 140, measured
largest = max(faults, key=lambda e: sizes[e["cluster"]])
assert 250 <= sizes[largest["cluster"]] <= 304, sizes
# For each second, as they are extrapolated, the bursts of one list may have more than those of the others.
assert 60 * 300 <= largest["total"] <= 160 * 300, largest
P

# With enters that are written later, and with the newest events only.
for reduced in FATHOM_TRACE_GRANULARITY=10us FATHOM_TRACE_RING=1M; do
	export "${reduced?}"
	FATHOM_METRICS_ROTATE_BURSTS=3 measured reduced "$lists" "$MPIRUN" -n 2 ./app 30 10
	unset "${reduced%%=*}"
	"$builddir/fathom-check" reduced > check.out || bad "$reduced: $(head -3 check.out)"
	rm -rf reduced
done

# After SIGKILL, the trace of the last snapshot has the same classes.
FATHOM_METRICS=$lists FATHOM_METRICS_ROTATE_BURSTS=3 FATHOM_SNAPSHOT=100ms FATHOM_NAME=killed ./app 1000000 10 > out 2>&1 &
process=$!
for wait in $(seq 100); do
	[ ! -s killed/profile.snapshot ] || break
	sleep 0.1
done
sleep 0.5
kill -KILL $process
wait $process 2> /dev/null
"$FATHOM" merge killed > merge.out 2>&1 || bad "merge: $(cat merge.out)"
"$builddir/fathom-check" killed > check.out || bad "killed: $(head -3 check.out)"

# Wrong settings end the program before main.
wrong() {
	what=$1 text=$2
	shift 2
	env "$@" FATHOM_NAME=wrong ./app > out 2> err && bad "$what is accepted"
	same "$what: lines" 1 "$(wc -l < err)"
	contains "$what" "$(cat err)" "$text"
}
wrong "a profile" 'FATHOM_METRICS_ROTATE is for traces only' FATHOM_MODE=profile FATHOM_METRICS="$lists"
wrong "both" 'FATHOM_METRICS_ROTATE is for traces only' FATHOM_MODE=profile,trace FATHOM_METRICS="$lists"
wrong "one list" 'FATHOM_METRICS_ROTATE needs several lists' FATHOM_METRICS=rusage::utime
wrong "no list" 'FATHOM_METRICS_ROTATE needs several lists' FATHOM_VERBOSE=0
wrong "an empty list" 'a group is empty' FATHOM_METRICS='rusage::utime|'
wrong "17 lists" 'at most 16 groups' FATHOM_METRICS="$(printf 'rusage::utime|%.0s' $(seq 16))rusage::utime"
wrong "a short turn" 'FATHOM_METRICS_ROTATE_TIME' FATHOM_METRICS="$lists" FATHOM_METRICS_ROTATE_TIME=1us
verdict
