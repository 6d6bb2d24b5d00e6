#!/bin/bash
# fathom clusters: planted kinds of bursts are found again, with and without counters; what is chosen is said and can be given.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
clusters=$builddir/fathom-clusters make_bursts=$builddir/test/tools/make_bursts
"$clusters" --help > help
[ -x "$make_bursts" ] || skip "OTF2 not found when configure ran (Debian: libopen-trace-format2-dev)"

plant() { "$make_bursts" "$@" || die "make_bursts $*"; }
# holds WHAT FILE EXPRESSION: whether the expression of Python holds for the JSON document d; c: its clusters without noise.
holds() {
	"$PYTHON3" - "$2" "$3" << 'PY' || bad "$1: $3"
import json, sys
d = json.load(open(sys.argv[1]))
c, noise = d["clusters"][1:], d["clusters"][0]
sys.exit(0 if eval(sys.argv[2]) else 1)
PY
}
# agrees WHAT DIR LEAST: the adjusted Rand index of the clusters in DIR.csv and the planted kinds is at least LEAST.
agrees() {
	"$PYTHON3" - "$2/planted.csv" "$2.csv" "$3" << 'PY' || bad "$1: the clusters are not those that were planted"
import collections, csv, sys
planted = {(int(p), int(t)): int(k) for p, t, k in csv.reader(open(sys.argv[1]))}
pairs = []
for row in csv.DictReader(open(sys.argv[2])):
    kind, cluster = planted.get((int(row["TaskId"]), int(row["Begin_Time"]))), int(row["ClusterID"])
    if kind and cluster >= 0:
        pairs.append((kind, cluster))
def pairs_in(groups): return sum(n * (n - 1) / 2 for n in collections.Counter(groups).values())
both, a, b = pairs_in(pairs), pairs_in(k for k, c in pairs), pairs_in(c for k, c in pairs)
expected = a * b / pairs_in([0] * len(pairs))
index = (both - expected) / ((a + b) / 2 - expected)
if len(pairs) < 100 or index < float(sys.argv[3]):
    sys.exit(f"{len(pairs)} bursts, adjusted Rand index {index:.3f}")
PY
}

# Compact, elongated, loose and imbalanced kinds, and noise.
kinds="solve:2e6:0.03:1.5:0.02 relax:8e5:u0.4:0.8:0.02 sum:9e5:0.02:2.2:0.03 skew:4e5:r0.5:1.2:0.01 junk:5e5:0.1:1:0.1:noise"
plant counted 8 40 $kinds
"$clusters" --json --csv counted.csv counted > counted.json 2> err || bad "counted: exit $?: $(cat err)"
agrees "with counters" counted 0.95
for is in '[x["code"][0]["path"] for x in c][:2] == ["main > solve", "main > relax"] and len(c) == 4' \
	'sorted(x["code"][0]["path"] for x in c[2:]) == ["main > skew", "main > sum"]' \
	'[m["name"] for m in d["choices"]["metrics"]] == ["PAPI_TOT_INS", "ipc"] and d["choices"]["method"] == "dbscan"' \
	'all(x["threads"] == 8 and 300 <= x["bursts"] <= 330 for x in c) and c[0]["code"][0]["line"] == 10' \
	'abs(c[0]["metrics"]["PAPI_TOT_INS"]["mean"] / 2e6 - 1) < .01 and abs(c[1]["metrics"]["ipc"]["mean"] / .8 - 1) < .01' \
	'abs(sum(x["time"] for x in d["clusters"]) - d["clustered_time"]) < 1e-9 and noise["noise"] and d["silhouette"] > .7'
do holds "with counters" counted.json "$is"; done
works "$clusters" counted --width 80
fits "text" 80 out
contains "the choices" "$(cat out)" 'Metrics +PAPI_TOT_INS, ipc$'
contains "the choices" "$(cat out)" 'DBSCAN, eps 0.[0-9]* \(of the distance curve\), MinPts 4 \(chosen\)'
contains "the code" "$(cat out)" 'main > relax +app.c:20'
works "$clusters" counted --histogram
contains "the histogram" "$(cat out)" '1.000 ms +[0-9]+ +[0-9.]+%'

