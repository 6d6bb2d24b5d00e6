"""Whether fathom diff names the one function that was made 10 % slower, and nothing else, on real runs.

slower.py FATHOM SOURCE [--tries N] [--runs N] [--repetitions N] [--compiler CC] [--metric NAME]

A try measures runs of both sides in turn, so that a change of the machine's speed meets both. It counts as right if the
regions with a change are the slower function alone; without the change, if there are none. Prints a line for each try,
and the figures. What else runs on the machine matters: this is a benchmark, and its result is no test. On a busy machine,
--metric perf::TASK-CLOCK compares the time that the thread had a processor."""
import argparse
import json
import os
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("fathom")
parser.add_argument("source")
parser.add_argument("--tries", type=int, default=20)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--repetitions", type=int, default=300)
parser.add_argument("--metric", default="time")
parser.add_argument("--compiler", default="gcc")
options = parser.parse_args()


def run(directory, name, more):
    environment = dict(os.environ, FATHOM_NAME=name, FATHOM_SAMPLING="off", FATHOM_OVERHEAD="off", FATHOM_INSTRUMENT_CALLS="all")
    if options.metric != "time":
        environment["FATHOM_METRICS"] = options.metric
    subprocess.run(["./slower", str(options.repetitions), str(more)], cwd=directory, env=environment, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def changes(directory, before, after):
    said = subprocess.run([options.fathom, "diff", "--json", "--metric", options.metric, *before, "--", *after], cwd=directory, check=True,
                          stdout=subprocess.PIPE).stdout
    return [("+" if region["after"] > region["before"] else "-") + region["name"]
            for region in json.loads(said)["regions"] if region["change"]]


with tempfile.TemporaryDirectory() as directory:
    subprocess.run([options.fathom, options.compiler, "-O1", "-g", os.path.abspath(options.source), "-o", "slower"], cwd=directory, check=True,
                   env=dict(os.environ, FATHOM_INSTRUMENT_CALLS="all"))
    found = nothing = 0
    for number in range(options.tries):
        sides = {"a": 0, "b": 0, "c": 100}
        for i in range(options.runs):
            for side, more in sides.items():
                run(directory, "%s%d-%d" % (side, number, i), more)
        names = {side: ["%s%d-%d" % (side, number, i) for i in range(options.runs)] for side in sides}
        slower, same = changes(directory, names["a"], names["c"]), changes(directory, names["a"], names["b"])
        found += slower == ["+exchange"]
        nothing += not same
        print("try %d: slower: %s; the same: %s" % (number + 1, " ".join(slower) or "nothing", " ".join(same) or "nothing"), flush=True)
    print("named alone: %d of %d tries; nothing named without the change: %d of %d" % (found, options.tries, nothing, options.tries))
