#!/bin/sh
# What measuring takes: in the profile for each call path, exactly visits x cost, and its own time at most; in the report, marked where it is most.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > tiny.c <<'C'
#include <stdio.h>
static volatile int sink;
static void leaf(void) { sink++; }
static void inner(void) { leaf(); leaf(); leaf(); }
static void work(void) { for (int i = 0; i < 20000000; i++) sink += i; }
int main(void)
{
	for (int i = 0; i < 100000; i++)
		inner();
	work();
	puts("done");
	return 0;
}
C
cat > check.py <<'PY'
import json, sys
run = json.load(sys.stdin)
attributes = run["attributes"]
ns = lambda key: round(float(attributes[key]) * 2**32 / 1e9)	# in units of 2^-32 s, which it is a multiple of
cost, inside = ns("fathom::event_cost_ns"), ns("fathom::event_cost_inside_ns")
assert 0 < inside < cost, (inside, cost)
visits = lambda node: node["exclusive"].get("visits", 0)
tree = run["call_tree"]
total = 0
for node in tree:
    called = sum(visits(child) for child in tree if child["parent"] == node["id"])
    own = 0 if node["parent"] is None else visits(node)
    expected = min((own * inside + called * (cost - inside)) / 2**32, node["exclusive"].get("time", 0))
    got = node["exclusive"].get("measurement_overhead", 0)
    assert abs(got - expected) <= 1e-9 * expected, (node["name"], got, expected)
    total += got
calls = 1 + 100000 + 300000 + 1
assert 0.5 * calls * cost / 2**32 <= total <= (1 + 1e-9) * calls * cost / 2**32, (total, cost)
assert abs(run["summary"]["overhead"] - total / run["summary"]["wall_time"]) <= 1e-6, run["summary"]
# Biased is what is mostly that; so it says, and so does the text beside it.
own = {}
for node in tree:
    own[node["name"]] = own.get(node["name"], 0) + node["exclusive"].get("time", 0)
for region in run["regions"]:
    assert region["biased"] == (region["measurement_overhead"] > own[region["name"]] / 2), region
marked = {line.split()[-2] for line in open("text") if "! " in line and not line.startswith("!")}
assert marked == {region["name"] for region in run["regions"] if region["biased"]}, marked
note = any("Measuring took about" in line for line in open("text"))
assert note == (run["summary"]["overhead"] >= 0.1), run["summary"]
PY
instrument tiny.c -o tiny
for threads in all sum set; do
	same "output" done "$(FATHOM_THREADS=$threads ./tiny 2> err)"
	dir=$(experiment) || exit 1
	check_profile "$dir/profile.cubex"
	"$builddir/fathom-report" --width 100 "$dir" > text || bad "no report"
	"$builddir/fathom-report" --json "$dir" > report.json || bad "no JSON"
	"$PYTHON3" check.py < report.json || bad "$threads: wrong overhead"
	rm -rf fathom-*
done
# With a budget nobody need be told that there is such a thing.
if has_part FATHOM_OVERHEAD; then
	FATHOM_OVERHEAD=100% ./tiny > out 2> err
	"$builddir/fathom-report" "$(experiment)" > text || bad "no report"
	grep -q 'Measuring took about' text && bad "a budget of 100 %: $(cat text)"
fi
rm -rf fathom-*
# Records of a trace are part of it: on the location where the cost is measured they are written, not left out, though they
# are in no trace.
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	FATHOM_MODE=profile,trace ./tiny > out 2> err || bad "profile,trace: exit code $?"
	dir=$(experiment) || exit 1
	"$builddir/fathom-report" --json "$dir/profile.cubex" > report.json || bad "profile,trace: no JSON"
	"$builddir/fathom-report" --width 100 "$dir/profile.cubex" > text || bad "profile,trace: no report"
	"$PYTHON3" check.py < report.json || bad "profile,trace: wrong overhead"
	"$builddir/fathom-check" "$dir" > out 2>&1 || bad "the trace: $(cat out)"
	"$builddir/fathom-report" --trace --json "$dir" | "$PYTHON3" -c '
import json, sys
events = json.load(sys.stdin)["events"]
assert events["Enter"] == events["Leave"] == 400003, events' || bad "the trace has other events"
	rm -rf fathom-*
	echo 'int main(void) { return 0; }' > empty.c
	instrument empty.c -o empty
	for mode in trace,profile trace; do
		FATHOM_MODE=$mode valgrind --tool=callgrind --callgrind-out-file=calls ./empty > out 2>&1 || break
		grep -q 'fathom_cost_measure' calls && grep -q ' leave_\(both\|region\)$' calls || continue
		same "$mode: records left out" 0 "$(grep -c 'fathom_trace_miss' calls)"
		rm -rf fathom-*
	done
fi
verdict
