"""Compares what fathom.py reads from a profile with fathom report --json.

    python.py PROFILE REPORT.json
"""
import json
import sys

import fathom


def check(is_met, text, *parts):
    if not is_met:
        raise SystemExit(text % parts)


def near(a, b):
    return a == b or abs((a or 0) - (b or 0)) <= 1e-12 + 1e-12 * max(abs(a or 0), abs(b or 0))


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    with fathom.open(sys.argv[1]) as profile:
        compare(profile, report)


def compare(profile, report):
    nodes = report["call_tree"]
    check([p.id for p in profile.call_paths] == [n["id"] for n in nodes], "call paths")
    spelled = [m for m in report["metrics"] if m["aggregation"] != "formula" and m["values"]]
    check({m["name"] for m in spelled} <= {m.name for m in profile.metrics}, "metrics")
    for path, node in zip(profile.call_paths, nodes):
        check((path.parent.id if path.parent else None) == node["parent"] and path.parameters == node.get("parameters", {}),
              "call path %s", path)
        check(path.name.encode("utf-8", "replace") == node["name"].encode("utf-8", "replace"), "name %r, not %r", path.name, node["name"])
    tree = profile.table("call_tree")
    for metric in spelled:
        name = metric["name"]
        check(profile.metric(name).kind == metric["aggregation"], "kind of %s", name)
        for path, node, row in zip(profile.call_paths, nodes, tree):
            for kind, inclusive in (("exclusive", False), ("inclusive", True)):
                found, expected = profile.total(name, path, inclusive), node[kind].get(name)
                check(near(found, expected), "%s %s of %s: %r, not %r", kind, name, path, found, expected)
                check(near(row[name + " (inclusive)" * inclusive], found), "table: %s of %s", name, path)
            if metric["aggregation"] == "sum":
                check(near(sum(profile.values(name, path)), profile.total(name, path)), "values of %s", path)
    regions = {r["id"]: r for r in profile.table("regions", "visits")}
    for ident, row in regions.items():
        region = report["regions"][ident]
        check((row["line"], row["file"], row["paradigm"]) == (region["line"], region["file"], region["paradigm"]), "region %r", row)
        own = sum(profile.total("visits", p) for p in profile.call_paths if p.region.id == ident and p.is_counted)
        check(row["visits"] == own, "visits of %r", row)
    if report["summary"]["time"] is not None and "time" in [m.name for m in profile.metrics]:
        check(near(profile.total("time"), report["summary"]["time"]), "time %r, not %r", profile.total("time"), report["summary"]["time"])
        by_rank = {}
        for row in profile.table("locations", "time"):
            by_rank[row["rank"]] = by_rank.get(row["rank"], 0) + row["time"]
        for unit in report["balance"]:
            check("rank" not in unit or near(by_rank[unit["rank"]], unit["time"]), "time of rank %r", unit)
    check(sum(r["value"] for r in profile.table("values", "visits")) == sum(n["exclusive"].get("visits", 0) for n in nodes), "values")
    check(len(profile.table("metrics")) == len(profile.metrics) and profile.table("system"), "metrics and system")
    check(sum(r["locations"] for r in profile.table("system")) == len(profile.locations), "locations of the system tree")
    check(profile.attributes == profile.attributes | report["attributes"] or any(ord(c) > 126 for c in str(report["attributes"])), "attributes")


main()
