#!/bin/sh
# The JSON document: valid, complete, and of the same values as the independent reader finds.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

make_fixture run run.cubex
make_fixture foreign foreign.cubex
make_fixture untimed untimed.cubex

works "$report" --json untimed.cubex
cp out untimed.json
works "$report" --json --rank 2 run.cubex
cp out rank.json
works "$report" --json foreign.cubex
cp out foreign.json
works "$report" --json run.cubex
cat > check.py <<'PY'
import json, sys

def load(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)

def near(a, b):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1e-30)

run = load("out")
assert run["fathom_report"] == 1
summary = run["summary"]
assert summary["ranks"] == 4 and summary["threads"] == 4 and summary["rank"] is None
assert summary["wall_time"] == 5.25
assert summary["processor_time"] == 14.7 and summary["processors"] == 4 and summary["sharing"] is None
assert near(summary["overhead"], 3600012 * 41.5e-9 / (5.25 * 4))
assert summary["command"] == "./heat --size 64 --steps 1000"
assert run["attributes"]["fathom::mode"] == "profile"

# Inclusive is own plus that of the children; the root has it all.
tree = run["call_tree"]
assert [node["id"] for node in tree] == list(range(15))
for name in "time", "visits", "bytes_sent", "mpi", "comp":
    total = [node["exclusive"].get(name, 0) for node in tree]
    for node in reversed(tree):
        if node["parent"] is not None:
            assert node["parent"] < node["id"]
            total[node["parent"]] += total[node["id"]]
    for node in tree:
        assert near(node["inclusive"].get(name, 0), total[node["id"]]), (name, node)
assert near(tree[0]["inclusive"]["time"], summary["time"])
assert tree[0]["name"] == "heat" and tree[0]["exclusive"]["time"] == 4 * 2 / 1024
step = next(node for node in tree if node["name"].startswith("heat::step"))
assert step["exclusive"]["time"] == (4 * 2600 + 200 * 6) / 1024
assert step["exclusive"]["visits"] == 4000
assert step["exclusive"]["max_time"] == 3200 / 1024 / 1000 * 2
send = next(node for node in tree if node["name"] == "MPI_Isend")
assert send["exclusive"]["bytes_sent"] == 8000 * 8192 and send["exclusive"]["messages_sent"] == 8000
assert "messages_received" not in send["exclusive"]
assert run["regions"][send["region"]] == {
    "name": "MPI_Isend", "mangled": "MPI_Isend", "file": "MPI", "line": None, "end_line": None,
    "paradigm": "mpi", "role": "point2point", "activity": "mpi_point2point"}

# Activities: those in the file, and what its regions say, are the same; kinds add up to the time.
activities = {a["name"]: a["seconds"] for a in run["activities"]}
for name, seconds in activities.items():
    assert near(seconds, tree[0]["inclusive"].get(name, 0)), name
assert near(activities["comp"] + activities["mpi"], summary["time"])
assert run["balance_of"] == "ranks" and [b["rank"] for b in run["balance"]] == [0, 1, 2, 3]
for b in run["balance"]:
    assert near(b["comp"] + b["mpi"], b["time"])
assert near(sum(b["time"] for b in run["balance"]), summary["time"])

rank = load("rank.json")
assert rank["summary"]["rank"] == 2 and rank["balance_of"] == "threads" and len(rank["balance"]) == 1
assert near(rank["summary"]["time"], run["balance"][2]["time"])
assert rank["call_tree"][step["id"]]["exclusive"]["time"] == 3000 / 1024

# Stored inclusive, with tasks in a tree of their own: the details count instead of the stubs.
foreign = load("foreign.json")
activities = {a["name"]: a["seconds"] for a in foreign["activities"]}
assert near(activities["omp_taskwait"], 4 * 90 / 1024)
assert near(activities["omp_ibarrier"], 4 * 200 / 1024)
assert near(activities["io_time"], 4 * 50 / 1024)
assert near(activities["execution"], foreign["summary"]["time"])
by_name = {node["name"]: node for node in foreign["call_tree"]}
assert near(by_name["app"]["inclusive"]["time"], 4 * (4 + 60 + 20 + 200 + 400 + 50) / 1024)

untimed = load("untimed.json")
assert untimed["summary"]["time"] is None and untimed["activities"] == []
PY
"$PYTHON3" check.py || bad "the document is wrong"
verdict
