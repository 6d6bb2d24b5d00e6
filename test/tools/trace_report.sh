#!/bin/sh
# fathom report of a trace.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
need_otf2

make_trace good good

golden() {	# NAME ARGUMENTS...
	name=$1
	shift
	works "$report" "$@"
	fits "$name" 80 out
	[ "${GOLDEN:-}" != write ] || cp out "$srcdir/test/tools/golden/$name.txt"
	diff -u "$srcdir/test/tools/golden/$name.txt" out || bad "$name looks otherwise"
}

golden trace good
golden trace-all good/traces.otf2 --all
works "$report" good --flat
same "all regions" 22 "$(grep -c '^ *[0-9.]*%' out)"
works "$report" good --flat --top 3
same "three regions" 3 "$(grep -c '^ *[0-9.]*%' out)"
works "$report" good --width 120 --color=always
fits "wide, in colours" 400 out
contains "colours" "$(cat out)" "$(printf '\033')"

# For programs: the numbers agree with each other, and with those of fathom check
works "$report" good --json
cp out report.json
works "$check" good --json
cp out check.json
"$PYTHON3" << 'END' || bad "the JSON documents are not as they should be"
import json
report, check = json.load(open("report.json")), json.load(open("check.json"))
assert report["fathom_trace_report"] == 1
summary = report["summary"]
assert summary["command"] == "/usr/bin/demo -n" and summary["creator"] == "fathom 0.0", summary
assert summary["begin"] == 1763000000 and summary["duration"] == 0.03, summary
assert report["events"] == check["events_by_kind"]
assert summary["events"] == check["events"] == sum(report["events"].values()) == sum(l["events"] for l in report["locations"])
assert len(report["locations"]) == summary["locations"] == 7
assert report["properties"]["FATHOM::CLOCK_VIOLATIONS"] == "3"
regions = {region["name"]: region for region in report["regions"]}
assert abs(sum(region["own_time"] for region in regions.values()) - summary["time"]) < 1e-9
enters = report["events"]["Enter"] + report["events"]["CallingContextEnter"]
assert sum(region["visits"] for region in regions.values()) == enters + regions["MEASUREMENT OFF"]["visits"]
assert regions["MEASUREMENT OFF"]["own_time"] == summary["off_seconds"], summary
# Of the task 15 us pass in two parts, on two threads; main is open in it for 5 us.
task = regions["!$omp task @demo.c:42"]
assert (task["visits"], task["file"], task["line"], task["paradigm"], task["role"]) == (1, "demo.c", 42, "openmp", "task"), task
assert abs(task["own_time"] - 15e-6) < 1e-12, task
world = [comm for comm in report["communicators"] if comm["name"] == "MPI_COMM_WORLD"][0]
assert (world["members"], world["messages"], world["bytes"], world["collectives"]) == (2, 3, 64 + 1 + 50, 12), world
assert summary["flushes"] == 1 and summary["io_bytes_read"] == 512 and summary["one_sided_bytes"] == 8 + 16 + 16 + 8 + 8
END

# Which of the two is shown where there is a profile as well
mkdir both
cp -r good/. both
make_fixture run both/profile.cubex
works "$report" both
contains "profile" "$(cat out)" '^Call tree'
same "the trace is mentioned" "The trace of this run: fathom report --trace both/traces.otf2" "$(tail -1 out)"
works "$report" --trace both
contains "trace" "$(cat out)" '^Trace +both/traces.otf2$'
works "$report" both/traces.otf2
contains "trace" "$(cat out)" '^Trace +both/traces.otf2$'
works "$report" both/profile.cubex --flat
same "not in other views" 0 "$(grep -c 'trace of this run' out)"
mkdir runs runs/fathom-a-20260101-1200-0001 runs/fathom-b-20260102-1200-0001
make_fixture run runs/fathom-a-20260101-1200-0001/profile.cubex
cp -r good/. runs/fathom-b-20260102-1200-0001
(cd runs && works "$report" && contains "newest" "$(cat out)" '^Trace +fathom-b-20260102-1200-0001/traces.otf2$')

# A trace of nothing, one without a program, one that says it is not complete
INCOMPLETE=1 make_trace program-missing gap
works "$report" gap
contains "not complete" "$(cat out)" '^! Not all messages and collectives are in the trace\.$'

# Bad input
refused "metric" 2 '^fathom report: --metric: of profiles only, and good/traces.otf2 is a trace; see fathom report --help$' "$report" good --metric time
refused "callers" 2 '^fathom report: --callers: of profiles only' "$report" good --callers main
refused "threads" 2 '^fathom report: --threads: of profiles only' "$report" good --threads main
refused "rank" 2 '^fathom report: --rank: of profiles only' "$report" good --rank 0
for option in --phases --system '--depth 3' '--sort name' '--column max_time' --samples --no-scopes; do
	refused "$option" 2 "^fathom report: ${option% *}: of profiles only, and good/traces.otf2 is a trace" "$report" good $option
done
mkdir plain
make_fixture run plain/profile.cubex
refused "no trace" 1 '^fathom report: plain: no trace in it' "$report" --trace plain
refused "no anchor" 1 'plain/profile.cubex: no trace: an anchor file' "$report" --trace plain/profile.cubex
cp -r good cut
head -c 60 good/traces/0.evt > cut/traces/0.evt
# The library may take the end of a file for the end of the events, or may not.
"$report" cut > out 2> err
contains "cut" "$(cat out err)" '^! The definitions promise 245 events, but there are [0-9]+ \(fathom check|^fathom report: cut/traces.otf2: events: '
head -c 60 good/traces/4294967296.evt > cut/traces/4294967296.evt
refused "cut in a record" 1 '^fathom report: cut/traces.otf2: events: ' "$report" cut
rm -r cut/traces
refused "anchor alone" 1 'cut/traces.otf2: no whole trace' "$report" cut

# Those of another system
if [ -d "$shared/data" ]; then
	for kind in mix tasks lulesh; do
		works "$report" "$shared/data/$kind-trace"
		fits "$kind" 80 out
		contains "$kind" "$(head -1 out)" 'Score-P 8.4, OTF2 3.0$'
	done
	works "$report" "$shared/data/tasks-trace"
	contains "tasks" "$(cat out)" '^Ran on     1 process, 4 threads '
	contains "tasks" "$(cat out)" ' 8361 +[0-9]+ ns  fib '
fi
verdict