# Representatives: near the centre of each kind, of different processes, as many as the spread of the durations needs.
"$clusters" --json --representatives counted > few.json || bad "representatives: exit $?"
for is in 'len([x for x in d["representatives"]["bursts"] if x["cluster"] == 1]) == 1' \
	'{x["cluster"] for x in d["representatives"]["bursts"]} == {1, 2, 3, 4}' \
	'all(abs(sum(x["weight"] for x in d["representatives"]["bursts"] if x["cluster"] == k + 1) - c[k]["bursts"]) < 1e-6 for k in range(4))' \
	'20 < len([x for x in d["representatives"]["bursts"] if x["cluster"] == 2]) <= 64' \
	'len({x["process"] for x in d["representatives"]["bursts"] if x["cluster"] == 2}) == 8' \
	'all(abs((x["end"] - x["begin"]) / c[0]["metrics"]["duration"]["mean"] - 1) < .05 for x in d["representatives"]["bursts"][:1])' \
	'd["representatives"]["time_reduction"] > 10 and d["representatives"]["instruction_reduction"] > 10'
do holds "representatives" few.json "$is"; done
works "$clusters" counted --representatives
contains "representatives" "$(cat out)" '^[0-9]+ bursts with [0-9]+ times less time and [0-9]+ times fewer instructions than all'

# Counters in groups, by process, in turn or both: bursts without a change within have them, and all are extrapolated.
for scheme in space time time-space; do
	GROUPS_OF=$scheme plant "$scheme" 8 41 solve:2e6:0.03:1.5:0.02 relax:8e5:u0.4:0.8:0.02 sum:9e5:0.02:2.2:0.03
	"$clusters" --json "$scheme" > groups.json || bad "$scheme: exit $?"
	for is in 'len(c) == 3 and [m["name"] for m in d["choices"]["metrics"]] == ["PAPI_TOT_INS", "ipc"]' \
		'len(d["extrapolated"]) == 6 and all(140 < e["measured"] < 190 for e in d["extrapolated"])' \
		'all(abs(e["mean"] / (c[e["cluster"] - 1]["metrics"]["PAPI_TOT_INS"]["mean"] * (1, 2, 3)[e["cluster"] - 1] / 100) - 1) < .02 for e in d["extrapolated"] if e["counter"] == "PAPI_L1_DCM")' \
		'all(abs(e["mean"] / (c[e["cluster"] - 1]["metrics"]["PAPI_TOT_CYC"]["mean"] * .3) - 1) < .001 for e in d["extrapolated"] if e["counter"] == "PAPI_RES_STL")' \
		'all(abs(e["total"] / e["mean"] - c[e["cluster"] - 1]["bursts"]) < 1e-6 and 0 < e["weighted_error"] < e["standard_error"] < .03 for e in d["extrapolated"])' \
		'all(abs(x["parts"]["PAPI_RES_STL"] / x["cycles_per_instruction"] - .3) < .02 and abs(sum(x["parts"].values()) - x["cycles_per_instruction"]) < 1e-9 for x in d["cycles_per_instruction"])'
	do holds "$scheme" groups.json "$is"; done
