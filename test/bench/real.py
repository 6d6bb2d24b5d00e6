"""Real programs with very small functions: what measuring them costs, and whether results and reports stay the same."""
import json
import os
import subprocess
import sys

from measure import Work
from programs import DRIVER, HERE, SOURCE, build_hooks, fathom_variants, runner, write_filter

# What the budget is to keep, by the clock on the wall, and how long plain takes then.
BUDGET, LONG = 1.07, 5

TITLES = {"bzip2": "bzip2", "fasttree": "FastTree", "lua": "Lua"}
TOP = 5


def build(bench, name, peers, kinds=""):
    """Below ./NAME, all kinds or those; False, with a word about it, where it cannot be had."""
    hooks = build_hooks()
    environment = dict(os.environ, LIMIT=" ".join(hooks["limit"]), EMPTY=" ".join(hooks["empty"]), KINDS=kinds,
                       WITH_PG="yes" if peers.found & {"gprof", "uftrace"} else "")
    bench.say(f"{TITLES[name]}: building")
    done = subprocess.run(["sh", f"{HERE}/real.sh", name, os.getcwd()], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 77:
        bench.lacks(TITLES[name], "its source", (done.stdout.strip().split("\n") or ["?"])[-1])
        return False
    if done.returncode:
        raise SystemExit(f"bench: {TITLES[name]} cannot be built:\n{done.stdout}")
    return True


def commands(bench, name, part):
    """What to run for a kind of build, on a part of the full input: a function of the kind."""
    there = os.path.abspath(name)
    if name == "bzip2":
        data, size = f"{there}/data-{part}", bench.count(18_000_000 * part)
        with open(f"{there}/text", "rb") as file:
            text = file.read()
        with open(data, "wb") as file:
            file.write((text * (size // len(text) + 1))[:size])
        return lambda kind: [f"{there}/{kind}/bzip2", "-k", "-c", data]
    if name == "fasttree":
        data = f"{there}/data-{part}"
        with open(data, "w", encoding="utf-8") as file:
            sequences = str(bench.count(280 * part) + 8)
            subprocess.run([sys.executable, f"{SOURCE}/test/real/alignment.py", sequences, "300"], stdout=file,
                           check=True)
        return lambda kind: [f"{there}/{kind}/fasttree", "-nt", "-quiet", data]
    return lambda kind: [f"{there}/{kind}/src/lua", f"{HERE}/work.lua", str(bench.count(300 * part))]


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
    """Name to (own time without that of measuring, whether it is mostly measuring), and what was switched off."""
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
    return {name: (time - cost, cost > time / 2) for name, (time, cost) in times.items()}, off


def top_regions(times):
    """Those with most own time of which measuring is not most."""
    real = [name for name, (_, is_trivial) in times.items() if not is_trivial]
    return sorted(real, key=lambda name: -times[name][0])[:TOP]


def compare_tops(work, full, budget, which="with a budget"):
    """Whether the report still names the regions that matter."""
    wanted = top_regions(own_times(full)[0])
    times, off = own_times(budget)
    there = sorted(times, key=lambda name: -times[name][0])[:TOP]
    kept = [name for name in wanted if name in there]
    switched = [name for name in wanted if name not in there and name in off]
    gone = [name for name in wanted if name not in there and name not in off]
    work.remarks.append(f"of the top {len(wanted)} regions of the full measurement, {len(kept)} are {which}, too"
                        + (f"; named as switched off: {', '.join(switched)}" if switched else "")
                        + (f"; further down: {', '.join(gone)}" if gone else ""))


# The full measurement, and with a budget.
TOPS = ("profile", "d.budget"), ("l.profile", "ld.budget"), ("all", "budget"), ("l.all", "l.budget")


def long_part(bench, name, title):
    """How much of the work takes plain so long that start and end do not matter."""
    part = 1
    while part < 64:
        bench.say(f"{title}: how long {part} x the work takes")
        once = runner(Work("pairs", title, "s"), "plain", commands(bench, name, part)("plain"))
        if once().wall >= LONG * min(bench.scale, 1):
            break
        part *= 2
    return part


def budget_pairs(bench, peers):
    """Plain and with a budget of 5 %, in turn, by the clock on the wall; then once the full measurement of the same."""
    full_of = {"d.budget": "profile", "ld.budget": "l.profile", "l.budget": "l.all"}
    for name, title in TITLES.items():
        if not build(bench, name, peers, "plain default late late-all"):
            continue
        command = commands(bench, name, long_part(bench, name, title))
        work = Work("pairs", f"{title}, long", "s")
        ways = fathom_variants(work, None, command("default"), None, command("late"), command("late-all"))
        ways["plain"] = runner(work, "plain", command("plain"))
        variants = equal_results(bench, work, ways)
        bench.measure(work, {way: variants[way] for way in ("plain", *full_of)}, lambda sample: sample.wall)
        for budget, full in full_of.items():
            variants[full]()
            work.target(budget, "plain", "ratio", BUDGET, "budget of 5 %")
            compare_tops(work, ways[full].directory, ways[budget].directory, f"in {budget}")


def measure_one(bench, name, peers):
    title, filter_file = TITLES[name], write_filter()
    work = Work("real", title, "s")
    command = commands(bench, name, 1)
    variants = {kind: runner(work, kind, command(kind)) for kind in ("plain", "limit", "empty")}
    has_pg = os.path.isdir(f"{name}/pg")
    others = peers.commands(command("plain"), command("pg") if has_pg else None)
    others.pop("uftrace", None)
    variants.update((peer, runner(work, peer, line)) for peer, line in others.items())
    variants.update(fathom_variants(work, command("all"), command("default"), filter_file, command("late"),
                                    command("late-all")))
    bench.measure(work, equal_results(bench, work, variants), lambda sample: sample.cpu)
    work.target("profile", "plain", "ratio", 1.02, "design 9: default settings")
    work.target("all", "limit", "ratio", 1.25, "design 9: profile")
    work.target("all", "plain", "ratio", 1.5, "design 9: all regions")
    work.target("l.profile", "plain", "ratio", 1.02, "the same, late hooks")
    work.target("l.all", "limit", "ratio", 1.25, "design 9: profile, late hooks")
    for variant in ("d.budget", "ld.budget", "budget", "l.budget"):
        work.target(variant, "plain", "ratio", BUDGET, "budget of 5 %")
    work.target("f.hooks", "empty", "ratio", 1.1, "design 9: switched off")
    for full, variant in TOPS:
        compare_tops(work, variants[full].directory, variants[variant].directory, f"in {variant}")

    # Every call recorded: less of the same work, for the sake of the disk.
    work = Work("real", f"{title}, a twentieth, traced", "s")
    command = commands(bench, name, 0.05)
    variants = {kind: runner(work, kind, command(kind)) for kind in ("plain", "limit")}
    others = peers.commands(command("plain"), command("pg") if has_pg else None)
    variants.update((peer, runner(work, peer, others[peer])) for peer in ("uftrace",) if peer in others)
    variants["trace"] = runner(work, "trace", command("all"), {"FATHOM_MODE": "trace"})
    bench.measure(work, equal_results(bench, work, variants), lambda sample: sample.cpu)
    work.target("trace", "limit", "ratio", 2.37, "design 9: trace")


def groups():
    """Name to a function that builds and measures it."""
    def one(name):
        def measure(bench, peers):
            if build(bench, name, peers):
                measure_one(bench, name, peers)
        return measure
    return {**{name: one(name) for name in TITLES}, "pairs": budget_pairs}
