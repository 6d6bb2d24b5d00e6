#!/bin/bash
# fathom trace --iterations and --cut iterations:N: planted iterations are found again, and the cut is a good trace of them.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace
plant() # DIR, then the arguments of iterations.py
{
	dir=$1
	shift
	"$PYTHON3" "$srcdir/test/tools/iterations.py" "$@" | "$builddir/test/tools/make_mpi_trace" "$1" 2 "$dir" || die "iterations.py $*"
}
# holds WHAT FILE EXPRESSION: whether the expression of Python holds for the JSON document d; l: its levels, w: its window.
holds() {
	"$PYTHON3" - "$2" "$3" << 'PY' || bad "$1: $3: $(cat "$2")"
import json, sys
d = json.load(open(sys.argv[1]))
l, w = d["levels"], d["window"]
sys.exit(0 if eval(sys.argv[2]) else 1)
PY
}

# 50 iterations of 10 ms between 0.3 s and 0.1 s without a call, with 8 equal steps in each; without and with jitter.
for jitter in 0 0.03; do
	plant "it$jitter" 4 3e5 50 1e4 $jitter 8 1e5
	"$trace" --iterations --json "it$jitter" > found.json 2> err || bad "jitter $jitter: exit $?: $(cat err)"
	for is in 'abs(l[0]["period"] / .01 - 1) < .015 and abs(l[0]["count"] - 50) <= 1 and l[0]["correlation"] > .8' \
		'abs(l[0]["begin"] - .3) < .02 and abs(l[0]["end"] - .8) < .02' \
		'len(l) == 2 and abs(l[1]["period"] / .625e-3 - 1) < .06 and 7 <= l[1]["count"] <= 9' \
		'.3 < w["from"] < w["to"] < .8 and abs(w["to"] - w["from"] - .02) < .0015 and w["at_bursts"]'
	do holds "jitter $jitter" found.json "$is"; done
	"$trace" --cut iterations:2 -o "cut$jitter" "it$jitter" > out 2> err || bad "cut $jitter: exit $?: $(cat err)"
	contains "reduction" "$(cat out)" '^cut0.*: 464 events; 24.[0-9] times fewer events, [0-9.]* times fewer bytes of events$'
	works "$check" "cut$jitter"
	contains "the cut is good" "$(cat out)" 'good: 464 events of 4 locations, 64 messages, 2 collectives'
done
works "$trace" --iterations it0
contains "text" "$(cat out)" '^period       10.00 ms, (49|50|51) iterations, correlation (0.9[0-9]|1.00)$'
contains "text" "$(cat out)" '^within it    625.0 us, [78] times, correlation'
"$builddir/fathom-clusters" cut0 --json > clusters.json || bad "clusters of a cut: exit $?"
"$trace" --cut iterations:5 -o five it0 > out 2> err || bad "five: exit $?: $(cat err)"
contains "five iterations" "$(cat out)" '^five/traces.otf2: 1136 events; 9.9 times fewer'

# Iterations that differ much are said to; a program without iterations has none.
plant loose 4 1e5 60 1e4 0.3 3 1e4
works "$trace" --iterations loose
contains "loose" "$(cat out)" 'iterations differ|no part of the trace repeats itself'
plant once 2 3e5 1 1e5 0 1 1e5
works "$trace" --iterations once
contains "none" "$(cat out)" 'no part of the trace repeats itself three times or more'
"$trace" --iterations --json once > found.json || bad "none: exit $?"
holds "none" found.json 'l == [] and w is None'
refused "nothing to cut" 1 'iterations:2: no part of the trace repeats itself' "$trace" --cut iterations:2 -o nothing once
[ ! -e nothing ] || bad "a directory is left behind"
refused "more than there are" 1 'iterations:60: no part' "$trace" --cut iterations:60 -o nothing it0
refused "no number" 2 'iterations: x: ' "$trace" --cut iterations:x -o nothing it0
refused "with a report" 2 'go together' "$trace" --iterations --info it0
refused "with a new trace" 2 'iterations writes no trace' "$trace" --iterations -o nothing it0

# Traces of another system, and the trace with all kinds of records.
make_trace good good
for dir in good "$shared"/data/*-trace; do
	[ ! -e "$dir/traces.otf2" ] || works "$trace" --iterations "$dir"
done
verdict