done
# Against a run with all counters: the estimates are near, each kind has the bursts of the other run, and errors are weighted.
GROUPS_OF=all plant direct 8 41 solve:2e6:0.03:1.5:0.02 relax:8e5:u0.4:0.8:0.02 sum:9e5:0.02:2.2:0.03
for scheme in space time time-space; do
	"$clusters" --json "$scheme" --compare-counters direct > compared.json || bad "$scheme, compared: exit $?"
	for is in 'len(d["compared_counters"]["counters"]) == 6 and d["compared_counters"]["bursts"] >= 8 * 41 * 3 - 30' \
		'all(x["bursts"] > 310 and 0 <= x["error"] < .03 for x in d["compared_counters"]["counters"])' \
		'all(abs(x["error"] - abs(e["mean"] - x["measured_mean"]) / x["measured_mean"]) < 1e-9 and (x["cluster"], x["counter"]) == (e["cluster"], e["counter"]) for x, e in zip(d["compared_counters"]["counters"], d["extrapolated"]))' \
		'all(abs(x["weighted_error"] - x["error"] * (lambda t: t[x["cluster"] - 1] / sum(t))([k["metrics"]["PAPI_TOT_CYC"]["mean"] * k["bursts"] for k in [noise] + c][1:] )) < .002 for x in d["compared_counters"]["counters"])' \
		'abs(d["compared_counters"]["mean_weighted_error"] - sum(x["weighted_error"] for x in d["compared_counters"]["counters"]) / 6) < 1e-12'
	do holds "$scheme, compared" compared.json "$is"; done
done
works "$clusters" space --compare-counters direct --width 80
fits "compared" 80 out
contains "compared" "$(cat out)" '^ +1 +[0-9]+ +[0-9.]+ .* [0-9.]+% +[0-9.]+% +PAPI_L1_DCM$'
contains "compared" "$(cat out)" '^[0-9]+ bursts of the other run have a kind, [0-9]+ have none\.$'
contains "compared" "$(cat out)" '^Mean weighted error: [01]\.'
refused "nothing was extrapolated" 1 'no counter of this run was extrapolated' "$clusters" counted --compare-counters direct
refused "no counter to compare with" 1 'there is none of the extrapolated counters' "$clusters" space --compare-counters counted
refused "two runs by call" 1 'the kinds were found by call' "$clusters" space --metrics duration,call --compare-counters direct
refused "no such run" 1 'nowhere' "$clusters" space --compare-counters nowhere
works "$clusters" space --width 80
fits "text" 80 out
contains "extrapolated counters" "$(cat out)" '^ +1 +[0-9]+ of [0-9]+ +19[0-9]{3} .* PAPI_L1_DCM$'
contains "cycles for each instruction" "$(cat out)" '^ +0.200  PAPI_RES_STL '

# Given choices; the baseline cuts the elongated kinds; principal axes.
"$clusters" --json counted --eps 0.02 --min-points 10 --metrics PAPI_TOT_CYC,PAPI_TOT_INS --least 300us > given.json || bad "given: exit $?"
for is in 'd["choices"]["eps"] == .02 and d["choices"]["min_points"] == 10 and d["choices"]["least_duration"] == 3e-4' \
	'[m["name"] for m in d["choices"]["metrics"]] == ["PAPI_TOT_CYC", "PAPI_TOT_INS"] and len(c) >= 3'
do holds "given choices" given.json "$is"; done
"$clusters" --json counted --method xmeans > xmeans.json || bad "xmeans: exit $?"
holds "x-means" xmeans.json 'len(c) > 4 and noise["bursts"] == 0 and d["choices"]["eps"] is None'
"$clusters" --json counted --method kmeans:3 > kmeans.json || bad "kmeans: exit $?"
holds "k-means" kmeans.json 'len(c) == 3'
"$clusters" --json counted --metrics duration,PAPI_TOT_CYC,PAPI_TOT_INS --principal-axes > axes.json || bad "axes: exit $?"
holds "principal axes" axes.json 'd["choices"]["dimensions"] == 2 and len(c) >= 3'

# Without counters: the duration, and the call at the end.
PLAIN=1 plant plain 8 40 $kinds
"$clusters" --json --csv plain.csv plain > plain.json 2> err || bad "plain: exit $?: $(cat err)"
agrees "without counters" plain 0.95
holds "without counters" plain.json '[m["name"] for m in d["choices"]["metrics"]] == ["duration", "call"]'
"$clusters" --json --csv limited.csv --limit 500 plain > limited.json || bad "limit: exit $?"
holds "a limit" limited.json 'd["clustered_bursts"] <= 500 and d["bursts"] > 1300'

