"""check_phases.py FILE CLUSTERED [RANK-FILE...]: what `fathom report --json` says of phases, against the call tree of the same
document: sums over iterations are those over clusters, exactly but for rounding, and the maps are those of the clusters.
With what --rank says of each rank alone: sum, least, most and whose that is, of each iteration. Says at last which iteration
took longest, and on which rank: that may be another one than it was meant to be, where the machine was busy."""
import json
import sys

document = json.load(open(sys.argv[1]))
clustered = sys.argv[2] == "yes"
tree = document["call_tree"]
assert not any(key.startswith("fathom::iterations:") for key in document["attributes"])


# rounded: how many times in whole ns are added up in one of them.
def near(a, b, what, rounded=0):
    assert abs(a - b) <= 1e-7 * max(abs(a), abs(b)) + 1e-8 + rounded * 0.75e-9, (what, a, b)


phases = [p for p in document["phases"] if p["region"] in ("turn", "step")]
assert len(phases) == 1, [p["region"] for p in document["phases"]]
phase = phases[0]
children = [node for node in tree if node["parent"] == phase["call_path"]]
count = len(phase["iterations"])
assert count and phase["iterations"] == sorted(set(phase["iterations"]))
assert phase["lost_runs"] == 0
runs = sum(node["exclusive"]["visits"] for node in children)
assert sum(phase["runs"]) == runs, (phase["runs"], runs)
alone = document["summary"]["ranks"] == document["summary"]["threads"]
metrics = {m["name"]: m for m in document["metrics"]}
for name, series in phase["metrics"].items():
    if "ratio" in series:
        assert len(series["ratio"]) == count
        continue
    assert len(series["sum"]) == len(series["least"]) == len(series["most"]) == count
    assert series["unplaced"] == 0, (name, series)
    near(sum(series["sum"]), series["total"], name, runs if name == "time" else 0)
    if name != "time" or alone:
        # The tree's times are rounded down, those of the maps to the nearest ns.
        near(series["total"], sum(node["inclusive"].get(name, 0) for node in children), name, runs if name == "time" else 0)
    if metrics[name]["unit"] == "occ" and not clustered:
        assert all(value == int(value) for value in series["sum"])
if clustered:
    names = {node["name"]: node for node in children}
    sizes, seconds = {}, {}
    for one in phase["maps"]:
        assert len(one["iterations"]) == len(one["clusters"]) == len(one["seconds"])
        firsts = [one["clusters"].index(cluster) for cluster in range(max(one["clusters"]) + 1)]
        assert firsts == sorted(firsts), "clusters are in the order of their first iterations"
        for cluster, took in zip(one["clusters"], one["seconds"]):
            name = "cluster=%d" % cluster
            sizes[name] = sizes.get(name, 0) + 1
            seconds[name] = seconds.get(name, 0) + took
    assert sizes == {name: node["exclusive"]["visits"] for name, node in names.items()}, (sizes, names)
    assert [sizes["cluster=%d" % i] for i in range(len(sizes))] == phase["cluster_runs"]
    for name, took in seconds.items():
        if alone:
            near(took, names[name]["inclusive"]["time"], name, sizes[name])
else:
    assert phase["maps"] == [] and phase["cluster_runs"] == []
    assert ["instance=%d" % i for i in phase["iterations"]] == sorted((c["name"] for c in children), key=lambda n: int(n[9:]))
ranks = []
for name in sys.argv[3:]:
    found, = [p for p in json.load(open(name))["phases"] if p["region"] == phase["region"]]
    ranks.append({metric: dict(zip(found["iterations"], series["sum"])) for metric, series in found["metrics"].items()
                  if "ratio" not in series})
for name, series in phase["metrics"].items() if ranks else ():
    for at, iteration in enumerate(phase["iterations"]):
        own = [rank[name].get(iteration, 0) for rank in ranks]
        near(series["sum"][at], sum(own), (name, iteration))
        near(series["least"][at], min(own), (name, iteration))
        near(series["most"][at], max(own), (name, iteration))
        near(own[series["most_rank"][at]], max(own), (name, iteration, series["most_rank"][at]))
print(json.dumps({"count": count, "slowest": phase["iterations"][phase["metrics"]["time"]["sum"].index(max(phase["metrics"]["time"]["sum"]))],
                  "rank": phase["metrics"]["time"]["most_rank"][phase["metrics"]["time"]["sum"].index(max(phase["metrics"]["time"]["sum"]))]}))
