#!/bin/bash
# Runs with different counters become one profile with all; runs that are not equal are refused. And what the tools say of
# counters.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
instrument -I"$here" "$here/serial.c" -o serial.exe
may_count "$faults" serial.exe
merge=$builddir/fathom-merge
measured run1 "$faults" ./serial.exe
measured run2 rusage::nvcsw,perf::TASK-CLOCK ./serial.exe
measured run3 "$faults,rusage::minflt" ./serial.exe
"$merge" --holistic -o all.cubex run1 run2 run3/profile.cubex > said 2>&1 || bad "merge: $(cat said)"
check_profile all.cubex
contains "what it says of times" "$(cat said)" '^run2/profile.cubex: took [0-9.]+ times as long as the first run'
same "metrics" "perf::PAGE_FAULTS rusage::nvcsw perf::TASK_CLOCK rusage::minflt cpu_share" \
	"$("$builddir/test/run/dump" -s all.cubex | sed -n 's/^metric \(.*::.*\|cpu_share\)$/\1/p' | tr '\n' ' ' | sed 's/ $//')"
contains "a counter of two runs" "$(cat said)" '^run3/profile.cubex: has perf::PAGE_FAULTS, too: 3[0-9]+ in all; kept is that of run1/profile.cubex, 3[0-9]+ in all$'
same "the list of counters" "perf::PAGE-FAULTS,rusage::nvcsw,perf::TASK-CLOCK,rusage::minflt" \
	"$("$builddir/fathom-report" --json all.cubex | sed -n 's/.*"fathom::metrics":"\([^"]*\)".*/\1/p')"
for metric in visits time min_time perf::PAGE_FAULTS; do
	cmp -s <(values $metric all.cubex) <(values $metric run1/profile.cubex) || bad "$metric is not that of the first run"
done
cmp -s <(values rusage::nvcsw all.cubex) <(values rusage::nvcsw run2/profile.cubex) || bad "nvcsw is not that of the second run"
cmp -s <(values rusage::minflt all.cubex) <(values rusage::minflt run3/profile.cubex) || bad "minflt is not that of the third run"
"$builddir/fathom-report" all.cubex > said
contains "the report's table" "$(cat said)" 'PAGE-FAULTS +TASK-CLOCK|PAGE-FAULTS.*nvcsw'
! grep '^Measuring a visit' said || bad "a visit has the cost of one run, and the counters of several"
# Formulas are metrics to the report: of sums, whatever they are sums over; and one that is not there is named.
"$builddir/fathom-report" --metric cpu_share all.cubex > said 2>&1 || bad "--metric cpu_share: $(cat said)"
contains "regions by the formula" "$(cat said)" '^ +[0-9.]+% +[0-9]+ +- +touch '
"$builddir/fathom-report" --flat --column cpu_share all.cubex > column || bad "--column cpu_share"
same "the formula as a column" "$(awk '$4 == "touch" { print $1; exit }' said)" "$(awk '$8 == "touch" { print $7 }' column)"
"$builddir/fathom-report" --json all.cubex > all.json
"$PYTHON3" - <<'PY' || bad "the formula in JSON"
import json
document = json.load(open("all.json"))
metric = {m["name"]: m for m in document["metrics"]}["cpu_share"]
ratio = metric["ratio"]
assert metric["values"] and metric["aggregation"] == "formula" and ratio["of"] == "perf::TASK_CLOCK" and ratio["to"] == "time", metric
seen = 0
for node in document["call_tree"]:
    for values in (node["inclusive"], node["exclusive"]):
        expected = ratio["factor"] * values.get(ratio["of"], 0) / values[ratio["to"]]
        assert abs(values.get("cpu_share", 0) - expected) <= 1e-9 * abs(expected), (node["name"], values)
        seen += "cpu_share" in values
assert seen > 4
PY
"$builddir/fathom-report" --metric ipc all.cubex > said 2>&1; same "exit code of --metric ipc" 2 $?
contains "--metric ipc" "$(cat said)" '^fathom report: all.cubex: no metric ipc \(there are: visits, time, .*cpu_share\)$'
"$builddir/fathom-report" --metric cpu_share --callers touch all.cubex > said 2>&1 && bad "callers by a ratio are not refused"
contains "callers by a ratio" "$(cat said)" '^fathom report: --metric cpu_share: a ratio cannot be divided among callers'
contains "the formula" "$("$builddir/fathom-report" --width 120 all.cubex)" 'cpu_share'

# A first run without counters has those of the others.
FATHOM_NAME=none ./serial.exe 2> /dev/null
"$merge" --holistic -o first.cubex none run2 > said 2>&1 || bad "merge: $(cat said)"
contains "the table of a run without counters and one with" "$("$builddir/fathom-report" first.cubex)" 'nvcsw +TASK-CLOCK'

# Unequal: another program, other visits; and nothing is overwritten.
sed 's/touch(2000);/touch(2000); touch(1);/' "$here/serial.c" > other.c
instrument -I"$here" other.c -o serial.exe
measured other rusage::nvcsw ./serial.exe
refused() { "$merge" --holistic "${@:2}" > said 2>&1 && bad "$*: not refused"; contains "$*" "$(cat said)" "$1"; }
refused 'visits differ in 1 call path .--force|has no call path|has a call path' -o x.cubex run1 other
[ ! -e x.cubex ] || bad "a refused merge leaves a file"
printf 'int main(void) { return 0; }\n' > third.c
instrument third.c -o third.exe
measured third rusage::nvcsw ./third.exe
refused '^fathom merge: third/profile.cubex: has no call path .+, which run1/profile.cubex has: the runs are not equal$' -o x.cubex run1 third
refused '^fathom merge: run1/profile.cubex: given twice' -o x.cubex run1 run2 run1
head -c 3000 run2/profile.cubex > damaged.cubex
refused '^fathom merge: damaged.cubex: ' -o x.cubex run1 damaged.cubex
[ ! -e x.cubex ] || bad "a refused merge leaves a file"
refused 'all.cubex: exists already' -o all.cubex run1 run2
refused 'runs are missing: at least two' -o x.cubex run1
refused 'the name of the new file is missing: -o FILE.cubex' run1 run2
"$merge" --force run1 > said 2>&1; same "exit code of --force alone" 2 $?

# Phases whose iterations are in clusters: these are others in each run, so all of a phase are one; sums are exact.
if has_part FATHOM_PHASE_CLUSTERS; then
cat > phases.c <<'P'
#include <fathom/fathom.h>
#include <stdlib.h>
static volatile double x;
static void solve(int n)
{
	FATHOM_REGION("solve");
	for (int i = 0; i < n; i++)
		x += i;
	FATHOM_METRIC_INT("steps", "", "", n);
	FATHOM_POINT_INT("size", "", "", n);
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 40; i++) {
		FATHOM_PHASE("step", i);
		solve(1000 + (argc > 1 ? (39 - i) * atoi(argv[1]) : i) % 7 * 20000);
		if (i % 5 == 0) {
			FATHOM_REGION("extra");
			solve(i);
		}
	}
	return 0;
}
P
"$FATHOM" --no-compiler "$CC" phases.c -o phases || die "cannot build phases.c"
export FATHOM_NAME FATHOM_METRICS FATHOM_PHASE_CLUSTERS=3
FATHOM_NAME=phases1 FATHOM_METRICS=rusage::nvcsw ./phases 2> /dev/null
FATHOM_NAME=phases2 FATHOM_METRICS=rusage::utime FATHOM_PHASE_CLUSTERS=5 ./phases 1 2> /dev/null
FATHOM_NAME=phases3 FATHOM_METRICS=rusage::minflt FATHOM_PHASE_CLUSTERS=1 ./phases 2> /dev/null
FATHOM_NAME=phases4 FATHOM_PHASE_CLUSTERS=0 ./phases 2> /dev/null
unset FATHOM_NAME FATHOM_METRICS FATHOM_PHASE_CLUSTERS
values visits phases1/profile.cubex | grep -q cluster=2 || bad "phases1 has no clusters"
"$merge" --holistic -o phases.cubex phases1 phases2 phases3 > said 2>&1 || bad "phases: $(cat said)"
check_profile phases.cubex
contains "phases" "$(cat said)" '^the iterations of each phase are put together'
for metric in visits steps size size::count size::min size::max amounts_given; do
	cmp -s <(values $metric phases.cubex) <(values $metric phases3/profile.cubex) || bad "phases: $metric: $(values $metric phases.cubex)"
done
grep -q . <(values rusage::utime phases.cubex) || bad "phases: no counter of the second run"
refused 'has (no|a) call path .*step > ' -o x.cubex phases1 phases4
fi

metrics=$builddir/fathom-metrics
contains "fathom metrics" "$("$metrics")" '^  perf::PAGE-FAULTS +occ +thread +Accesses to pages that had no memory yet, or had lost it$'
contains "fathom metrics, groups" "$("$metrics")" '^  @os .*perf::PAGE-FAULTS'
contains "fathom metrics NAME" "$("$metrics" rusage-process::maxrss)" 'bytes +process'
contains "fathom metrics, what is not here" "$("$metrics" energy::99999-package)" 'not here: .'
contains "fathom metrics GROUP" "$("$metrics" @io)" '^  proc::rchar +bytes +thread '
verdict