# Sequences: all processes do the same, or even and odd ones do not; a kind that only the second half of the run has.
"$clusters" --json counted --share 100 --sequences counted.seq > counted.json || bad "sequences: exit $?"
holds "threads that are alike" counted.json 'd["sequence_score"] > .9 and c[0]["sequence_score"] > .95 and d["aligned_threads"] == 8'
same "sequences" 8 "$(grep -c '^>process [0-7] thread 0$' counted.seq)"
same "letters" 1 "$(grep -v '^>' counted.seq | tr -d '\n' | grep -cx '[A-DZ-]*')"
plant unlike 8 30 all:2e6:0.02:1.5:0.02 some:6e5:0.02:0.6:0.02:even others:1e6:0.02:2.5:0.02:odd later:4e5:0.02:1.1:0.02:late
"$clusters" --json unlike > unlike.json || bad "unlike: exit $?"
for is in 'all(abs(x["sequence_score"] - w) < .06 for x in c for w in [.5 if x["code"][0]["path"][7:] in ("some", "others") else 1])' \
	'len(c) == 4 and .6 < d["sequence_score"] < .9'
do holds "threads that differ" unlike.json "$is"; done
works "$clusters" unlike
contains "words" "$(cat out)" '4 of 8 threads, differ \(score 0\.[45]'
contains "words" "$(cat out)" 'all 8 threads, all alike \(score 1.00\)|all 8 threads, nearly alike'

# Groups of processes: even and odd ones in one program, none in the other.
"$clusters" unlike --json --dendrogram unlike.dot > unlike.json || bad "groups: exit $?"
holds "even and odd processes" unlike.json 'd["process_groups"] == [[0, 2, 4, 6], [1, 3, 5, 7]]'
contains "the graph of processes" "$(cat unlike.dot)" 'process 7'
works "$clusters" unlike
contains "groups of processes" "$(cat out)" '^4 processes: 1,3,5,7'
plant alike 8 20 all:2e6:0.01:1.5:0.01 some:6e5:0.01:0.6:0.01
"$clusters" alike --json > alike.json || bad "alike: exit $?"
holds "no groups" alike.json 'd["process_groups"] == [list(range(8))]'

# Kinds of different density: two narrow ones near to each other and a loose one, for which no single eps is right.
plant dense 8 60 one:1e6:0.002:1:0.002 two:1.25e6:0.002:1.02:0.002 loose:4e6:0.12:2:0.12 far:3e5:0.002:0.5:0.002
"$clusters" --json dense --csv dense.csv --method refinement --tree dense.dot > dense.json || bad "refinement: exit $?"
agrees "refinement" dense 0.95
holds "refinement" dense.json 'len(c) == 4 and d["choices"]["method"] == "refinement" and d["sequence_score"] > .95'
"$clusters" --json dense > joined.json || bad "dense: exit $?"
holds "one eps only" joined.json 'len(c) == 3'
holds "its tree" dense.json 'sum(n["leaf"] for n in d["choices"]["refinement"]["nodes"]) - d["choices"]["refinement"]["joined"] == 4'
contains "the graph" "$(cat dense.dot)" '^digraph refinement'

