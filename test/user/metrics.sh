#!/bin/bash
# The program's own metrics: amounts add up, values at points have their number, extremes and mean; per thread, over
# ranks, through fathom merge, in traces. What is given wrongly is said with its name, and repaired.
. "${srcdir:?}/test/user/lib.sh" || exit 99
command -v opari2 > /dev/null || skip "no opari2 (Debian: opari2), so threads of OpenMP are not measured"
export OMP_WAIT_POLICY=passive

# has PROFILE METRIC EXPECTED...: a line "value region" each
has() {
	profile=$1 metric=$2
	shift 2
	printf '%s\n' "$@" | LC_ALL=C sort > expected
	values "$metric" "$profile" | sed 's, .*/, ,' | LC_ALL=C sort > got
	diff expected got > differences || bad "$profile: $metric: $(cat differences)"
}

# all PROFILE RANKS: what must be there of so many ranks with three threads
all() {
	n=$2
	has "$1" cells "$((18000 * n)) work" "$((15 * n)) inner" "3 wrong"
	has "$1" balance "$((-36 * n)) work"
	has "$1" energy "$(awk "BEGIN { print 4.5 * $n }") work"
	has "$1" load::count "$((9 * n)) work"
	has "$1" load::min "0.25 work"
	has "$1" load::max "$((10 * (n - 1) + 2)).75 work"
	has "$1" depth::min "-7 inner"
	has "$1" depth::max "$((n + 8)) inner"
	has "$1" depth "$((6 * n + 6 * n * (n - 1) / 2)) inner"
	has "$1" queue::min "98 inner"
	has "$1" queue::max "100 inner"
	if has_part FATHOM_PHASE_CLUSTERS; then
		has "$1" residual::min "1 instance=0" "0.5 instance=1" "0.25 instance=2" "0.125 instance=3"
		has "$1" steps "$n instance=0" "$n instance=1" "$n instance=2" "$n instance=3"
	fi
	# One that is called like a metric of the profile has another name, and its parts with it.
	has "$1" user::time "15 wrong"
	has "$1" user::time::max "6 wrong"
	[ "$1" = set.exp/profile.cubex ] || tar xOf "$1" remapping.spec | tr -d '\n' | grep -q '<uniq_name>load::mean</uniq_name>.*<cubepl>metric::load() / metric::load::count()</cubepl>' ||
		bad "$1: no mean of load"
	check_profile "$1"
}

# said FILE [RANK]: the lines, each once
said() {
	contains "$1" "$(cat "$1")" "${2:-}metric cells \(metrics\.c:[0-9]+\) is given as an amount \(double\), but was an amount \(uint64\) before: recorded as before"
	contains "$1" "$(cat "$1")" 'metric cells \(metrics\.c:[0-9]+\) is given in "rows", but was in "cells" before: its unit stays'
	contains "$1" "$(cat "$1")" 'metric load::max \(metrics\.c:[0-9]+\) has the name of a counter or of a part of another metric: it is not recorded'
	contains "$1" "$(cat "$1")" 'metric energy \(metrics\.c:[0-9]+\) was given a value that is no number: the value is not recorded'
	contains "$1" "$(cat "$1")" 'metric "" \(metrics\.c:[0-9]+\) has no name: it is not recorded'
	same "$1: lines" 5 "$(grep -c 'metric .*(once)' "$1")"
}

"$FATHOM" --no-compiler "$CC" -fopenmp -O1 -g "$here/metrics.c" -o metrics -lm || die "cannot build metrics.c"
measure serial.exp ./metrics
all serial.exp/profile.cubex 1
said serial.exp.err
"$FATHOM" report --flat --metric load::max serial.exp > report || bad "report --metric load::max"
contains "report" "$(cat report)" '2\.750% +3 .*work'
if [ "$modes" != profile ] && have otf2-print; then
	otf2-print -G serial.exp/traces.otf2 | grep '^METRIC_MEMBER' > members
	same "members" 9 "$(grep -c . members)"
	same "amounts" 4 "$(grep -c RELATIVE_POINT members)"
	contains "a value at a point" "$(cat members)" '"depth" .*Type: USER, Mode: ABSOLUTE_POINT, Value Type: INT64.*"levels"'
	otf2-print serial.exp/traces.otf2 | grep '^METRIC ' > given
	same "values of load" 9 "$(grep -c '"load"' given)"
	same "amounts of steps" 4 "$(grep -c '"steps"' given)"	# none while recording was off
	same "locations" 3 "$(grep '"depth"' given | awk '{ print $2 }' | sort -u | grep -c .)"
fi

# Threads put together: sums stay sums, extremes extremes.
for threads in sum key set; do
	FATHOM_THREADS=$threads FATHOM_NAME=$threads.exp FATHOM_MODE=profile ./metrics > out 2> err || bad "$threads: $(cat err)"
	all $threads.exp/profile.cubex 1
done
if have_mpi; then
	"$FATHOM" --no-compiler "$MPICC" -DUSE_MPI -fopenmp -O1 -g "$here/metrics.c" -o ranks -lm || die "cannot build metrics.c with MPI"
	measure ranks.exp "$MPIRUN" -n 3 ./ranks
	all ranks.exp/profile.cubex 3
	said ranks.exp.err 'rank 0: '
	# Each rank's own profile, put together afterwards.
	FATHOM_NAME=left.exp "$MPIRUN" -n 3 ./ranks abort > out 2> err
	if [ -e left.exp/rank-0.cubex ] && [ -e left.exp/rank-1.cubex ] && [ -e left.exp/rank-2.cubex ]; then
		"$FATHOM" merge left.exp > out 2>&1 || bad "merge: $(cat out)"
		all left.exp/profile.cubex 3
	else
		echo "not every rank left a profile: $(ls left.exp)"
	fi
fi

# More than there is room for: the first 90 are right, the others are named.
{ echo '#include <fathom/fathom.h>'; echo 'int main(void) {'
  for n in $(seq 0 92); do echo "FATHOM_METRIC_UINT(\"m$n\", \"\", \"\", $n + 1);"; done
  echo 'FATHOM_POINT_INT("point", "", "", 1); return 0; }'; } > many.c
"$FATHOM" --no-compiler "$CC" many.c -o many || die "cannot build many.c"
measure many.exp ./many
same "metrics that are kept" "$(seq 1 90 | tr '\n' ' ')" "$(for n in $(seq 0 89); do values "m$n" many.exp/profile.cubex | cut -d ' ' -f 1; done | tr '\n' ' ')"
contains "too many" "$(cat many.exp.err)" 'metric m92 \(many\.c:[0-9]+\) is one too many and is not recorded: there are at most 90 in a process'
same "too many: lines" 4 "$(grep -c 'is one too many' many.exp.err)"
verdict
