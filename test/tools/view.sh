#!/bin/bash
# fathom view: the data of its page are those of fathom report --json; and in a browser, every view of the page shows them.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
. "$srcdir/test/tools/browser.sh"

# clicks PAGE REPORT.json: what a reader does with the page
clicks()
{
	"$PYTHON3" -c 'import json, sys; sys.exit(json.load(open(sys.argv[1]))["summary"]["time"] is None)' "$2" || return 0	# its times cannot be used
	"$PYTHON3" - "$2" $(grep -q "with scopes" said && echo origins) << 'PY' > expected.json || bad "$1: no values to compare with"
import json, sys
report = json.load(open(sys.argv[1]))
nodes = report["scoped_call_tree"] if "origins" in sys.argv[2:] else report["call_tree"]
tree = [{"id": n["id"], "name": n["name"], "exclusive": {"time": n["exclusive"].get("time", 0)}, "inclusive": {"time": n["inclusive"].get("time", 0)}}
        for n in nodes]
own = {}
for node in report["call_tree"]:
    own[node["region"]] = own.get(node["region"], 0) + (node["exclusive"].get("time") or 0)
top = max(own, key=own.get)
below = {}
for node in nodes:
    below.setdefault(node["parent"], []).append(node)
time = lambda n: n["inclusive"].get("time") or 0
hot = max(below[None], key=time)
while below.get(hot["id"]):
    following = max(below[hot["id"]], key=time)
    if time(following) < time(hot) / 2:
        break
    hot = following
print(json.dumps({"call_tree": tree, "top": report["regions"][top]["name"], "hot": hot["id"], "total": report["summary"]["time"]}))
PY
	in_browser "$1" "$1" view_clicks.js expected.json
}

# page NAME FILE [COLUMNS]: the page of a profile
page()
{
	"$report" --json "$2" > "$1.json" 2> err || { bad "$1: no report: $(cat err)"; return; }
	"$view" -o "$1.html" "$2" > out 2> err || { bad "$1: exit $?: $(cat err)"; return; }
	contains "$1: the page is named" "$(cat out)" "$1.html"
	"$PYTHON3" "$srcdir/test/tools/view.py" "$1.html" "$1.json" ${3:+"$3"} > said 2>&1 || bad "$1: $(cat said)"
	clicks "$1.html" "$1.json"
}

make_fixture run run.cubex
page fixture run.cubex

# A program that is measured here, with its source text.
cat > prog.c << 'C'
static volatile double sink;
__attribute__((noinline)) static void inner(int n) { for (int i = 0; i < n; i++) sink = sink * 0.5 + i; }
__attribute__((noinline)) static void outer(int n) { inner(n); inner(2 * n); }
int main(void) { for (int i = 0; i < 20; i++) outer(200000); return 0; }
C
"$FATHOM" "$CC" -g -O1 prog.c -o prog > out 2>&1 || die "prog: $(cat out)"
FATHOM_NAME=prog.exp ./prog > out 2> err || die "prog: exit $?: $(cat err)"
page program prog.exp/profile.cubex
"$view" prog.exp > out 2> err || bad "an experiment: $(cat err)"
[ -f prog.exp/report.html ] || bad "no report.html in the experiment: $(cat out)"
"$view" prog.exp > out 2> err || bad "the page cannot be written again: $(cat err)"
sources()
{
	"$PYTHON3" -c '
import base64, json, re, sys, zlib
data = re.search(r"id=\"definitions\">([^<]*)<", open(sys.argv[1]).read()).group(1)
print(*[line for source in json.loads(zlib.decompress(base64.b64decode(data)))["sources"].values() for line in source["lines"]], sep="\n")' "$1"
}
contains "the source text" "$(sources prog.exp/report.html)" 'sink \* 0.5'
"$view" --no-source prog.exp > out 2> err || bad "--no-source: $(cat err)"
same "without source" "" "$(sources prog.exp/report.html)"

