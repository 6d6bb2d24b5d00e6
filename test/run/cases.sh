#!/bin/sh
# Four things that can be wrong with the use of threads, each measured with every way to put threads together: what
# the report finds, where it can be found. Counts are exact; times are looked at only for being there.
. "$srcdir/test/lib.sh" || exit 99
. "$srcdir/test/run/cases/lib.sh"
need_openmp

cat > check.py <<'PY'
import json, sys

case, strategy, name = sys.argv[1:]
with open(name, encoding="utf-8") as file:
    run = json.load(file)
summary, tree, regions = run["summary"], run["call_tree"], run["regions"]
activities = {a["name"]: a["seconds"] for a in run["activities"]}
EACH = strategy in ("all", "set")		# statistics over threads are known
APART = strategy in ("all", "key", "calltree")	# some threads can be told apart

def only(items, **wanted):
    found = [i for i in items if all(i.get(k) == v for k, v in wanted.items())]
    assert len(found) == 1, (wanted, found)
    return found[0]

def visits(beginning):
    return sum(n["exclusive"].get("visits", 0) for n in tree if n["name"].startswith(beginning))

def columns(function):
    return only(run["threads_in"], name=function)["columns"]

def statistics(function):
    return only(run["threads_in"], name=function)["statistics"].get("visits")

def kinds():
    return [f["kind"] for f in run["findings"]]

def common(threads):
    assert summary["aggregation"] == strategy and summary["threads"] == threads, summary
    assert sum(l["threads"] for l in run["locations"]) == threads, run["locations"]
    if strategy != "calltree":
        assert len(run["locations"]) == {"all": threads, "sum": 1, "set": 1, "key": 4}[strategy]
    elif run["tasks"]:	# who executes which tasks is up to the system
        assert run["locations"][0]["members"] == "0" and len(run["locations"]) > 1
    else:			# the initial thread, and all others
        assert [l["members"] for l in run["locations"]] == ["0", f"1-{threads - 1}"]
    for region in run["parallel_regions"]:
        assert (region["balance"] is not None) == APART, region
        assert region["least_threads"] == region["most_threads"] == threads, region
        assert region["time"] > 0 and region["use"]["barrier"] > 0
    assert activities["omp_management"] > 0 and activities["omp_ibarrier"] > 0
    assert activities["omp_idle_threads"] > 0

# Five threads do 4000 of 27000, one 3000, two 2000; four times. With 932.5 in place of 4 this is the published case:
# mean 3.15 million, deviation 0.8, maximum 3.73, minimum 1.86.
def imbalance():
    common(8)
    region = only(run["parallel_regions"])
    assert region["visits"] == 8 * 4 and visits("element_volume") == 4 * 27000
    assert visits("!$omp implicit barrier") == 8 * 4 and visits("!$omp for @") == 8 * 4
    got = statistics("element_volume")
    assert (got is not None) == EACH
    if EACH:
        assert (got["threads"], got["mean"], got["minimum"], got["maximum"]) == (8, 4 * 3375, 4 * 2000, 4 * 4000), got
        assert abs(got["deviation"] / 4 - 856.96) < 0.005, got
        assert abs(got["mean"] / 4 * 932.5 - 3.147e6) < 1e3 and abs(got["deviation"] / 4 * 932.5 - 0.799e6) < 1e3
    by_thread = [c["visits"] for c in columns("element_volume")]
    if strategy == "all":
        assert by_thread == [4 * n for n in (4000, 4000, 4000, 4000, 4000, 3000, 2000, 2000)], by_thread
    if strategy == "key":	# who was fastest is up to the system; the initial thread is the initial thread
        assert by_thread[0] == 4 * 4000 and sum(by_thread) == 4 * 27000, by_thread
        assert all(n in (4 * 2000, 4 * 3000, 4 * 4000) for n in by_thread[1:3]), by_thread
        assert [c["threads"] for c in columns("element_volume")] == [1, 1, 1, 5]
    if strategy == "calltree":	# the initial thread has more than the average of the others: a hint, no more
        assert by_thread == [4 * 4000, 4 * 23000] and by_thread[0] > by_thread[1] / 7
    if strategy == "sum":
        assert by_thread == [4 * 27000]

