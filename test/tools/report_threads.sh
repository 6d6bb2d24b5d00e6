#!/bin/sh
# Profiles with threads: as they are, and however they were aggregated. The example's values are known.
# After a wanted change of the looks: GOLDEN=write make check TESTS=test/tools/report_threads.sh
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
threads=$builddir/test/tools/make_threads

for kind in example tasks; do
	for strategy in all sum set key calltree; do
		"$threads" $kind $strategy $kind-$strategy.cubex || die "make_threads $kind $strategy"
		check_profile $kind-$strategy.cubex
	done
done

golden() {	# NAME ARGUMENTS...
	name=$1
	shift
	works "$report" "$@"
	fits "$name" 80 out
	[ "${GOLDEN:-}" != write ] || cp out "$srcdir/test/tools/golden/$name.txt"
	diff -u "$srcdir/test/tools/golden/$name.txt" out || bad "$name looks otherwise"
}

# What stands above the list of regions, which does not depend on threads, for each strategy in one file.
: > heads.txt
for strategy in all sum set key calltree; do
	works "$report" example-$strategy.cubex
	fits $strategy 80 out
	sed '/^Regions by/,$d' out >> heads.txt
done
[ "${GOLDEN:-}" != write ] || cp heads.txt "$srcdir/test/tools/golden/threads-example.txt"
diff -u "$srcdir/test/tools/golden/threads-example.txt" heads.txt || bad "the example looks otherwise"
golden threads-tasks tasks-all.cubex
: > each.txt
for strategy in all sum set key calltree; do
	works "$report" example-$strategy.cubex --threads '!$omp for*'
	cat out >> each.txt
done
fits --threads 80 each.txt
[ "${GOLDEN:-}" != write ] || cp each.txt "$srcdir/test/tools/golden/threads-each.txt"
diff -u "$srcdir/test/tools/golden/threads-each.txt" each.txt || bad "--threads looks otherwise"

# Of teams of one thread there is nothing to say.
"$threads" alone all alone.cubex || die "make_threads alone"
works "$report" alone.cubex
grep -q 'Parallel regions' out && bad "one thread has a table of parallel regions"
contains "the region is there all the same" "$(cat out)" '!\$omp parallel'

# What passes outside of main is none of the program's idleness.
"$threads" late all late.cubex || die "make_threads late"
works "$report" late.cubex
contains "idle threads" "$(cat out)" '2\.666 s  Idle threads \(not part of the total\)$'
grep -q 'Threads are idle' out && bad "the end of the measurement is a finding"

# The bars are of the time with what was called: own times of these two are the same.
works "$report" tasks-all.cubex --threads '!$omp implicit barrier @tree.c:16'
bar() { grep "$1" out | tr -dc '#' | wc -c; }
[ "$(bar 'Master thread')" -lt "$(bar 'OMP thread 2')" ] || bad "the bars are not of the inclusive time: $(cat out)"
contains "inclusive statistics" "$(cat out)" '^  time +4 +[0-9.]* ms +[0-9.]* ms +244\.1 ms +722\.7 ms'
works "$report" tasks-all.cubex --threads '!$omp implicit barrier @tree.c:16' --metric visits
contains "--metric" "$(cat out)" '^Threads in .* by visits'
for metric in time visits min_time max_time; do
	for strategy in all sum set key calltree; do
		case $strategy-$metric in set-m*) continue ;; esac	# statistics have no extremes of a visit
		works "$report" example-$strategy.cubex --threads '!$omp par*' --metric $metric
		fits "--threads --metric $metric" 80 out
	done
done

refused "--threads of nothing" 1 'no region nothing was called' "$report" example-all.cubex --threads nothing
refused "--json --threads of nothing" 1 'no region nothing was called' "$report" --json example-all.cubex --threads nothing
refused "--threads with --flat" 2 '--threads and --flat: choose one' "$report" --flat --threads main example-all.cubex

for kind in example tasks; do
	for strategy in all sum set key calltree; do
		works "$report" --json --threads '!$omp *' $kind-$strategy.cubex
		cp out $kind-$strategy.json
	done
done
cat > check.py <<'PY'
import json

U = 1 / 1024
STRATEGIES = "all", "sum", "set", "key", "calltree"

def load(kind, strategy):
    with open(f"{kind}-{strategy}.json", encoding="utf-8") as file:
        return json.load(file)

def near(a, b, what):
    assert abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-6), (what, a, b)

def only(items, **wanted):
    found = [i for i in items if all(i.get(k) == v for k, v in wanted.items())]
    assert len(found) == 1, (wanted, found)
    return found[0]

