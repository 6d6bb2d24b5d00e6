"""
What all benchmarks share: variants of a piece of work run in turn, the table, the JSON and the plot.

A *work* is something a program does; its *variants* are the ways it is measured: not at all (plain), by hooks that
only read the clock (limit), by a peer, by fathom. In each round all variants run one after the other, and each round
gives a ratio of its own against plain and against limit: what the machine does besides disturbs both. The table has the
medians, and how far the middle half of the rounds lies from them.
"""
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

import chart

FORMAT = "fathom-bench 1"

# The columns of the table: name, and what it means.
COLUMNS = {
    "measured": "a traced run, as its trace says",
    "replayed": "the replay of the trace by fathom whatif",
    "plain": "without measurement",
    "limit": "hooks that read the clock and do nothing else",
    "empty": "hooks that do nothing",
    "raw": "one reading of the counters, without measurement",
    "gprof": "gcc -pg",
    "perf": "perf record, as it is by default: samples",
    "callgrind": "valgrind --tool=callgrind",
    "uftrace": "uftrace record of what gcc -pg built",
    "none": "fathom, FATHOM_MODE=none; every function has hooks",
    "profile": "fathom, the usual choice of functions, FATHOM_OVERHEAD=off",
    "default": "fathom as it is by default",
    "unsampled": "the same, FATHOM_SAMPLING=off",
    "s.1000": "the same, FATHOM_SAMPLING=1000",
    "d.budget": "the same, FATHOM_OVERHEAD=5%",
    "all": "fathom, profile of every function",
    "unwaited": "fathom, FATHOM_WAITS=off",
    "bursts": "fathom, FATHOM_BURSTS=on",
    "trace": "fathom, trace of every function",
    "budget": "fathom, every function, FATHOM_OVERHEAD=5%",
    "b.hooks": "the same, FATHOM_PATCH=off",
    "filter": "fathom, every function but main left out by FATHOM_FILTER",
    "f.hooks": "the same, FATHOM_PATCH=off",
    "e.profile": "early hooks: the usual choice of functions",
    "ed.budget": "the same, FATHOM_OVERHEAD=5%",
    "e.all": "early hooks: profile of every function",
    "e.budget": "the same, FATHOM_OVERHEAD=5%",
}


def number_of(name, fallback, convert):
    """A setting of the benchmarks, from the environment."""
    text = os.environ.get(name) or str(fallback)
    try:
        value = convert(text)
    except ValueError:
        value = 0
    if value <= 0:
        raise SystemExit(f"bench: {name}={text}: a number larger than 0 is wanted")
    return value


class Sample:
    """One run: seconds by the clock on the wall and of the processor, and what it printed."""

    def __init__(self, wall, cpu, output):
        self.wall, self.cpu, self.output = wall, cpu, output


class Failed(Exception):
    """A program that should have ended well did not."""


def run(command, directory=".", environment=None):
    """Run it there; it must end well. A variable of the environment that is None is removed."""
    begin = time.perf_counter()
    variables = {name: value for name, value in {**os.environ, **(environment or {})}.items() if value is not None}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               cwd=directory, env=variables)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        words = [f"{name}={value}" for name, value in (environment or {}).items()] + list(command)
        raise Failed(f"{' '.join(words)}: " + (f"exit code {process.returncode}" if process.returncode > 0 else
                                               f"ended by signal {-process.returncode}"))
    return Sample(wall, usage.ru_utime + usage.ru_stime, output)


def ns_printed(sample):
    """What programs print that look at the clock themselves."""
    return float(re.search(rb"([0-9.]+) (?:ns|us|KiB)", sample.output).group(1))


def middle(values):
    """Median, and the bounds of the middle half."""
    ordered = sorted(values)
    if len(ordered) < 3:
        return ordered[0], statistics.median(ordered), ordered[-1]
    quarters = statistics.quantiles(ordered, n=4, method="inclusive")
    return quarters[0], statistics.median(ordered), quarters[2]


