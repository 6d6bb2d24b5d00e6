"""Whether a profile with default settings is right: shares of own time of functions, compared with those that perf record
finds in the same program without fathom.

For each program, every function with at least LEAST of the samples of perf must have, in the default profile, a share of
the own time that differs by at most TOLERANCE and three standard deviations of the two numbers of samples; and two such
functions must stand in the same order where they differ by more than that. A function that the compiler splits or copies
(f.constprop.0, f.part.0, f.cold) is counted as f in both.
"""
import json
import math
import re
import subprocess

from programs import DRIVER, runner
from real import experiment
from measure import Failed, Work

LEAST, TOLERANCE = 0.02, 0.02
RATE = 1999                             # samples of perf a second; no multiple of what timers usually do

PIECE = re.compile(r"(\.(constprop|isra|part|cold|lto_priv|_omp_fn)(\.\d+)*)+$")


def function_of(symbol):
    return PIECE.sub("", symbol)


def perf_shares(directory):
    """Linker name to its share of all samples, and how many samples there are."""
    done = subprocess.run(["perf", "report", "-i", f"{directory}/perf.data", "--stdio", "--no-demangle", "-F", "sample,sym",
                           "-t", "|"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    counts = {}
    for line in done.stdout.splitlines():
        found = re.match(r"\s*(\d+)\s*\|\[(.)\] (.*?)\s*$", line)
        if found:
            name = function_of(found.group(3)) if found.group(2) == "." else "(kernel)"
            counts[name] = counts.get(name, 0) + int(found.group(1))
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()}, total


def fathom_shares(directory):
    """Linker name to its share of the own time of all functions, without the time of measuring; how many samples."""
    done = subprocess.run([DRIVER, "report", "--json", experiment(directory)], stdout=subprocess.PIPE, check=True)
    document = json.loads(done.stdout)
    times, samples = {}, 0
    for node in document["call_tree"]:
        region, own = document["regions"][node["region"]], node["exclusive"]
        if region["role"] == "artificial" and node["parent"] is None:
            continue                    # the program: what runs before and after main
        name = function_of(region.get("mangled") or region["name"])
        times[name] = times.get(name, 0) + max(own.get("time", 0) - own.get("measurement_overhead", 0), 0)
        samples += own.get("samples", 0)
    total = sum(times.values())
    return {name: time / total for name, time in times.items()} if total else {}, samples


def sigma(share, samples):
    return math.sqrt(share * (1 - share) / samples) if samples else 0


def differences(expected, expected_samples, found, found_samples):
    """Texts that say what is wrong. Exact times count as many samples."""
    wrong, large = [], [name for name, share in expected.items() if share >= LEAST and name != "(kernel)"]

    def allowed(share):
        return TOLERANCE + 3 * math.hypot(sigma(share, expected_samples), sigma(share, found_samples))
    for name in large:
        if abs(found.get(name, 0) - expected[name]) > allowed(expected[name]):
            wrong.append(f"{name}: {found.get(name, 0):.1%}, with perf {expected[name]:.1%} "
                         f"(+- {allowed(expected[name]):.1%})")
    for first in large:
        for second in large:
            if expected[first] - expected[second] > allowed(expected[first]) + allowed(expected[second]) and \
                    found.get(first, 0) <= found.get(second, 0):
                wrong.append(f"{first} stands behind {second}")
    return large, wrong


def compare(bench, program, peers):
    """One program, in both ways, long enough for some thousand samples."""
    if not program.build(bench, peers, ("plain", "default")):
        return
    part = 4 if bench.scale >= 1 else 1
    work, command = Work("shares", f"{program.title}, shares", "s"), program.commands(bench, part)
    perf = runner(work, "perf", ["perf", "record", "-q", "-F", str(RATE), "-e", "cpu-clock:u", "-o", "perf.data",
                                 *command("plain")])
    # The other groups run without the budget; here all is as it is by default.
    ours = runner(work, "profile", command("default"), {"FATHOM_OVERHEAD": "5%"})
    try:
        perf(), ours()
    except Failed as error:
        bench.fault(f"{program.title}: {error}")
        return
    expected, expected_samples = perf_shares(perf.directory)
    found, found_samples = fathom_shares(ours.directory)
    if expected_samples < 100:
        bench.say(f"{program.title}: too short to compare: {expected_samples} samples of perf")
        return
    large, wrong = differences(expected, expected_samples, found, found_samples)
    bench.fact("shares", f"{program.title}: functions with 2 % of the time or more", len(large), "")
    bench.fact("shares", f"{program.title}: of these with another share in the profile", len(wrong), "")
    for text in wrong:
        bench.say(f"{program.title}: {text}")
    if wrong:
        bench.fault(f"{program.title}: shares differ from those of perf: " + "; ".join(wrong))


def group(programs):
    def measure(bench, peers):
        if "perf" not in peers.found:
            bench.lacks("perf", "linux-perf")
            return
        for program in programs:
            compare(bench, program, peers)
    return measure
