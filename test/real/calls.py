#!/usr/bin/env python3
"""calls.py PROFILE.json COUNTS...: MPI calls in a profile against what counter.py's library counted.

For each call by name: how often, messages and bytes sent. Bytes received are counted for collective calls;
what point-to-point calls received in all must be what they sent. The profile must be of a run with
FATHOM_MPI=all.
"""
import collections
import json
import sys

METRICS = ("visits", "messages_sent", "bytes_sent", "bytes_received")
# Calls that fathom does not measure: cheaper than their own measurement, see wrappers/mpi/calls.txt.
UNMEASURED = {"MPI_Wtime", "MPI_Wtick", "MPI_Aint_add", "MPI_Aint_diff"}


def main():
    counted = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path in sys.argv[2:]:
        for line in open(path):
            name, *values = line.split()
            counted[name] = [a + int(b) for a, b in zip(counted[name], values)]
    document = json.load(open(sys.argv[1], encoding="utf-8"))
    measured = collections.defaultdict(lambda: [0, 0, 0, 0])
    collective = set()
    for node in document["call_tree"]:
        region = document["regions"][node["region"]]
        if region["paradigm"] != "mpi":
            continue
        if region["role"] not in ("point2point", "function"):
            collective.add(region["name"])
        values = [node["exclusive"].get(metric, 0) for metric in METRICS]
        measured[region["name"]] = [a + b for a, b in zip(measured[region["name"]], values)]

    faults = []
    for name in sorted(set(counted) - UNMEASURED | set(measured)):
        compared = 4 if name in collective else 3
        got, expected = measured[name][:compared], counted[name][:compared]
        if got != expected:
            faults.append("%s: %s are %s, counted were %s" % (name, ", ".join(METRICS[:compared]), got, expected))
    totals = [sum(values[i] for name, values in measured.items() if name not in collective) for i in (2, 3)]
    if totals[0] != totals[1]:
        faults.append("point-to-point calls sent %d bytes and received %d" % tuple(totals))
    if not measured:
        faults.append("no MPI call in the profile")
    print("%-24s %d functions, %d calls, %d messages, %d bytes sent" % (
        "compared MPI calls", len(measured), sum(v[0] for v in measured.values()),
        sum(v[1] for v in measured.values()), sum(v[2] for v in measured.values())))
    for fault in faults[:20]:
        print("FAIL:", fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
