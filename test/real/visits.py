#!/usr/bin/env python3
"""visits.py all|some PROFILE.json COUNTS [--after-end NAME...] [--by-line NAME...]

Compares the visits of each function in a profile (fathom report --json) with the times that gcov
counted it (gcov --json-format --stdout, a document a line). "all": every function that gcov saw running
must be in the profile. Without debug information a profile knows no files; then functions of one name
count together.

--after-end: functions called after MPI_Finalize, where a profile of several ranks ends.
--by-line: functions that gcov counts wrongly as a whole, because they are left and entered in ways of
their own (setjmp returning again, computed goto). Their calls are counted as the lines that call them.
"""
import argparse
import collections
import json
import os
import re
import sys


# Made by the compiler for the initialisation of global objects; gcov does not count them.
UNCOUNTED = re.compile(r"_GLOBAL__sub_I_|_Z\d+__static_initialization_and_destruction")


def key(name, path):
    """Suffixes depend on the optimisation: .constprop.0, .isra.1, .1234 of nested functions. Constructors and
    destructors have several names for one piece of code."""
    if name.startswith("_Z"):
        name = re.sub(r"([CD])[1-5](?=[EI])", r"\g<1>1", name)
    return re.sub(r"(\.[a-z]+)?\.\d+$", "", name), os.path.basename(path)


def counted(path, by_line):
    calls = collections.Counter()
    places = {}
    for line in open(path, encoding="utf-8", errors="replace"):
        document = json.loads(line)
        for source in document["files"]:
            for function in source["functions"]:
                calls[key(function["name"], source["file"])] += function["execution_count"]
                places[function["name"]] = key(function["name"], source["file"])
    for name in by_line:
        calls[places[name]] = calls_by_line(path, name)
    return calls


def calls_by_line(path, name):
    """Calls are written NAME(, definitions NAME ( in the programs this is for."""
    calls = 0
    for line in open(path, encoding="utf-8", errors="replace"):
        document = json.loads(line)
        for source in document["files"]:
            place = os.path.join(document["current_working_directory"], source["file"])
            text = open(place, encoding="utf-8", errors="replace").read().split("\n")
            for counted_line in source["lines"]:
                if re.search(r"\b%s\(" % name, text[counted_line["line_number"] - 1]):
                    calls += counted_line["count"]
    return calls


def measured(path):
    document = json.load(open(path, encoding="utf-8"))
    visits = collections.Counter()
    for node in document["call_tree"]:
        region = document["regions"][node["region"]]
        if region["paradigm"] == "compiler" and not UNCOUNTED.match(region["mangled"]):
            visits[key(region["mangled"], region["file"])] += node["exclusive"].get("visits", 0)
    return visits


def without_files(counts):
    names = collections.Counter()
    for (name, _), count in counts.items():
        names[name, ""] += count
    return names


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=("all", "some"))
    parser.add_argument("profile")
    parser.add_argument("counts")
    parser.add_argument("--after-end", nargs="+", default=[])
    parser.add_argument("--by-line", nargs="+", default=[])
    options = parser.parse_args()
    calls, visits = counted(options.counts, options.by_line), measured(options.profile)
    if any(not path for _, path in visits):
        calls, visits = without_files(calls), without_files(visits)
    faults = []
    for function in sorted(set(visits) | {f for f in calls if calls[f]}):
        if function[0] in options.after_end and function not in visits:
            continue
        if function not in visits and options.mode == "some":
            continue
        if function not in calls and re.search(r"[CD]1[EI]", function[0]):
            continue    # nobody wrote it: the class has none, and so the compiler made one
        if calls[function] != visits[function]:
            faults.append("%s (%s): %d visits, gcov counted %d"
                          % (*function, visits[function], calls[function]))
    if not any(name.lower().startswith("main") for name, _ in visits):
        faults.append("there is no main in the profile")
    print("%-24s %d functions, %d visits" % ("compared with gcov", len(visits), sum(visits.values())))
    for fault in faults[:20]:
        print("FAIL:", fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
