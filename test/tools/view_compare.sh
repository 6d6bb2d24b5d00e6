#!/bin/bash
# fathom view of two runs: the page has the values of both and the changes that fathom diff --json gives; fathom view of
# a trace that was analysed, with and without a profile.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
. "$srcdir/test/tools/browser.sh"
diff=$builddir/fathom-diff make_small=$builddir/test/tools/make_small
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# compared A B RANKS: the page of both, checked in the browser
compared()
{
	rm -f page.html
	"$view" -o page.html "$1" "$2" > out 2> err || { bad "$1 and $2: exit $?: $(cat err)"; return; }
	same "$1 and $2: temporary files that stay" "" "$(ls "$TMPDIR")"
	"$diff" --json "$1" "$2" > diff.json || bad "$1 and $2: no diff"
	"$PYTHON3" - diff.json "$3" << 'PY' > expected.json || bad "$1 and $2: no values to compare with"
import json, sys
diff = json.load(open(sys.argv[1]))
paths = {p["path"]: p for p in diff["call_paths"]}
# diff names a call path as the first run does, the page as the second.
names = {"exchange": "exchange.constprop.0"} if any("constprop" in path for path in paths) else {}
print(json.dumps({"paths": paths, "names": names, "ranks": int(sys.argv[2]), "top": diff["regions"][0]["name"].split(".")[0]}))
PY
	in_browser "$1 and $2" page.html view_compare.js expected.json
}

# io is gone, post is new, solve got slower, exchange faster and a suffix.
"$make_small" a.cubex << 'D' || die make_small
ranks 2
metric time double
metric visits count
path 0 -1 main app.c 50
path 1 0 solve app.c 10
path 2 1 exchange.constprop.0 app.c 20
path 3 0 io app.c 30
row time 0 1 2
row time 1 10 20
row time 2 8 9
row time 3 0.5 0.25
row visits 0 1 1
row visits 1 10 10
D
"$make_small" b.cubex << 'D' || die make_small
ranks 2
metric time double
metric visits count
path 0 -1 main app.c 70
path 1 0 solve app.c 15
path 2 1 exchange app.c 25
path 3 0 post app.c 40
row time 0 1 2
row time 1 18 24
row time 2 3 3
row time 3 1 1
row visits 0 1 1
row visits 1 8 10
D
compared a.cubex b.cubex 2
"$builddir/test/tools/make_runs" 300 4 1 1 none 0 r1.cubex && "$builddir/test/tools/make_runs" 300 4 2 1 f3 30 r2.cubex || die make_runs
compared r1.cubex r2.cubex 4
mkdir before after
cp r1.cubex before/profile.cubex
cp r2.cubex after/profile.cubex
"$view" before after > out 2> err || bad "two experiments: $(cat err)"
contains "the page is beside the second run" "$(cat out)" 'after/comparison.html'

# Two sampled runs: their loops are in the tree, and match although the function moved. Each loop computes about 0.2 s.
mkdir old new
cat > old/app.c << 'C'
#include <stdlib.h>
static volatile double sink;
__attribute__((noinline)) static void solve(int n)
{
	for (int i = 0; i < 150 * n; i++)
		sink = sink * 0.5 + i;
	for (int i = 0; i < 150 * n; i++)
		sink = sink * 0.25 + i;
}
int main(int argc, char **argv) { solve(argc > 1 ? atoi(argv[1]) : 1); return 0; }
C
{ printf '/* These\nlines\nare\nnew. */\n'; cat old/app.c; } > new/app.c
for name in old new; do
	"$FATHOM" "$CC" -g -O1 $name/app.c -o $name/app > err 2>&1 || die "$name: $(cat err)"
	FATHOM_SAMPLING=2000 FATHOM_NAME=$name.exp $name/app 400000 > out 2> err || die "$name: exit $?: $(cat err)"
done
"$report" new.exp > out 2> err || bad "report: $(cat err)"
if [ -s old.exp/samples.txt ] && [ -s new.exp/samples.txt ] && "$report" --loops new.exp > out 2>&1 && grep -q app.c:11 out; then
	"$view" -o loops.html old.exp new.exp > out 2> err || bad "two sampled runs: $(cat err)"
	"$PYTHON3" - loops.html << 'PY' > said 2>&1 || bad "loops of two runs: $(tail -n 1 said)"
import base64, json, re, sys, zlib
page = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="definitions">([^<]*)<', open(sys.argv[1]).read()).group(1))))
names = [page["regions"]["name"][r] for r in page["cnodes"]["region"]]
for loop in ("loop app.c:9", "loop app.c:11"):
    assert loop in names, names
    c = names.index(loop)
    assert page["comparison"]["only"][c] == 0 and names[page["cnodes"]["parent"][c]] == "solve", (loop, page["comparison"]["only"])
    assert page["cnodes"]["region"][c] in page["regions"]["scopes"]
    assert page["report"]["origins"][c] == page["report"]["origins"][names.index("solve")]
assert page["samples"]["total"] > 0
PY
else
	left_out "loops of two runs: no samples, or no loops, were found here"
fi

# The benchmark of clicks, tiny: it works; its times depend on what else the machine does, so they are not looked at.
if [ -n "$browser" ]; then
	TMPDIR=$work "$PYTHON3" "$srcdir/test/bench/view_clicks.py" "$view" r1.cubex --browser "$browser" --repeat 1 > out 2> err ||
		left_out "test/bench/view_clicks.py: $(tail -1 err)"
fi

# A page of differences: negative values, in the browser without errors.
"$diff" -o change.cubex a.cubex b.cubex > out 2> err || bad "no differences: $(cat err)"
"$view" -o change.html change.cubex > out 2> err || bad "the page of differences: $(cat err)"

# The wait states of a trace: with the profile of the run, and without one.
if [ -x "$builddir/test/tools/make_trace" ] && [ -x "$analyze" ]; then
	make_trace good traced
	"$analyze" traced > out 2>&1 || bad "analyze: $(cat out)"
	"$view" traced > out 2> err || bad "a trace that was analysed: $(cat err)"
	contains "the page of the trace" "$(cat out)" 'traced/report.html'
	cp r1.cubex traced/profile.cubex
	"$view" -o both.html traced > out 2> err || bad "a profile and an analysis: $(cat err)"
	"$PYTHON3" - both.html << 'PY' > said 2>&1 || bad "a profile and an analysis: $(tail -1 said)"
import base64, json, re, sys, zlib
data = re.search(r'id="definitions">([^<]*)<', open(sys.argv[1]).read()).group(1)
metrics = [m["name"] for m in json.loads(zlib.decompress(base64.b64decode(data)))["metrics"]]
assert "time" in metrics and any("late" in name or "wait" in name for name in metrics), metrics
PY
	rm traced/profile.cubex traced/analysis.cubex
	refused "a trace that was not analysed" 1 'is a trace; make a profile of it first: fathom analyze traced/traces.otf2' "$view" traced
else
	left_out "the page of a trace: built without OTF2"
fi
refused "no second run" 1 'none.cubex: No such file' "$view" a.cubex none.cubex
same "temporary files that stay" "" "$(ls "$TMPDIR")"
verdict
