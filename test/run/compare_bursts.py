#!/usr/bin/env python3
"""Compares two outputs of print_bursts: compare_bursts.py TRACE FILE [tasks] [threads]. Times come from the same readings
of the clock, but trace and file measure the length of a tick each for itself, over a short run: one factor for each
process is taken out, and then times may differ by 3 ns and a thousandth (the trace corrects clocks in between). tasks,
threads: the file has no call paths above explicit tasks, and those of created threads begin at their creation."""
import sys


def bursts(path):
    found = {}
    for line in open(path):
        fields = line.rstrip("\n").split("\t")
        found.setdefault((fields[0], fields[1]), []).append(fields[2:])
    return found


def factors(trace, file):
    """By process: how much longer the same bursts are in the trace."""
    sums = {}
    for found, side in ((trace, 0), (file, 1)):
        for (process, _), list in found.items():
            sums.setdefault(process, [0, 0])[side] += sum(float(burst[1]) for burst in list)
    return {process: pair[0] / pair[1] for process, pair in sums.items()}


def near(a, b, factor):
    return abs(float(a) - float(b) * factor) <= 3 + 1e-3 * abs(float(a))


def same_path(a, b, options):
    if a == b:
        return True
    return "tasks" in options and "!$omp task" in a and a.endswith(b) or "threads" in options and b.endswith(a)


trace, file, options = bursts(sys.argv[1]), bursts(sys.argv[2]), sys.argv[3:]
if trace.keys() != file.keys():
    sys.exit("threads with bursts: %s and %s" % (sorted(trace), sorted(file)))
factor = factors(trace, file)
if not all(0.5 < number < 2 for number in factor.values()):
    sys.exit("the lengths of ticks differ: %s" % factor)
for thread in trace:
    if len(trace[thread]) != len(file[thread]):
        sys.exit("%s: %d bursts and %d" % (thread, len(trace[thread]), len(file[thread])))
    for a, b in zip(trace[thread], file[thread]):
        if not (near(a[0], b[0], factor[thread[0]]) and near(a[1], b[1], factor[thread[0]]) and same_path(a[2], b[2], options) and
                same_path(a[3], b[3], options) and a[4:] == b[4:]):
            sys.exit("%s: in the trace %s, in the file %s" % (thread, a, b))
print(sum(len(list) for list in file.values()))
