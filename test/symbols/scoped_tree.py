#!/usr/bin/env python3
"""
scoped_tree.py REPORT.json [PERCENT]: prints the call tree with loops and inlined functions, from `fathom report --json`:
each path with at least PERCENT (2) of the time, as "main > loop a.c:3 > solve"; if it has none of these, the plain call tree. Ends with an error if the values of the
scopes of a call path do not add up to its values exactly.
"""
import json
import sys
from fractions import Fraction


def check_sums(report):
    for metric in ("time", "comp", "samples", "visits", "min_time"):
        sums = {}
        for node in report["scoped_call_tree"]:
            value = node["exclusive"].get(metric, 0)
            if metric == "min_time":
                sums[node["call_path"]] = max(value, sums.get(node["call_path"], 0))
            else:
                sums[node["call_path"]] = Fraction(value) + sums.get(node["call_path"], 0)
        for node in report["call_tree"]:
            value = node["exclusive"].get(metric, 0)
            if sums[node["id"]] != value:
                sys.exit("%s of %s: %s, its scopes have %s" % (metric, node["name"], value, float(sums[node["id"]])))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    percent = float(sys.argv[2]) if len(sys.argv) > 2 else 2
    tree = report.get("scoped_call_tree")
    if tree:
        check_sums(report)
    else:
        tree = report["call_tree"]
    whole = sum(node["exclusive"].get("time", 0) for node in tree)
    for node in tree:
        node["path"] = node["name"]
        if node["parent"] is not None:
            node["path"] = tree[node["parent"]]["path"] + " > " + node["name"]
        if node["inclusive"].get("time", 0) * 100 >= percent * whole:
            print(node["path"])


main()
