#!/bin/bash
# fathom analyze on a trace that leaves out time steps, as FATHOM_TRACE_REPEAT does, compared with the whole trace of the same run:
# equal wait states in each recorded step, scaled sums within a bound, and no computation where measurement was off.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
make=$builddir/test/tools/make_mpi_trace

# steps FIRST LAST: a trace of 40 steps of 1 ms without the steps FIRST to LAST. In step i, rank 1 waits for a message for 500 us
# and up to 5 % more or less, and rank 0 waits at the barrier.
steps()
{
	awk -v first="$1" -v last="$2" 'BEGIN {
		for (r = 0; r < 2; r++) {
			print r, 0, "enter main"
			for (i = 0; i < 40; i++) {
				t = i * 1000
				if (i == first) print r, t, "off"
				if (i >= first && i <= last) { if (i == last) print r, t + 1000, "on"; continue }
				late = 600 + (i % 5 - 2) * 12.5
				print r, t, "enter work"
				if (r == 0) {
					print r, t + late, "leave work"
					print r, t + late, "enter MPI_Send"; print r, t + late, "send 1 5 8"; print r, t + late + 10, "leave MPI_Send"
				} else {
					print r, t + 100, "leave work"
					print r, t + 100, "enter MPI_Recv"; print r, t + late + 20, "recv 0 5 8"; print r, t + late + 20, "leave MPI_Recv"
					print r, t + late + 20, "enter late"; print r, t + 980, "leave late"
				}
				begin = r ? t + 980 : t + late + 10
				print r, begin, "enter MPI_Barrier"; print r, begin, "begin 0 -1 0 0"
				print r, t + 1000, "end 0 -1 0 0"; print r, t + 1000, "leave MPI_Barrier"
			}
			print r, 40000, "leave main"
		}
	}'
}
steps -1 -1 | "$make" 2 1 whole || die "make_mpi_trace whole"
steps 10 35 | "$make" 2 1 reduced || die "make_mpi_trace reduced"
for trace in whole reduced; do
	works "$analyze" $trace
	check_profile $trace/analysis.cubex
done

# waits TRACE: the single wait states that begin in a recorded step: step, begin, length, pattern
waits() { awk '$1 == "wait" { step = int($3 / 1e6); if (step < 10 || step > 35) print $2, step, $3, $4, $5 }' "$1/analysis.intervals.txt" | sort; }
same "wait states of whole: number" 28 "$(waits whole | wc -l)"
same "wait states in the recorded steps" "$(waits whole)" "$(waits reduced)"
same "wait states in the steps left out" 28 "$(grep -c '^wait ' reduced/analysis.intervals.txt)"

# total TRACE METRIC [PATTERN]: the sum over the call paths that match, in seconds
total() { values "$2" "$1/analysis.cubex" | awk -v path="${3:-.}" '$0 ~ path { sum += $1 } END { printf "%.9f\n", sum }'; }
# scaled METRIC [PATTERN]: 40/14 of the sum of the reduced trace differs from the sum of the whole trace by at most 5 %
scaled() {
	awk -v whole="$(total whole "$@")" -v reduced="$(total reduced "$@")" 'BEGIN {
		error = reduced * 40 / 14 / whole - 1; exit !(whole > 0 && error <= 0.05 && error >= -0.05) }' ||
		bad "$*: whole $(total whole "$@"), reduced $(total reduced "$@")"
}
scaled mpi_latesender
scaled mpi_barrier_wait
scaled delay_latesender /work
scaled critical_path /work
scaled critical_path /late
scaled time /work

# The 26 ms of both ranks without measurement are no computation of main. The critical path goes through them once.
same "time without measurement" 0.052000000 "$(total reduced time 'OFF$')"
same "main itself" "$(total whole time 'main$')" "$(total reduced time 'main$')"
same "the critical path without measurement" 0.026000000 "$(total reduced critical_path 'OFF$')"
same "the critical path in main itself" "$(total whole critical_path 'main$')" "$(total reduced critical_path 'main$')"

# So it is in the report of the trace.
reported() {
	works "$report" --trace --json "$1"
	"$PYTHON3" -c 'import json, sys
print(*["%.6f" % region["own_time"] for region in json.load(open("out"))["regions"] if region["name"] == sys.argv[1]])' "$2"
}
same "MEASUREMENT OFF in the report" 0.052000 "$(reported reduced "MEASUREMENT OFF")"
same "MEASUREMENT OFF in the report of the whole trace" "" "$(reported whole "MEASUREMENT OFF")"
same "main in the report" "$(reported whole main)" "$(reported reduced main)"

# A program of which FATHOM_TRACE_REPEAT leaves out two thirds of the steps. In each step rank 0 sleeps for 80 ms, for which rank 1
# waits. Scaled by the number of recorded steps, the sums are those of a whole trace of another run, and those of the profile of the
# same run, except for what the load of the machine changes from step to step: less than a quarter in one of five attempts.
have_mpi || verdict
steps=30
"$MPICC" -g -O1 -w -finstrument-functions "$srcdir/test/bench/adi.c" -o adi -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state -lm || die "cannot build adi.c"
adi() {	# NAME SETTING...: a run, and the analysis of its trace
	name=$1; shift
	rm -rf "$name"
	env FATHOM_NAME="$name" FATHOM_DIR=. "$@" timeout 60 "$MPIRUN" -n 2 ./adi $steps 8 80 > out 2> err || die "adi: exit code $?: $(cat err)"
	works "$analyze" "$name"
}
# sum FILE METRIC PATH: the sum of a metric at a call path, in seconds
sum() { values "$2" "$1" | awk -v path="$3" '$2 == path { sum += $1 } END { printf "%.9f\n", sum }'; }
# agree METRIC PATH: notes a difference of more than a quarter between the scaled sum of the reduced trace and the others
agree() {
	from_reduced=$(sum repeats/analysis.cubex "$1" "$2")
	for file in complete/analysis.cubex repeats/profile.cubex; do
		awk -v all="$(sum $file "$1" "$2")" -v some="$from_reduced" -v factor="$steps" -v recorded="$recorded" 'BEGIN {
			error = some * factor / recorded / all - 1; exit !(all > 0 && error <= 0.25 && error >= -0.25) }' ||
			echo "$1 at $2: $from_reduced s in $recorded of $steps steps, $(sum $file "$1" "$2") s in $file" >> differences
	done
}
for attempt in 1 2 3 4 5; do
	: > differences
	adi complete FATHOM_MODE=trace
	adi repeats FATHOM_MODE=profile,trace FATHOM_TRACE_REPEAT=2
	recorded=$(values visits repeats/analysis.cubex | awk '$2 ~ /sleep_late$/ { print $1 / 2 }')
	agree mpi_latesender adi/main/adi/z_sweep/MPI_Recv
	agree delay_latesender adi/main/adi/sleep_late
	agree critical_path adi/main/adi/sleep_late
	agree time adi/main/adi/sleep_late
	[ -s differences ] || break
done
[ ! -s differences ] || bad "$(cat differences)"
[ "${recorded:-0}" -gt 5 ] && [ "$recorded" -lt 15 ] || bad "adi: $recorded of $steps steps are recorded"
verdict