# All do the same, but hold the lock by turns: everybody's waiting is in omp_set_lock, whatever is known of threads.
def contention():
    common(4)
    assert visits("omp_set_lock") == visits("omp_unset_lock") == visits("guarded") == 4 * 50
    assert activities["omp_lock_api"] > 0
    finding = only(run["findings"], kind="lock contention")
    assert finding["name"] == "repeat", finding	# it holds the lock
    assert "omp_set_lock called in repeat (contention.c:" in finding["text"] and "the lock in repeat (contention.c:" in finding["text"], finding
    near = only(run["parallel_regions"])["use"]["locks"]	# nobody locks elsewhere
    assert abs(near - finding["seconds"]) <= 0.01 * near + 1e-6, (near, finding)
    if EACH:	# no unequal work
        assert statistics("guarded")["deviation"] == 0 and statistics("guarded")["mean"] == 50

# Which place, and that all threads do the same there, is all that can be known without a count of cache misses.
# That they share a line cannot be seen: nothing in the file says so, and the report must not pretend.
def sharing():
    common(4)
    assert len(run["parallel_regions"]) == 2
    for function in "count_close_by", "count_apart":
        assert visits(function) == 400
        if EACH:
            got = statistics(function)
            assert (got["threads"], got["mean"], got["deviation"]) == (4, 100, 0), got
        if strategy == "all":
            assert [c["visits"] for c in columns(function)] == [100] * 4
        if strategy == "key":
            assert [c["visits"] for c in columns(function)] == [100] * 4
        if strategy == "calltree":
            assert [c["visits"] / c["threads"] for c in columns(function)] == [100, 100]
    assert "lock contention" not in kinds() and "small tasks" not in kinds()
    assert not any("cache" in m["name"].lower() for m in run["metrics"]), "counters: now more can be said here"

# Needs no thread apart at all: how many tasks, how long, and what it takes to create them.
def granularity():
    common(4)
    assert len(run["tasks"]) == 2
    large = only(run["tasks"], instances=8)
    small = only(run["tasks"], instances=2 ** 16 - 2)
    for task in large, small:
        assert task["created"] == task["instances"] and task["pieces"] >= task["instances"]
        assert 0 < task["creation_time"] and 0 < task["use"]["work"] <= task["time"]
        assert any("implicit barrier" in place["name"] for place in task["ran_in"]), task
    assert large["time"] / large["instances"] > small["time"] / small["instances"]
    assert visits("!$omp create task") == 8 + 2 ** 16 - 2
    finding = [f for f in run["findings"] if f["kind"] == "small tasks" and f["name"] == small["name"]]
    # Where others take the processor away for long, these do not take the part of the time that makes a finding.
    if small["use"]["work"] < 9 * small["creation_time"] and small["creation_time"] > 0.025 * summary["time"]:
        assert len(finding) == 1 and "65534" in finding[0]["text"], (run["findings"], small, summary)

globals()[case]()
PY

for case in imbalance contention sharing granularity; do
	case $case in
	imbalance) of='element_volume' ;;
	contention) of='guarded' ;;
	sharing) of='count_*' ;;
	granularity) of='divide' ;;
	esac
	build $case || continue
	for strategy in all sum set key calltree; do
		measure $case $strategy || continue
		"$FATHOM" report --json --threads "$of" "$case-$strategy.cubex" > $case-$strategy.json ||
			bad "$case, $strategy: no report"
		"$PYTHON3" check.py $case $strategy $case-$strategy.json || bad "$case, $strategy: other findings"
		"$FATHOM" report --width 80 $case-$strategy.cubex > out || bad "$case, $strategy: no report for people"
		[ "$(wc -L < out)" -le 80 ] || bad "$case, $strategy: lines of more than 80 columns"
	done
done
verdict
