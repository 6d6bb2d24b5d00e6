"""Real programs with very small functions: what measuring them costs, and whether results and reports stay the same."""
import json
import os
import subprocess
import sys

from measure import Work
from programs import DRIVER, HERE, SOURCE, build_hooks, fathom_variants, kinds_to_build, runner

# What the budget is to keep, by the clock on the wall, and how long plain takes then.
BUDGET, LONG = 1.07, 5

TOP = 5


class Program:
    """Something that is built in all the ways there are, and runs on more or less of its work."""

    traced = 0.05, "a twentieth"        # how much of it every call is recorded of
    all_is_bearable = True              # a run long enough for pairs, with every call of every function measured

    def __init__(self, name, title):
        self.name, self.title = name, title

    def build(self, bench, peers, kinds=()):
        """All kinds or those; False, with a word about it, where it cannot be had."""
        raise NotImplementedError

    def commands(self, bench, part):
        """What to run for a kind of build, on a part of the full input: a function of the kind; None: not built."""
        raise NotImplementedError

    def has(self, kind):
        """Whether that was built."""
        raise NotImplementedError

    def targets(self, work):
        """What the figures are to reach, beyond what is asked of all."""
        work.target("profile", "plain", "ratio", 1.02, "design 9: default settings")
        work.target("all", "limit", "ratio", 1.25, "design 9: profile")
        work.target("all", "plain", "ratio", 1.5, "design 9: all regions")


    def measure_more(self, bench):
        """What is only to be asked of this one."""