# The same from large to small, by values that are chosen and that are given; what each step found.
"$clusters" --json dense --csv divided.csv --method refinement:divisive --steps steps > divided.json || bad "divisive: exit $?"
cp divided.csv dense.csv
agrees "divisive refinement" dense 0.95
holds "divisive refinement" divided.json 'len(c) == 4 and d["choices"]["refinement"]["variant"] == "divisive"'
holds "falling eps" divided.json 'd["choices"]["refinement"]["eps"] == sorted(d["choices"]["refinement"]["eps"], reverse=True)'
"$PYTHON3" - divided.json steps divided.csv << 'PY' || bad "the files of the steps"
import collections, csv, json, os, re, sys
d, steps = json.load(open(sys.argv[1])), sys.argv[2]
refinement = d["choices"]["refinement"]
count = len(refinement["eps"])
assert sorted(os.listdir(steps)) == sorted(["TREE.dot", "MERGE.TREE.dot"] + [f"STEP{s + 1}{e}" for s in range(count) for e in (".csv", ".scores.csv")])
for s in range(count):
    rows = list(csv.DictReader(open(f"{steps}/STEP{s + 1}.csv")))
    assert len(rows) == d["clustered_bursts"]
    sizes = collections.Counter(r["ClusterID"] for r in rows if r["ClusterID"] != "0")
    scores = list(csv.DictReader(open(f"{steps}/STEP{s + 1}.scores.csv")))
    assert {r["Cluster"]: int(r["Occurrences"]) for r in scores[:-1]} == dict(sizes), s
    assert abs(sum(float(r["WeightedScore"]) for r in scores[:-1]) - float(scores[-1]["WeightedScore"])) < 1e-4
leaves = {n: node for n, node in enumerate(refinement["nodes"]) if node["leaf"]}
merges = dict(re.findall(r"n(\d+) -> k(\d+);", open(f"{steps}/MERGE.TREE.dot").read()))
assert {int(n) for n in merges} == set(leaves) and set(merges.values()) == {"1", "2", "3", "4"}
for kind in range(1, 5):
    parts = [leaves[int(n)] for n, k in merges.items() if k == str(kind)]
    assert abs(sum(p["time"] for p in parts) - d["clusters"][kind]["time"]) < 1e-9
PY
"$clusters" --json dense --method refinement:divisive --eps 0.01,0.03,0.1 > given.json || bad "divisive, given: exit $?"
holds "divisive, given values" given.json 'len(c) == 4 and d["choices"]["refinement"]["eps"] == [.1, .03, .01] and d["sequence_score"] > .95'
works "$clusters" dense --method refinement:divisive --eps 0.01,0.03,0.1 --width 80
contains "divisive, given values" "$(cat out)" 'divisive refinement in 3 steps, eps 0.1 to 0.01, MinPts 2$'
works "$clusters" dense --method refinement --eps 0.01,0.03,0.1
contains "given values" "$(cat out)" 'refinement in [1-3] steps?, eps 0.01 to'

# The page: well-formed, a point for each burst and a row for each thread; names of regions are escaped.
"$clusters" unlike --page unlike.html > out 2> err || bad "page: exit $?: $(cat err)"
same "points" 600 "$(grep -c '<circle' unlike.html)"
same "rows" 8 "$(grep -c '>[0-7]:0</text>' unlike.html)"
"$PYTHON3" -c '
import sys, xml.dom.minidom
text = open(sys.argv[1]).read()
xml.dom.minidom.parseString(text[text.index("<body>"):text.index("</body>")] + "</body>")' unlike.html || bad "the page is not well-formed"
contains "the code in the page" "$(cat unlike.html)" 'main &gt; some'
"$clusters" unlike --metrics duration,PAPI_TOT_INS,PAPI_TOT_CYC --principal-axes --page axes.html > out || bad "page of axes"

# Several processes: the same clusters as one process finds if the sample has all bursts, and the kinds by a small sample.
if have_mpi && [ -e "$builddir/.libs/fathom-analyze-mpich.so" ]; then
	"$clusters" counted --json > one.json || bad "one process: exit $?"
	for k in 2 3; do
		timeout -s KILL 60 "$MPIRUN" -n $k "$clusters" counted --json > many.json 2> err || bad "$k processes: exit $?: $(cat err)"
		"$PYTHON3" - << 'PY' || bad "$k processes find other clusters than one"
