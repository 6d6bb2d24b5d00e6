#!/bin/bash
# fathom track: kinds of bursts that were moved, divided, renamed and exchanged on purpose are followed over traces and windows.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
track=$builddir/fathom-track make_bursts=$builddir/test/tools/make_bursts
"$track" --help > help
[ -x "$make_bursts" ] || skip "OTF2 not found when configure ran (Debian: libopen-trace-format2-dev)"

plant() { "$make_bursts" "$@" || die "make_bursts $*"; }
# holds WHAT FILE EXPRESSION: whether the expression of Python holds for the JSON document d; k: its kinds by code.
holds() {
	"$PYTHON3" - "$2" "$3" << 'PY' || bad "$1: $3"
import json, sys
d = json.load(open(sys.argv[1]))
k = {x["path"].split(" > ")[-1]: x for x in d["kinds"]}
def mean(kind, run, metric): return k[kind]["experiments"][run]["means"][metric]
def near(a, b): return abs(a / b - 1) < .03
sys.exit(0 if eval(sys.argv[2]) else 1)
PY
}

# Three sizes: all work grows and shrinks with the number of processes, but for one kind; one ends, and another begins elsewhere.
plant two 2 60 solve:4e6:0.03:1.4:0.02 relax:1.6e6:u0.1:0.7:0.02 sum:9e5:0.02:2.2:0.03 last:6e5:0.02:1.1:0.02
plant four 4 60 solve:2e6:0.03:1.5:0.02 relax:8e5:u0.1:0.8:0.02 sum:9e5:0.02:2.2:0.03
plant eight 8 60 solve:1e6:0.03:1.6:0.02 relax:4e5:u0.1:0.9:0.02 sum:9e5:0.02:2.2:0.03 first:3e5:0.02:0.4:0.02:even
"$track" two four eight --json --csv kinds.csv --bursts bursts.csv --page page.html > sizes.json 2> err || bad "sizes: exit $?: $(cat err)"
for is in 'set(k) == {"solve", "relax", "sum", "last", "first"} and len(d["kinds"]) == 5 and k["solve"]["number"] == 1' \
	'all(k[n]["experiments"][r]["bursts"] >= 90 for n in ("solve", "relax", "sum") for r in range(3))' \
	'k["last"]["experiments"][1:] == [None, None] and k["first"]["experiments"][:2] == [None, None] and k["first"]["number"] == 5' \
	'all(near(mean("solve", r, "PAPI_TOT_INS"), 4e6 / 2**r) and near(mean("sum", r, "ipc"), 2.2) for r in range(3))' \
	'all(near(mean("relax", r, "ipc"), .7 + r / 10) for r in range(3)) and d["metrics"] == "PAPI_TOT_INS,ipc"' \
	'[e["processes"] for e in d["experiments"]] == [2, 4, 8] and .75 < d["coverage"] < 1 and d["experiments"][1]["coverage"] == 1' \
	'all(r["call_stack"] == 1 for r in d["relations"]) and len(d["relations"]) == 6'
do holds "sizes" sizes.json "$is"; done
same "lines" 16 "$(wc -l < kinds.csv)"
same "bursts" "$("$PYTHON3" -c 'import json; print(1 + sum(e["clustered_bursts"] for e in json.load(open("sizes.json"))["experiments"]))')" "$(wc -l < bursts.csv)"
# Each burst that was planted is of the kind that has its name.
"$PYTHON3" - << 'PY' || bad "the kinds of the bursts are not those that were planted"
import csv, json
numbers = {x["path"].split(" > ")[-1]: x["number"] for x in json.load(open("sizes.json"))["kinds"]}
names = {"1": ["solve", "relax", "sum", "last"], "2": ["solve", "relax", "sum"], "3": ["solve", "relax", "sum", "first"]}
planted = {}
for run, folder in (("1", "two"), ("2", "four"), ("3", "eight")):
    for process, begin, kind in csv.reader(open(folder + "/planted.csv")):
        planted[run, process, begin] = numbers[names[run][int(kind) - 1]]
rows = [(r["kind"], planted.get((r["experiment"], r["process"], r["begin"]))) for r in csv.DictReader(open("bursts.csv"))]
right = sum(int(kind) == wanted for kind, wanted in rows)
assert right > .97 * len(rows) > 500, (right, len(rows))
PY
# The copies of the traces: bursts have the numbers of their kinds, which are those of the list.
works "$track" two four eight --traces copies --bursts copied.csv
cmp bursts.csv copied.csv || bad "other bursts with --traces"
if have otf2-print; then
	for run in 1 2 3; do otf2-print copies/$run/traces.otf2 > printed$run || bad "copy $run cannot be read"; done
	"$PYTHON3" - << 'PY' || bad "the copies do not have the kinds of the bursts"
import csv, re
marks, wanted = set(), set()
for run in "123":
    for line in open("printed" + run):
        found = re.match(r'METRIC +(\d+) +(\d+) .*"cluster".*; (-?\d+)', line)
        if found and int(found[3]) not in (0, -2, -3):
            marks.add((run, int(found[1]), int(found[2]), max(0, int(found[3]))))
for r in csv.DictReader(open("bursts.csv")):
    wanted.add((r["experiment"], int(r["process"]), int(r["begin"]), int(r["kind"])))
assert len(wanted) > 500 and marks == wanted, (sorted(marks - wanted)[:3], sorted(wanted - marks)[:3])
PY
else left_out "the values of the metric in copies (otf2-print)"; fi
for run in 1 3; do
	works "$builddir/fathom-timeline" --svg $run.svg --colour kind copies/$run
	grep -o 'kind [0-9]*: [a-z]*' $run.svg | sort > names$run