# With samples, the call tree of the page has loops and inlined functions.
if FATHOM_SAMPLING=2000 FATHOM_NAME=sampled.exp ./prog > out 2> err && [ -s sampled.exp/samples.txt ]; then
	page sampled sampled.exp/profile.cubex
	contains "the page of a sampled run" "$(cat said)$(sources sampled.html)" 'PASSED|with scopes|sink'
	"$PYTHON3" - sampled.html sampled.exp/samples.txt << 'PY' > said 2>&1 || bad "samples by line and by object: $(tail -2 said)"
import base64, json, os, re, sys, zlib
page, text = open(sys.argv[1]).read(), open(sys.argv[2]).read()
definitions = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="definitions">([^<]*)<', page).group(1))))
samples, names = definitions["samples"], definitions["regions"]["name"]
is_known = any(line[2] for line in samples["lines"])	# else built without elfutils
# The time of inner is in its loop, but its text is that of the function.
assert not is_known or "inner" in [names[int(region)] for region in definitions["sources"]], [names[int(region)] for region in definitions["sources"]]
event = re.search(r"^event (\d+) time ", text, re.M).group(1)
paths = dict(re.findall(r"^module (\d+) \S+ (.*)$", text, re.M))
objects = {}
for kind, of, module, value in re.findall(r"^(leaf|call) (\d+) (\d+) .* (\S+)$", text, re.M):
    if of == event and kind == "leaf":
        objects[paths[module]] = objects.get(paths[module], 0) + float(value)
near = lambda a, b: abs(a - b) <= 1e-6 * max(abs(a), 1e-3)
assert near(sum(objects.values()), samples["total"]), (objects, samples["total"])
for path, seconds, refused in samples["objects"]:
    assert near(seconds, objects.get(path, 0)), (path, seconds, objects)
seconds = [seconds for _, seconds, _ in samples["objects"]]
assert seconds == sorted(seconds, reverse=True)
lines = samples["lines"]
assert len(lines) == samples["line_count"] and near(sum(line[4] for line in lines), samples["total"])
top = lines[0]
assert not is_known or top[1] == "inner" and os.path.basename(top[2]) == "prog.c" and top[3] == 2, top	# the line with the loop
PY
fi

# Profiles of others, and large ones: locations share columns, and the page stays small.
for file in "$shared"/data/*/*.cubex; do
	[ -f "$file" ] && page "$(basename "$(dirname "$file")")" "$file"
done
make_wide=$builddir/test/tools/make_wide
if [ -x "$make_wide" ] && "$make_wide" 5000 4 wide.cubex > out 2>&1; then
	"$view" -o wide.html wide.cubex > out 2> err || bad "wide: exit $?: $(cat err)"
	[ "$(stat -c %s wide.html)" -le 2097152 ] || bad "the page of a wide profile has $(stat -c %s wide.html) bytes"
fi

# On a terminal, the report says that there is a page; elsewhere it does not.
"$PYTHON3" -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$report" --width 100 run.cubex > out 2> err < /dev/null
contains "the report on a terminal names the command" "$(cat out)" 'fathom view run.cubex'
"$report" run.cubex > out
same "elsewhere it does not" 0 "$(grep -c 'fathom view' out)"

# Bad input: one line, an exit code, and nothing is overwritten.
wrong()	# wrong TEXT ARGUMENT...
{
	local text=$1
	shift
	"$view" "$@" > out 2> err && bad "$*: accepted"
	same "$*: one line" 1 "$(wc -l < err)"
	contains "$*: what is wrong" "$(cat err)" "$text"
}
echo precious > mine.html
wrong 'mine.html: exists already' -o mine.html run.cubex
same "the file is kept" precious "$(cat mine.html)"
wrong 'none.cubex' none.cubex
wrong 'nowhere/a.html' -o nowhere/a.html run.cubex
echo text > text.cubex
wrong 'text.cubex' text.cubex
same "no part of a page stays" "" "$(ls ./*.part 2> /dev/null)"
verdict