class Work:
    """
    Values of the variants by rounds, in the unit: those of one round stand at the same place; None: did not run.
    events: how many there are in one run, so that a difference can be told for each; 0: none are counted.
    """

    def __init__(self, group, name, unit, events=0):
        self.group, self.name, self.unit, self.events = group, name, unit, events
        self.values, self.other, self.targets, self.remarks = {}, {}, [], []

    def median(self, variant):
        values = [value for value in self.values.get(variant, []) if value is not None]
        return statistics.median(values) if values else None

    def ratios(self, variant, base):
        """Of each round in which both ran."""
        return [a / b for a, b in zip(self.values.get(variant, []), self.values.get(base, []))
                if a is not None and b]

    def target(self, variant, base, kind, most, what):
        """
        To be held: kind "ratio", variant / base <= most; "more", variant - base <= most in the unit of each event;
        "value", variant <= most.
        """
        self.targets.append(dict(variant=variant, base=base, kind=kind, most=most, source=what))

    def judged(self, target):
        """The target with its value and whether it holds; None: one of both did not run."""
        variant, base = target["variant"], target["base"]
        if target["kind"] == "value":
            value = self.median(variant)
        elif target["kind"] == "ratio":
            value = statistics.median(self.ratios(variant, base)) if self.ratios(variant, base) else None
        else:
            pairs = [a - b for a, b in zip(self.values.get(variant, []), self.values.get(base, []))
                     if a is not None and b is not None]
            value = statistics.median(pairs) * self.each() if pairs else None
        if value is None:
            return None
        digits = 2 if target["kind"] == "ratio" else 1      # as it is shown
        return dict(target, value=value, holds=round(value, digits) <= target["most"])

    def each(self):
        """From the unit to ns of an event."""
        return {"s": 1e9, "us": 1e3}.get(self.unit, 1) / self.events if self.events else 1

    def as_json(self):
        variants = {}
        for name, values in self.values.items():
            found = [value for value in values if value is not None]
            if not found:
                continue
            low, mid, high = middle(found)
            variants[name] = entry = dict(values=values, median=mid, quarter_low=low, quarter_high=high)
            if name in self.other:
                entry["wall_s"] = self.other[name]
            for base in ("plain", "limit"):
                ratios = self.ratios(name, base)
                if ratios and base != name:
                    low, mid, high = middle(ratios)
                    entry[f"per_{base}"] = dict(median=mid, quarter_low=low, quarter_high=high)
            if self.events and self.median("plain") is not None and name != "plain":
                entry["ns_each"] = (entry["median"] - self.median("plain")) * self.each()
        return dict(group=self.group, name=self.name, unit=self.unit, events=self.events or None, variants=variants,
                    targets=[judged for judged in map(self.judged, self.targets) if judged], remarks=self.remarks)


def cell(ratios):
    """A ratio and how far its middle half is from it."""
    if not ratios:
        return "-"
    low, mid, high = middle(ratios)
    text = f"{mid:.2f}" if mid < 100 else f"{mid:.0f}"
    spread = max(high - mid, mid - low) / mid * 100 if mid else 0
    return f"{text} ±{spread:.0f}" if len(ratios) > 1 else text


def amount(value, unit):
    if unit == "s":
        return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e3:.1f} ms"
    text = f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"
    return f"{text} {unit}".strip()