done
same "kinds in the pictures of both" "relax solve sum" "$(join -j 3 -o 1.3 <(sort -k 3 names1) <(sort -k 3 names3) | sort | tr '\n' ' ' | sed 's/ $//')"
same "their numbers" 3 "$(comm -12 names1 names3 | wc -l)"
refused "copies that exist" 1 'copies: exists already' "$track" two four --traces copies
refused "copies of windows" 2 '--traces: windows are no traces' "$track" two --windows 2 --traces parts
"$PYTHON3" -c '
import sys, xml.dom.minidom
text = open(sys.argv[1]).read()
xml.dom.minidom.parseString(text[text.index("<body>"):text.index("</body>")] + "</body>")' page.html || bad "the page is not well-formed"
same "pictures" 8 "$(grep -c '<figure>' page.html)"
contains "trend lines" "$(cat page.html)" '<path class="trend k1" d="M80.0 [0-9.]+L262.0 [0-9.]+L444.0 '
works "$track" two four eight --width 80
fits "text" 80 out
contains "the coverage" "$(cat out)" '^Coverage +[89][0-9.]*% of the time in kinds .*experiment [13]'
contains "the change" "$(cat out)" '^ +2 +1 +[0-9.]+% +2[0-9]+ +1.3[0-9]+ ms +-5[0-9.]+%'

# A version: one function has another name, another one takes so much longer that it passes a third.
plant old 4 50 alpha:1e6:0.02:1:0.02 beta:2e6:0.02:1.5:0.02 gamma:4e6:0.02:2:0.02
plant new 4 50 alef:1e6:0.02:1:0.02 beta:6e6:0.02:1.5:0.02 gamma:4e6:0.02:2:0.02
"$track" old new --json > versions.json || bad "versions: exit $?"
for is in 'len(d["kinds"]) == 3 and all(x["experiments"][1] for x in d["kinds"]) and d["coverage"] == 1' \
	'near(mean("beta", 1, "PAPI_TOT_INS"), 6e6) and near(mean("gamma", 1, "PAPI_TOT_INS"), 4e6)' \
	'[r["reason"] for r in d["relations"] if r["call_stack"] == 0] == ["sequence"]'
do holds "versions" versions.json "$is"; done
works "$track" old new
contains "a new name" "$(cat out)" 'by its order only: main > alef'

# A kind that differs between processes in one version is one kind, because both parts stand at the same places.
plant balanced 8 40 work:2e6:0.01:1:0.01 rest:5e5:0.01:2:0.01
plant uneven 8 40 work:2e6:0.01:1:0.01:even rest:5e5:0.01:2:0.01
"$track" balanced uneven --json > uneven.json || bad "uneven: exit $?"
holds "half of the processes" uneven.json 'len(d["kinds"]) == 2 and 150 <= k["work"]["experiments"][1]["bursts"] <= 160'

# Windows of one trace; one of its kinds begins in the second half. Without counters in one trace, duration and call are used.
plant late 4 80 work:2e6:0.01:1:0.01 rest:1e6:0.01:0.5:0.01 more:6e5:0.01:2:0.01:late
"$track" --windows 4 late --json > windows.json || bad "windows: exit $?"
for is in 'len(d["experiments"]) == 4 and d["experiments"][0]["name"].startswith("2.000 us to")' \
	'len(d["kinds"]) == 3 and [bool(x) for x in k["more"]["experiments"]] == [False, False, True, True] and all(k["work"]["experiments"])'
do holds "windows" windows.json "$is"; done
PLAIN=1 plant plain 4 50 alpha:1e6:0.02:1:0.02 beta:2e6:0.02:1.5:0.02 gamma:4e6:0.02:2:0.02
"$track" old plain --json > plain.json || bad "plain: exit $?"
holds "a trace without counters" plain.json 'd["metrics"] == "duration,call" and d["coverage"] == 1 and len(d["kinds"]) == 3'

# fathom diff has the kinds as one more section if both runs have a trace.
for run in old new; do
	"$builddir/fathom-clusters" "$run" -o "$run/profile.cubex" > out 2> err || bad "$run: a profile: $(cat err)"
done
"$builddir/fathom-diff" --json --kinds old new > diff.json 2> err || bad "diff: exit $?: $(cat err)"
holds "diff" diff.json 'len(d["kinds"]) == 3 and near(mean("beta", 1, "PAPI_TOT_INS"), 6e6) and d["regions"]'
works "$builddir/fathom-diff" --kinds old new
contains "diff" "$(cat out)" '^ +2 +1 +[0-9.]+% +200 +4.0[0-9]* ms +\+2[0-9.]+%|main > beta'
mkdir bare
cp old/profile.cubex bare/
refused "a profile without a trace" 1 'bare' "$builddir/fathom-diff" --kinds bare new

# Traces of another system: a trace is like itself.
for trace in "$shared"/data/*-trace/traces.otf2; do
	[ -f "$trace" ] || continue
	"$track" "$trace" "$trace" --json > itself.json 2> err || bad "$trace: exit $?: $(cat err)"
	holds "$trace" itself.json 'd["coverage"] == 1 and all(e["kind_of_cluster"] == d["experiments"][0]["kind_of_cluster"] for e in d["experiments"])'
done

refused "one trace" 2 'two traces or more' "$track" two
refused "a file that exists" 1 'kinds.csv: exists already' "$track" two four --csv kinds.csv
refused "a metric that one trace lacks" 2 'metrics PAPI_TOT_INS: the trace has duration, call' "$track" old plain --metrics PAPI_TOT_INS
refused "a trace that is not there" 1 'nothing' "$track" two nothing
refused "too many windows" 2 '--windows 65' "$track" two --windows 65
verdict
