#!/bin/bash
# fathom view: its views of messages and of iterations have the numbers of fathom report, in the data and in a browser.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
. "$srcdir/test/tools/browser.sh"

# page NAME FILE: the page of a profile, and what a reader does with it
page()
{
	"$report" --json "$2" > "$1.json" 2> err || { bad "$1: no report: $(cat err)"; return; }
	"$report" --messages --json "$2" > "$1.messages" 2> err || echo null > "$1.messages"
	"$view" -o "$1.html" "$2" > out 2> err || { bad "$1: exit $?: $(cat err)"; return; }
	"$PYTHON3" - "$1" << 'PY' > expected.json || bad "$1: no values to compare with"
import json, sys
name = sys.argv[1]
print(json.dumps({"messages": json.load(open(name + ".messages")), "phases": json.load(open(name + ".json")).get("phases", [])}))
PY
	in_browser "$1" "$1.html" view_time_clicks.js expected.json
}

# Messages that are written here: a few ranks with waiting; 200 ranks, which are grouped; and none.
make_fixture run run.cubex
page none run.cubex
printf '%s\n' 'fathom messages 1' 'ranks 4' 'waiting known' 'with 0 1 10 4000 2 6 0.25 0.5 0' 'with 0 2 1 0 0 0 0 0 0' \
	'with 1 0 2 6 10 4000 0 0.125 0' 'with 2 3 5 100000 0 0 1.5 0 12' 'others 2 7 70 0 0 0 0' 'unknown 3 1 8 0 0 0 0' > messages.txt
page few run.cubex
"$PYTHON3" - > messages.txt << 'PY'
print("fathom messages 1\nranks 200\nwaiting unknown")
for rank in range(200):
    for other, messages in ((rank - 1) % 200, rank + 1), ((rank + 1) % 200, 5):
        print("with", rank, other, messages, messages * 100, 0, 0, 0, 0, 0)
PY
page many run.cubex
echo damaged > messages.txt
"$view" -o damaged.html run.cubex > out 2> err && bad "damaged messages: no error"
contains "damaged messages" "$(cat err)" 'messages.txt: line 1: no line of a file of messages'
[ ! -e damaged.html ] || bad "damaged messages: there is a page"

# A program with a phase of 100 iterations, in clusters and each by itself.
cat > phases.c << 'C'
#include <fathom/fathom.h>
static volatile double sink;
__attribute__((noinline)) static void work(int n) { for (int i = 0; i < n; i++) sink = sink * 0.5 + i; }
int main(void)
{
	for (int i = 0; i < 100; i++) {
		FATHOM_PHASE_BEGIN("step", i);
		work(5000 * (1 + i % 10));
		FATHOM_PHASE_END("step");
	}
	return 0;
}
C
rm messages.txt
"$FATHOM" "$CC" -g -O1 -DFATHOM phases.c -o phases > out 2>&1 || die "phases: $(cat out)"
if has_part FATHOM_PHASE_CLUSTERS; then
	FATHOM_NAME=clusters ./phases 2> err || die "phases: $(cat err)"
	page clusters clusters/profile.cubex
	FATHOM_PHASE_CLUSTERS=0 FATHOM_NAME=alone ./phases 2> err || die "phases: $(cat err)"
	page alone alone/profile.cubex
	same "100 iterations" "100" "$("$PYTHON3" -c 'import json; print(len(json.load(open("alone.json"))["phases"][0]["iterations"]))')"
fi