import json
def rounded(x): return float(f"{x:.6g}") if isinstance(x, float) else x
def facts(d):
    return [[rounded(v) for v in (c["bursts"], c["time"], c["threads"], c["metrics"]["ipc"]["mean"], c["metrics"]["PAPI_TOT_INS"]["deviation"])]
            + [(p["path"], rounded(p["share"])) for p in c["code"]] for c in d["clusters"]] + [
            d["bursts"], d["threads"], d["clustered_bursts"], d["choices"]["eps"], d["choices"]["metrics"], d["short_bursts"]]
one, many = json.load(open("one.json")), json.load(open("many.json"))
assert many["choices"]["sample"] == one["clustered_bursts"] and one["choices"]["sample"] is None
assert facts(one) == facts(many), (facts(one), facts(many))
PY
	done
	timeout -s KILL 60 "$MPIRUN" -n 2 "$clusters" counted --sample 600 --json > many.json 2> err || bad "a sample: exit $?: $(cat err)"
	holds "a sample" many.json 'len(c) == 4 and 400 < d["choices"]["sample"] <= 600 and d["clustered_bursts"] > 1200'
	holds "a sample" many.json 'all(250 <= x["bursts"] <= 330 and x["threads"] == 8 for x in c)'
	timeout -s KILL 60 "$MPIRUN" -n 2 "$clusters" counted --csv together.csv > out 2> err && bad "mpirun with --csv works"
	contains "mpirun with --csv" "$(cat err)" '^fathom clusters: mpirun: several processes find clusters by DBSCAN'
	same "one process prints it" 1 "$(grep -c '^fathom clusters' err)"
	for wrong in "--eps 0" --nonsense "one two"; do
		timeout -s KILL 60 "$MPIRUN" -n 3 "$clusters" $wrong > out 2> err && bad "mpirun: $wrong works"
		same "mpirun: $wrong" 1 "$(grep -c '^fathom clusters: .*; see fathom clusters --help' err)"
	done
	timeout -s KILL 60 "$MPIRUN" -n 2 "$clusters" --help > out 2> err || bad "mpirun: --help: exit $?: $(cat err)"
	same "help, once" 1 "$(grep -c '^usage: ' out)"
	timeout -s KILL 60 "$MPIRUN" -n 2 "$clusters" no-such-trace > out 2> err && bad "mpirun without a trace works"
	contains "mpirun without a trace" "$(cat err)" 'no-such-trace'
fi

# The copy of the trace: the metric has the kind of each burst from its begin to its end; all other events are the same.
"$clusters" unlike --trace marked --csv marked.csv > out 2> err || bad "trace: exit $?: $(cat err)"
"$builddir/fathom-check" marked > out
same "faults of the copy, which are those of the trace" "$("$builddir/fathom-check" unlike | sed -n "s/.*: \([0-9]*\) faults.*/\1/p")" "$(sed -n "s/.*: \([0-9]*\) faults.*/\1/p" out)"
"$clusters" marked --json --csv again.csv > again.json || bad "a copy: exit $?"
same "bursts of the copy" "$(cut -d, -f1-9,12- marked.csv)" "$(cut -d, -f1-9,12- again.csv)"
refused "a directory that exists" 1 'marked: exists already' "$clusters" unlike --trace marked
if have otf2-print; then
	otf2-print marked/traces.otf2 > printed
	otf2-print unlike/traces.otf2 > plain.txt
	same "other events" "$(grep -c '^ENTER\|^LEAVE\|^MPI' plain.txt)" "$(grep -c '^ENTER\|^LEAVE\|^MPI' printed)"
	"$PYTHON3" - printed marked.csv << 'PY' || bad "the metric does not have the kinds of the bursts"
import csv, re, sys
marks = {}
for line in open(sys.argv[1]):
    found = re.match(r'METRIC +(\d+) +(\d+) .*"cluster".*; (-?\d+)', line)
    if found:
        marks.setdefault(int(found[1]), []).append((int(found[2]), int(found[3])))