class Bench:
    def __init__(self):
        self.rounds = number_of("BENCH_ROUNDS", 5, int)
        self.scale = number_of("BENCH_SCALE", 1, float)
        self.patience = number_of("BENCH_PATIENCE", 20, float)     # s: what takes longer runs once only
        self.works, self.missing, self.facts, self.faults = [], [], [], []
        self.began = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        self.load_begin = os.getloadavg()

    def count(self, of):
        """So many, or fewer as BENCH_SCALE says."""
        return max(int(of * self.scale), 1)

    def say(self, text):
        print(f"  {text}", file=sys.stderr, flush=True)

    def lacks(self, peer, package, why="not found"):
        if not any(entry["peer"] == peer for entry in self.missing):
            self.missing.append(dict(peer=peer, package=package, why=why))

    def fault(self, text):
        """Not slow, but wrong."""
        self.faults.append(text)
        self.say(f"WRONG: {text}")

    def fact(self, group, name, value, unit):
        self.facts.append(dict(group=group, name=name, value=value, unit=unit))

    def turns(self, variants, rounds=0):
        """
        Run all variants in turn, so many rounds; yields name and what came back: None where it takes too long or
        fails. The first of them must not fail.
        """
        try:
            next(iter(variants.values()))()     # files into the cache; the first run of all does not count
        except Failed as error:
            raise SystemExit(f"bench: {error}") from error
        left_out = set()
        for turn in range(rounds or self.rounds):
            first = turn % len(variants)        # nobody always follows the same
            for name in (list(variants) * 2)[first:first + len(variants)]:
                begin, found = time.monotonic(), None
                try:
                    found = variants[name]() if name not in left_out else None
                except Failed as error:
                    self.fault(f"{name}: {error}")
                    left_out.add(name)
                yield name, found
                if time.monotonic() - begin > self.patience:
                    left_out.add(name)

    def measure(self, work, variants, value, rounds=0):
        """Variants: name to a function that runs it once and returns a Sample; value: of a Sample, in the unit."""
        self.works.append(work)
        self.say(f"{work.name}: {', '.join(variants)}")
        for name, sample in self.turns(variants, rounds):
            work.values.setdefault(name, []).append(value(sample) if sample else None)
            work.other.setdefault(name, []).append(round(sample.wall, 6) if sample else None)
        medians = {name: work.median(name) for name in variants}
        self.say(f"{work.name}: " + ", ".join(f"{name} {'?' if value is None else f'{value:.3f}'}"
                                              for name, value in medians.items()) + f" {work.unit}")
        return work

    def measure_many(self, works, variants, rounds=0):
        """Works: key to Work; variants: name to a function that runs it once and returns key to value."""
        self.works += works.values()
        self.say(f"{', '.join(work.name for work in works.values())}: {', '.join(variants)}")
        for name, found in self.turns(variants, rounds):
            for key, work in works.items():
                if not found or key in found:
                    work.values.setdefault(name, []).append(found[key] if found else None)

    # --- what is shown -----------------------------------------------------------------------------

    def table(self):
        """The one table, as text."""
        used = [name for name in COLUMNS if any(name in work.values for work in self.works)]
        wide = max([len(work.name) for work in self.works] + [20]) + 2
        out = []

        def line(first, cells):
            out.append((f"{first:<{wide}}" + "".join(f" {text:>10}" for text in cells)).rstrip())

        line("", ["against"] + [name if name != "plain" else "plain is" for name in used])
        group = None
        for work in self.works:
            if work.group != group:
                group = work.group
                out.append("")
            name = work.name
            for base in ("plain", "limit"):
                if not any(work.ratios(variant, base) for variant in work.values if variant != base):
                    continue
                cells = []
                for variant in used:
                    if variant == "plain":
                        cells.append(amount(work.median(variant), work.unit) if variant in work.values else "-")
                    else:
                        cells.append(cell(work.ratios(variant, base)) if variant != base else "1")
                if base == "limit" and work.median("limit") is not None and "plain" not in work.values:
                    cells[used.index("limit")] = amount(work.median("limit"), work.unit)
                line(name, [base] + cells)
                name = ""
            if name:
                line(name, [""] + [amount(work.median(variant), work.unit) if variant in work.values else "-"
                                   for variant in used])
            for target in filter(None, map(work.judged, work.targets)):
                out.append("    " + self.target_text(work, target))
            for remark in work.remarks:
                out.append("    " + remark)
        return "\n".join(out)

    @staticmethod
    def target_text(work, target):
        unit = "ns" if work.events else work.unit
        what = {"ratio": f"{target['variant']} / {target['base']}",
                "more": f"{target['variant']} - {target['base']}", "value": target["variant"]}[target["kind"]]
        digits = 2 if target["most"] == round(target["most"], 2) else 3
        value, most = (f"{target[key]:.{digits}f}" if target["kind"] == "ratio" else amount(target[key], unit)
                       for key in ("value", "most"))
        held = "holds" if target["holds"] else "MISSED"
        return f"{what}: {value}, to reach: <= {most} ({target['source']}): {held}"

    def machine(self):
        def first_line(*command):
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False)
            except OSError:
                return None
            return (done.stdout or done.stderr).strip().split("\n")[0] or None

        def contents(path, pattern):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    found = re.search(pattern, file.read(), re.M)
            except OSError:
                return None
            return found.group(1) if found else None

        return dict(cpu=contents("/proc/cpuinfo", r"^model name\s*: (.*)") or platform.machine(),
                    processors=len(os.sched_getaffinity(0)), kernel=platform.release(),
                    system=contents("/etc/os-release", r'^PRETTY_NAME="?([^"\n]*)'),
                    clocksource=contents("/sys/devices/system/clocksource/clocksource0/current_clocksource", r"(\S+)"),
                    governor=contents("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", r"(\S+)"),
                    compiler=first_line(*os.environ.get("CC", "gcc").split(), "--version"),
                    fathom=first_line(os.path.join(os.environ["builddir"], "fathom"), "--version"),
                    peers={name: first_line(name, "--version") for name in ("uftrace", "perf", "valgrind")
                           if shutil.which(name)},
                    load_begin=[round(value, 2) for value in self.load_begin],
                    load_end=[round(value, 2) for value in os.getloadavg()])

    def document(self):
        return dict(format=FORMAT, began=self.began, ended=time.strftime("%Y-%m-%dT%H:%M:%S%z"), rounds=self.rounds,
                    scale=self.scale, machine=self.machine(),
                    columns={name: text for name, text in COLUMNS.items()
                             if any(name in work.values for work in self.works)},
                    missing=self.missing, works=[work.as_json() for work in self.works], facts=self.facts,
                    faults=self.faults)

    def plot(self, path):
        rows, used = [], []
        for work in self.works:
            row = {name: middle(work.ratios(name, "plain")) for name in work.values
                   if name != "plain" and work.ratios(name, "plain")}
            if row:
                rows.append((work.name, row))
                used += [name for name in row if name not in used]
        chart.dots(path, "How many times as long as plain (medians; the line has the middle half of the rounds)", rows,
                   [name for name in COLUMNS if name in used])

    def finish(self, directory):
        """Print the table; write all into the directory."""
        document = self.document()
        machine = document["machine"]
        text = [self.table(), ""]
        for fact in self.facts:
            text.append(f"{fact['name']}: {fact['value']:g} {fact['unit']}".strip())
        for entry in self.missing:
            text.append(f"without {entry['peer']}: {entry['why']} (Debian: {entry['package']})")
        text += [f"WRONG: {fault}" for fault in self.faults]
        text.append(f"{machine['cpu']}, {machine['processors']} processors, Linux {machine['kernel']}, "
                    f"{machine['compiler']}; load {machine['load_begin'][0]} at the begin, {machine['load_end'][0]} "
                    f"at the end; rounds: {self.rounds}, scale: {self.scale:g}")
        print("\n".join(text))
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "bench.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")
        with open(os.path.join(directory, "bench.json"), "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
        self.plot(os.path.join(directory, "bench.svg"))
        print(f"written: {directory}/bench.txt, bench.json, bench.svg")
        return 1 if self.faults else 0