# The time line of a trace has what fathom export says of the same trace: in each cell the call path with the most time, and in
# the finest picture the call paths of all events, with their times.
# timeline PAGE TRACE.json SECONDS: the picture ends at the last event, and begins at the first one or, with SECONDS over 0, so
# many earlier.
timeline()
{
	"$PYTHON3" - "$@" << 'PY' > said 2>&1 || bad "$1: $(cat said)"
import base64, json, re, sys, zlib
page = re.search(r'id="definitions">([^<]*)<', open(sys.argv[1]).read()).group(1)
trace = json.loads(zlib.decompress(base64.b64decode(page)))["trace"]
names, events = {}, {}
for event in json.load(open(sys.argv[2]))["traceEvents"]:
    if event["name" if event["ph"] == "M" else "ph"] == "process_name":
        names[event["pid"]] = event["args"]["name"]
    if event["ph"] == "M" and event["name"] == "thread_name":
        names[event["pid"], event["tid"]] = names[event["pid"]] + " " + event["args"]["name"]
    if event["ph"] in "BE":
        events.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ph"], event.get("name")))
rows = {names[thread]: list_ for thread, list_ in events.items()}
times = [float(second) for second in re.search(r"^events .* from ([\d.]+) to ([\d.]+) s", open("info").read(), re.M).groups()]
assert abs(trace["end"] - max(times) - 1 / trace["ticks_a_second"]) < 2e-9, (trace["end"], max(times))
wanted = float(sys.argv[3]) and trace["end"] - float(sys.argv[3]) or min(times)
assert abs(trace["begin"] - wanted) < 2e-9 and trace["is_last"] == (float(sys.argv[3]) > 0), (trace["begin"], wanted)
assert len(trace["rows"]) <= 64 and trace["columns"] == 1000
ticks = (trace["end"] - trace["begin"]) * 1e6 / trace["columns"]
compared, busy = 0, 0

def path_of(node):
    path = []
    while node >= 0:
        path.insert(0, trace["regions"]["name"][trace["nodes"]["region"][node]])
        node = trace["nodes"]["parent"][node]
    return tuple(path)

def cells_of(runs):
    return [node for node, count in zip(runs[::2], runs[1::2]) for _ in range(count)]

# A task that began on another thread is shown without the regions that it entered there.
def is_path(shown, path):
    return shown == path or any("task" in region for region in path) and shown == path[len(path) - len(shown):]

# At the middle of each run of events there is a run of the picture with the same path, and the other way round.
def same_paths(runs, parts):
    def covers(list_, time):
        return [path for begin, end, path in list_ if begin <= time < end]
    return all(any(is_path(run[2], path) for path in covers(parts, (run[0] + run[1]) / 2)) for run in runs) and \
        all(any(is_path(path, part[2]) for path in covers(runs, (part[0] + part[1]) / 2)) for part in parts if part[1] - part[0] > 1e-3)

finest = trace["finer"][-1]
for name, runs, exact in zip(trace["rows"], trace["cells"], finest["cells"]):
    cells = cells_of(runs)
    assert len(cells) == trace["columns"], (name, len(cells))
    assert sum(exact[1::2]) == finest["columns"], (name, sum(exact[1::2]))
    stack, last, parts = [], trace["begin"] * 1e6, []
    for time, kind, region in rows.pop(name) + [(trace["end"] * 1e6, "", "")]:
        if time > last:
            parts.append((last, min(time, trace["end"] * 1e6), tuple(stack)))
            last = time
        if kind == "B":
            stack.append(region)
        elif kind:
            stack.pop()
    # The finest picture: one run for each stretch on one call path.
    runs, at = [], trace["begin"] * 1e6
    for node, count in zip(exact[::2], exact[1::2]):
        until = at + count * ticks * trace["columns"] / finest["columns"]
        runs.append((at, until, path_of(node)))
        at = until
    joined = []
    for begin, end, path in parts:
        if joined and joined[-1][2] == path:
            joined[-1] = (joined[-1][0], end, path)
        else:
            joined.append((begin, end, path))
    assert same_paths(runs, joined), (name, joined[:5], runs[:5])
    # The cells: the path with the most time; of nearly equal ones, any.
    shares = [{} for _ in cells]
    for begin, end, path in parts:
        column = int((begin - trace["begin"] * 1e6) / ticks)
        while begin < end - 1e-9 and column < len(cells):
            until = min(end, trace["begin"] * 1e6 + (column + 1) * ticks)
            shares[column][path] = shares[column].get(path, 0) + max(0, until - begin)
            begin, column = max(begin, until), column + 1
    for column, (node, share) in enumerate(zip(cells, shares)):
        path = path_of(node)
        shown = sum(value for other, value in share.items() if is_path(path, other))
        # Before a thread's first event and after its last, it does nothing: a cell with other time shows that.
        assert shown >= max([value for other, value in share.items() if other], default=0) - 0.01 * ticks, (name, column, path, share)
        compared += 1
        busy += bool(path)
assert not rows and busy > 50, (list(rows), busy)
print(compared)
PY
}
if [ -x "$builddir/test/tools/make_trace" ] && [ -x "$builddir/fathom-export" ]; then
	mkdir traced && make_trace good traced
	cp run.cubex traced/profile.cubex
	"$builddir/fathom-export" --to chrome -o chrome.json traced/traces.otf2 > out 2> err || bad "export: $(cat err)"
	page traced traced/profile.cubex
	"$builddir/fathom-trace" --info traced > info || bad "fathom trace --info"
	timeline traced.html chrome.json 0
	"$view" --last 0.001 -o last.html traced > out 2> err || bad "--last: $(cat err)"
	timeline last.html chrome.json 0.001
	for wrong in 0 -1 x 1h; do
		"$view" --last $wrong traced > out 2> err && bad "--last $wrong: accepted"
		contains "--last $wrong" "$(cat err)" 'not a number of seconds above 0'
	done
else
	left_out "time lines of traces: built without OTF2"
fi
verdict
