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
verdict