class RealProgram(Program):
    """One of real.sh, below ./NAME."""

    def build(self, bench, peers, kinds=()):
        hooks = build_hooks()
        environment = dict(os.environ, LIMIT=" ".join(hooks["limit"]), EMPTY=" ".join(hooks["empty"]),
                           KINDS=" ".join(kinds_to_build(kinds)), WITH_PG="yes" if peers.found & {"gprof", "uftrace"} else "")
        bench.say(f"{self.title}: building")
        done = subprocess.run(["sh", f"{HERE}/real.sh", self.name, os.getcwd()], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode == 77:
            bench.lacks(self.title, "its source", (done.stdout.strip().split("\n") or ["?"])[-1])
            return False
        if done.returncode:
            raise SystemExit(f"bench: {self.title} cannot be built:\n{done.stdout}")
        return True

    def has(self, kind):
        return os.path.isdir(f"{self.name}/{kind}")

    def commands(self, bench, part):
        there = os.path.abspath(self.name)
        if self.name == "bzip2":
            data, size = f"{there}/data-{part}", bench.count(18_000_000 * part)
            with open(f"{there}/text", "rb") as file:
                text = file.read()
            with open(data, "wb") as file:
                file.write((text * (size // len(text) + 1))[:size])
            return self.if_built(lambda kind: [f"{there}/{kind}/bzip2", "-k", "-c", data])
        if self.name == "fasttree":
            data = f"{there}/data-{part}"
            with open(data, "w", encoding="utf-8") as file:
                sequences = str(bench.count(280 * part) + 8)
                subprocess.run([sys.executable, f"{SOURCE}/test/real/alignment.py", sequences, "300"], stdout=file,
                               check=True)
            return self.if_built(lambda kind: [f"{there}/{kind}/fasttree", "-nt", "-quiet", data])
        return self.if_built(lambda kind: [f"{there}/{kind}/src/lua", f"{HERE}/work.lua", str(bench.count(300 * part))])

    def if_built(self, command):
        return lambda kind: command(kind) if self.has(kind) else None


def equal_results(bench, work, variants):
    """The same variants, which also compare what they print with what plain printed."""
    first = []

    def compared(name, once):
        def run():
            sample = once()
            if not first:
                first.append(sample.output)
            elif sample.output != first[0]:
                bench.fault(f"{work.name}: {name} has another result than plain")
            return sample
        run.directory = once.directory
        return run
    return {name: compared(name, once) for name, once in variants.items()}


def experiment(directory):
    found = [name for name in os.listdir(directory) if name.startswith("fathom-")]
    return os.path.join(directory, found[0]) if len(found) == 1 else None


def own_times(directory):
    """Name to (own time without that of measuring, whether it is mostly measuring), and which functions were disabled.

    Where something was, times are as the report estimates them."""
    done = subprocess.run([DRIVER, "report", "--json", experiment(directory)], stdout=subprocess.PIPE, check=True)
    document = json.loads(done.stdout)
    times, off = {}, set()
    for node in document["call_tree"]:
        own = node["exclusive"]
        time, cost = own.get("time", 0), own.get("measurement_overhead", 0)
        before = times.get(node["name"], (0, 0))
        times[node["name"]] = before[0] + time, before[1] + cost
        if own.get("visits_missing", 0) > 0:
            off.add(node["name"])
    estimated = {}
    for region in document["regions"]:
        if "time_estimated" in region:
            estimated[region["name"]] = estimated.get(region["name"], 0) + region["time_estimated"]
    times = {name: (estimated.get(name, time), cost) for name, (time, cost) in times.items()}
    return {name: (time - cost, cost > time / 2) for name, (time, cost) in times.items()}, off


def top_regions(times):
    """Those with most own time of which measuring is not most."""
    real = [name for name, (_, is_trivial) in times.items() if not is_trivial]
    return sorted(real, key=lambda name: -times[name][0])[:TOP]


def compare_tops(work, full, budget, which="with a budget"):
    """Whether the report still names the regions that matter."""
    wanted = top_regions(own_times(full)[0])
    times, off = own_times(budget)
    there = top_regions(times)
    kept = [name for name in wanted if name in there]
    switched = [name for name in wanted if name not in there and name in off]
    gone = [name for name in wanted if name not in there and name not in off]
    work.remarks.append(f"of the top {len(wanted)} regions of the full measurement, {len(kept)} are {which}, too"
                        + (f"; named as disabled: {', '.join(switched)}" if switched else "")
                        + (f"; further down: {', '.join(gone)}" if gone else ""))


# The full measurement, and with a budget.
TOPS = ("profile", "d.budget"), ("all", "budget"), ("e.profile", "ed.budget"), ("e.all", "e.budget")


def long_part(bench, program):
    """How much of the work takes plain so long that start and end do not matter."""
    part = 1
    while part < 64:
        bench.say(f"{program.title}: how long {part} x the work takes")
        once = runner(Work("pairs", program.title, "s"), "plain", program.commands(bench, part)("plain"))
        if once().wall >= LONG * min(bench.scale, 1):
            break
        part *= 2
    return part


def budget_pairs(bench, peers, programs):
    """Plain and with a budget of 5 %, in turn, by the clock on the wall; then once the full measurement of the same."""
    all_full_of = {"d.budget": "profile", "budget": "all", "ed.budget": "e.profile"}
    for program in programs:
        full_of = {budget: full for budget, full in all_full_of.items() if full != "all" or program.all_is_bearable}
        if not program.build(bench, peers, ("plain", "default", "all", "early")):
            continue
        command = program.commands(bench, long_part(bench, program))
        work = Work("pairs", f"{program.title}, long", "s")
        ways = fathom_variants(work, command)
        ways["plain"] = runner(work, "plain", command("plain"))
        variants = equal_results(bench, work, ways)
        full_of = {budget: full for budget, full in full_of.items() if budget in ways and full in ways}
        bench.measure(work, {way: variants[way] for way in ("plain", *full_of)}, lambda sample: sample.wall)
        for full in set(full_of.values()):
            variants[full]()
        for budget, full in full_of.items():
            work.target(budget, "plain", "ratio", BUDGET, "budget of 5 %")
            compare_tops(work, ways[full].directory, ways[budget].directory, f"in {budget}")


def measure_one(bench, program, peers):
    work, command = Work("real", program.title, "s"), program.commands(bench, 1)
    variants = {kind: runner(work, kind, command(kind)) for kind in ("plain", "limit", "empty") if command(kind)}
    pg = command("pg") if program.has("pg") else None
    others = peers.commands(command("plain"), pg)
    others.pop("uftrace", None)
    variants.update((peer, runner(work, peer, line)) for peer, line in others.items())
    variants.update(fathom_variants(work, command))
    bench.measure(work, equal_results(bench, work, variants), lambda sample: sample.cpu)
    program.targets(work)
    for variant in ("d.budget", "budget"):
        work.target(variant, "plain", "ratio", BUDGET, "budget of 5 %")
    work.target("f.hooks", "empty", "ratio", 1.1, "design 9: switched off")
    for full, variant in TOPS:
        if full not in variants or variant not in variants:
            continue
        compare_tops(work, variants[full].directory, variants[variant].directory, f"in {variant}")


def measure_traced(bench, program, peers):
    """Every call recorded: less of the same work, for the sake of the disk."""
    part, share = program.traced
    work, command = Work("real", f"{program.title}, {share}, traced", "s"), program.commands(bench, part)
    variants = {kind: runner(work, kind, command(kind)) for kind in ("plain", "limit") if command(kind)}
    others = peers.commands(command("plain"), command("pg") if program.has("pg") else None)
    variants.update((peer, runner(work, peer, others[peer])) for peer in ("uftrace",) if peer in others)
    traced = command("all") or command("default")
    if traced:
        variants["trace"] = runner(work, "trace", traced, {"FATHOM_MODE": "trace"})
    bench.measure(work, equal_results(bench, work, variants), lambda sample: sample.cpu)
    work.target("trace", "limit", "ratio", 2.37, "design 9: trace")


REAL = [RealProgram("bzip2", "bzip2"), RealProgram("fasttree", "FastTree"), RealProgram("lua", "Lua")]


def groups(more):
    """Name to a function that builds and measures it; of these programs, too."""
    def one(program):
        def measure(bench, peers):
            if program.build(bench, peers):
                measure_one(bench, program, peers)
                measure_traced(bench, program, peers)
                program.measure_more(bench)
        return measure
    programs = [*REAL, *more]
    return {**{program.name: one(program) for program in programs},
            "pairs": lambda bench, peers: budget_pairs(bench, peers, programs)}