for strategy in STRATEGIES:
    run = load("example", strategy)
    assert run["summary"]["aggregation"] == strategy and run["summary"]["threads"] == 4
    near(run["summary"]["time"], 116 * U, strategy)
    # The initial thread is outside for main and init; three others wait.
    near(only(run["activities"], name="omp_idle_threads")["seconds"], 3 * 16 * U, strategy)
    region = only(run["parallel_regions"], name="!$omp parallel @work.c:10")
    near(region["time"], 100 * U, strategy)
    near(region["use"]["barrier"], 30 * U, strategy)
    near(region["use"]["work"], 70 * U, strategy)
    assert region["least_threads"] == region["most_threads"] == 4
    # T3 works most, 25 halves; the sum of all is 70.
    if strategy in ("all", "key", "calltree"):
        near(region["balance"], 70 / (4 * 25), strategy)
        near(region["to_save"], (4 * 25 - 70) * U, strategy)
        only(run["findings"], kind="imbalance", name="!$omp parallel @work.c:10")
    else:
        assert region["balance"] is None and region["to_save"] is None
    if strategy == "set":
        only(run["findings"], kind="imbalance", name="!$omp for @work.c:12")
    if strategy == "sum":
        only(run["findings"], kind="waiting", name="!$omp parallel @work.c:10")
    assert sum(l["threads"] for l in run["locations"]) == 4

# The values of analysis: loop mean 8, deviation 2.7386 (counted in halves here); barrier 3.75, 3.0311.
for strategy in "all", "set":
    run = load("example", strategy)
    loop = only(run["threads_in"], name="!$omp for @work.c:12")["statistics"]["time"]
    near(loop["mean"], 16 * U, "mean")
    assert abs(loop["deviation"] / (2 * U) - 2.7386) < 1e-4, loop
    assert (loop["threads"], loop["minimum"], loop["maximum"], loop["sum"]) == (4, 8 * U, 22 * U, 64 * U)
    barrier = only(run["threads_in"], name="!$omp implicit barrier @work.c:18")["statistics"]["time"]
    assert abs(barrier["mean"] / (2 * U) - 3.75) < 1e-9 and abs(barrier["deviation"] / (2 * U) - 3.0311) < 1e-4
    assert barrier["minimum"] == 0
extra = only(load("example", "set")["call_tree"], name="extra")["statistics"]["time"]
assert (extra["threads"], extra["mean"], extra["deviation"]) == (1, 2 * U, 0)

key = load("example", "key")
assert [(l["name"], l["threads"], l["members"]) for l in key["locations"]] == [
    ("master thread", 1, "0"), ("fastest thread", 1, "1"), ("slowest thread", 1, "3"), ("remaining threads", 1, "2")]
near(only(key["balance"], thread=1)["comp"], 9 * U, "fastest")
near(only(key["balance"], thread=2)["comp"], 25 * U, "slowest")
clusters = load("example", "calltree")
assert [l["members"] for l in clusters["locations"]] == ["0", "1,2", "3"]
near(only(clusters["balance"], thread=1)["omp_time"], 26 * U, "cluster 1")
columns = only(clusters["threads_in"], name="!$omp for @work.c:12")["columns"]
assert [(c["threads"], c["visits"], c["own"]) for c in columns] == [(1, 1, 20 * U), (2, 2, 22 * U), (1, 1, 22 * U)]

for strategy in STRATEGIES:
    run = load("tasks", strategy)
    small = only(run["tasks"], name="!$omp task @tree.c:30")
    big = only(run["tasks"], name="!$omp task @tree.c:50")
    assert small["instances"] == 100 and small["created"] == 100 and small["pieces"] == 100
    assert big["instances"] == 6 and big["created"] == 6
    near(small["time"], (100 + 990) * U, "small tasks")
    near(small["creation_time"], 1000 * U, "their creation")
    near(small["use"]["work"], 100 * U, "their work")
    near(big["time"], 600 * U, "big tasks")
    assert [p["name"] for p in small["ran_in"]] == ["!$omp implicit barrier @tree.c:16"]
    finding = only(run["findings"], kind="small tasks")
    assert finding["name"] == "!$omp task @tree.c:30" and run["call_tree"][finding["call_path"]]["name"] == finding["name"]
    lock = only(run["findings"], kind="lock contention")
    assert lock["name"] == "omp_set_lock" and "update" in lock["text"]
    near(lock["seconds"], (1100 + 16) * U, "locks")
    activities = {a["name"]: a["seconds"] for a in run["activities"]}
    # Fork and join, single and the creation of tasks are management; in it all is counted once.
    near(activities["omp_management"], (20 + 4 + 990 + 10 + 6) * U, "management")
    near(activities["omp_ibarrier"], (300 + 300) * U, "barrier")
    near(activities["omp_lock_api"], 1100 * U, "locks")
    # The region with two of four threads: the two others wait.
    near(only(run["parallel_regions"], name="!$omp parallel @tree.c:80")["idle"], 120 * U, "not in the team")
PY
"$PYTHON3" check.py || bad "the documents are wrong"
verdict