wanted = {}
for row in csv.DictReader(open(sys.argv[2])):
    value = {0: -1, -1: -2, -2: -3}.get(int(row["ClusterID"]), int(row["ClusterID"]))
    wanted.setdefault(int(row["TaskId"]), []).extend([(int(row["Begin_Time"]), value), (int(row["End_Time"]), 0)])
assert len(wanted) == 8 and marks == wanted, (list(marks.items())[:1], list(wanted.items())[:1])
PY
else left_out "the values of the metric (otf2-print)"; fi

# The profile: its metrics have the time and number of the bursts.
"$clusters" unlike --json -o unlike.cubex > unlike.json 2> err || bad "profile: exit $?: $(cat err)"
check_profile unlike.cubex
same "bursts" 240 "$(value visits main/all unlike.cubex)"
"$PYTHON3" -c '
import json, sys
d = json.load(open("unlike.json"))
sys.exit(0 if abs(d["clusters"][2]["time"] - float(sys.argv[1])) < 1e-6 else 1)' "$(value cluster_2 main/some unlike.cubex)" || bad "the time of kind 2"

# The clusters of DBSCAN are those of scikit-learn, on elongated and round clouds of different density, lines and noise.
for python in "$PYTHON3" /usr/bin/python3; do
	! "$python" -c 'import sklearn, numpy' 2> /dev/null || { has_sklearn=$python; break; }
done
if [ -n "${has_sklearn:-}" ]; then
	"$has_sklearn" "$srcdir/test/tools/sklearn_clusters.py" "$builddir/test/tools/cluster_points" > out 2> err || bad "scikit-learn: $(tail -1 err)"
	same "scikit-learn" "22 cases" "$(cat out)"
else
	left_out "the comparison with scikit-learn (Debian: python3-sklearn)"
fi

# Traces of another system.
for trace in "$shared"/data/*-trace/traces.otf2; do
	[ -f "$trace" ] || continue
	rm -rf foreign
	works "$clusters" "$trace" --trace foreign
	works "$builddir/fathom-check" foreign
	contains "a copy of $trace" "$(cat out)" ': good: '
	! /usr/bin/python3 -c 'import otf2' 2> /dev/null || [ ! -e "$shared/oracle/check_otf2.py" ] ||
		/usr/bin/python3 "$shared/oracle/check_otf2.py" --ignore D23,M03 foreign/traces.otf2 > oracle 2>&1 || bad "$trace: the oracle: $(tail -3 oracle)"
done

refused "a file that exists" 1 'counted.csv: exists already' "$clusters" counted --csv counted.csv
refused "a metric that is not there" 2 "^fathom clusters: --metrics : the trace has duration, call, PAPI_TOT_INS" "$clusters" counted --metrics duration,
refused "no trace" 1 'none' "$clusters" none
refused "eps" 2 '--eps 0: a number greater than 0' "$clusters" counted --eps 0
refused "a duration" 2 '--least 5: a time such as' "$clusters" counted --least 5
refused "a share" 2 '--share 120: a number of per cent' "$clusters" counted --share 120
refused "falling eps" 2 '--eps 0.2,0.1: a number' "$clusters" counted --eps 0.2,0.1
refused "several eps" 2 '--eps: several values only with' "$clusters" counted --eps 0.1,0.2
refused "a tree" 2 '--tree: only with --method refinement' "$clusters" counted --tree tree.dot
refused "steps" 2 '--steps: only with --method refinement' "$clusters" counted --steps new
refused "steps that exist" 1 'steps: exists already' "$clusters" dense --method refinement --steps steps
refused "a method" 2 '--method mean: dbscan' "$clusters" counted --method mean
refused "nothing is long enough" 1 'counted.*: no burst is long enough' "$clusters" counted --least 100s
verdict
