#!/usr/bin/env python3
"""make bench: what fathom costs, side by side with its peers and with what measuring costs at least.

  bench.py [GROUP...]      without a name, all of them; doc/internals/performance.md says what they are

Settings, from the environment:
  BENCH_ROUNDS=5           how often everything runs, in turn
  BENCH_SCALE=1            how much of the work: 0.01 to see that all works
  BENCH_PATIENCE=20        seconds: what takes longer is run once only
  BENCH_KINDS="plain all"  only these ways to build real programs (test/bench/real.sh); all
  BENCH_OUT=DIRECTORY      where the table, the JSON and the plot go (bench/ where it runs)
  BENCH_WORK=DIRECTORY     where programs are built, and stay for the next time (else they are removed)

Processor time where one process works alone, wall-clock time where several do. Timings are noisy: that something
is slow fails nothing. That results differ, or programs fail, does: the exit code is 1.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile

from defaults import defaults
from measure import Bench, Failed, Sample, Work, ns_printed, run
from programs import (BUILD, CC, DRIVER, HERE, HOOKS, LIBS, Peers, build_kinds, compile, fathom_variants, runner)
from proxies import PROXIES
from real import REAL, groups as program_groups
from shares import group as shares_of
from startup import startup
from whatif_error import whatif_error

MPICC, MPIRUN = os.environ.get("MPICC", "").split(), os.environ.get("MPIRUN", "").split()


def cpu(sample):
    return sample.cpu


def wall(sample):
    return sample.wall


# --- functions -----------------------------------------------------------------------------------

def build_calls(peers):
    """The program that calls an empty function, in all ways: kind to path."""
    return build_kinds(CC, "calls", [f"{HERE}/region_calls.c"], peers)


def without_start(variants):
    """The same for commands that end with a number of calls: less what a run with one call takes right after it."""
    def less(once):
        alone = runner(Work("functions", "one call", "s"), once.name, [*once.command[:-1], "1"], once.environment)

        def both():
            many, one = once(), alone()
            return Sample(max(many.wall - one.wall, 1e-6), max(many.cpu - one.cpu, 1e-6), many.output)
        both.directory = once.directory
        return both
    return {name: less(once) for name, once in variants.items()}


def region_calls(bench, peers):
    """An empty function, called from one place."""
    calls = bench.count(30_000_000)
    kinds = {kind: [path, str(calls)] for kind, path in build_calls(peers).items()}
    work = Work("functions", f"{calls / 1e6:g} M calls", "s", events=calls)
    variants = {kind: runner(work, kind, kinds[kind]) for kind in ("plain", "limit", "empty")}
    others = peers.commands(kinds["plain"], kinds.get("pg"))
    others.pop("uftrace", None)         # a trace: below
    variants.update((name, runner(work, name, command)) for name, command in others.items())
    variants.update(fathom_variants(work, kinds.get))
    bench.measure(work, without_start(variants), cpu)
    work.target("all", "limit", "ratio", 1.25, "design 9: profile")
    work.target("budget", "plain", "ratio", 1.07, "budget of 5 %")
    work.target("f.hooks", "empty", "ratio", 1.1, "design 9: switched off")
    work.target("filter", "plain", "more", 1, "design 9: patched")


def traces(bench, peers):
    """Every call of it recorded."""
    calls = bench.count(10_000_000)
    kinds = {kind: [path, str(calls)] for kind, path in build_calls(peers).items()}
    work = Work("functions", f"{calls / 1e6:g} M calls, traced", "s", events=calls)
    variants = {kind: runner(work, kind, kinds[kind]) for kind in ("plain", "limit")}
    others = peers.commands(kinds["plain"], kinds.get("pg"))
    if "uftrace" in others:
        variants["uftrace"] = runner(work, "uftrace", others["uftrace"])
    variants["trace"] = runner(work, "trace", kinds["all"], {"FATHOM_MODE": "trace"})
    bench.measure(work, without_start(variants), cpu)
    work.target("trace", "limit", "ratio", 2.37, "design 9: trace, 45 ns where the clock takes 19")
    reduced = Work("functions", f"{calls / 1e6:g} M calls, traced with less", "s", events=calls)
    ways = {"trace": {}, "granularity": {"FATHOM_TRACE_GRANULARITY": "1s"}, "window": {"FATHOM_TRACE_WINDOW": "1000:"},
            "ring": {"FATHOM_TRACE_RING": "4M"}}
    variants = {way: runner(reduced, way, kinds["all"], {"FATHOM_MODE": "trace", **settings}) for way, settings in ways.items()}
    bench.measure(reduced, without_start(variants), cpu)
    for way in ("granularity", "window"):
        reduced.target(way, "trace", "ratio", 1.1, "small traces: to leave out is not dearer")
    for tick, most in (("0ns", 24), ("25ns", 15), ("250ns", 15)):
        size = Work("functions", f"bytes of a call, tick {tick}", "bytes")
        once = runner(size, "trace", kinds["all"], {"FATHOM_MODE": "trace", "FATHOM_TRACE_TICK": tick})

        def bytes_each(_, directory=once.directory):
            return sum(os.path.getsize(os.path.join(path, file)) for path, _, files in os.walk(directory)
                       for file in files if file.endswith(".evt")) / calls
        bench.measure(size, {"trace": once}, bytes_each, rounds=1)
        size.target("trace", None, "value", most, "design 9: trace")


# --- MPI -----------------------------------------------------------------------------------------

def no_mpi(bench):
    if MPICC and MPIRUN:
        return False
    bench.lacks("MPI", "mpich libmpich-dev")
    return True


def mpi_variants(work, plain, ours, ranks, *arguments):
    launch = [*MPIRUN, "-n", str(ranks)]
    ways = {"plain": (plain, {}), "none": (ours, {"FATHOM_MODE": "none"}), "profile": (ours, {}),
            "trace": (ours, {"FATHOM_MODE": "trace"})}
    return {name: runner(work, name, [*launch, program, *arguments], environment)
            for name, (program, environment) in ways.items()}


def messages(bench, _):
    """ns a message, as the program says."""
    if no_mpi(bench):
        return
    for name, title, ranks, count, most in (("pingpong", "ping-pong, 8 bytes", 2, 1_000_000, 45),
                                            ("selfmsg", "Irecv, Isend, Waitall to self", 1, 2_000_000, 150)):
        source = f"{HERE}/{name}.c"
        plain = compile(MPICC, f"{name}_plain", source)
        ours = compile(MPICC, f"{name}_fathom", source, *LIBS, "-lfathom-mpi", "-lfathom", "-Wl,--pop-state")
        work = Work("MPI", title, "ns", events=1)
        bench.measure(work, mpi_variants(work, plain, ours, ranks, str(max(bench.count(count), 20_000))), ns_printed)
        work.target("profile", "plain", "more", most, "design 9")
        work.target("trace", "profile", "more", 30, "a trace on top")


def search_seconds(directory):
    """What the search for wait states took, as the profile says that a run has just written there."""
    profile, = glob.glob(f"{directory}/fathom-*/profile.cubex")
    with tarfile.open(profile) as archive:
        anchor = archive.extractfile("anchor.xml").read().decode()
    return float(re.search(r'key="fathom::wait_search_time" value="([0-9.]+)"', anchor).group(1))


def waits(bench, _):
    """Operations for the search for wait states (FATHOM_WAITS): ns a message, and the search at the end."""
    if no_mpi(bench):
        return
    source = f"{HERE}/selfmsg.c"
    plain = compile(MPICC, "selfmsg_plain", source)
    ours = compile(MPICC, "selfmsg_fathom", source, *LIBS, "-lfathom-mpi", "-lfathom", "-Wl,--pop-state")
    messages = str(max(bench.count(300_000), 5000))
    work = Work("MPI", "wait states: Irecv, Isend, Waitall", "ns", events=1)
    ways = {"plain": (plain, {}), "unwaited": (ours, {"FATHOM_WAITS": "off"}), "profile": (ours, {}),
            "bursts": (ours, {"FATHOM_BURSTS": "on"})}
    variants = {name: runner(work, name, [*MPIRUN, "-n", "2", program, messages], environment)
                for name, (program, environment) in ways.items()}
    bench.measure(work, variants, ns_printed)
    work.target("profile", "unwaited", "more", 45, "15 ns a call")
    try:
        variants["profile"]()
        seconds = search_seconds(variants["profile"].directory)
        bench.fact("MPI", "wait states: search, a million operations", seconds / (3 * int(messages)) * 1e6, "s")
    except (Failed, ValueError, AttributeError) as error:
        bench.fault(f"wait states: {error}")


def repeats(bench, _):
    """Traces without repetitions (FATHOM_TRACE_REPEAT) of two solvers: processor time and bytes."""
    if no_mpi(bench):
        return
    steps = str(max(bench.count(250), 20))
    for name in ("wavefront", "adi"):
        hooks = ["-finstrument-functions", f"{HERE}/{name}.c", "-lm", *LIBS, "-lfathom-compiler", "-lfathom-mpi",
                 "-lfathom", "-Wl,--pop-state"]
        command = [*MPIRUN, "-n", "2", compile([*MPICC, "-w"], f"{name}_traced", *hooks), steps, "32"]
        work = Work("MPI", f"{name}, {steps} steps, traced", "s")
        size = Work("MPI", f"{name}, {steps} steps, bytes of events", "bytes")
        ways = {"trace": {}, "repeat": {"FATHOM_TRACE_REPEAT": "2"}}
        variants = {way: runner(work, way, command, {"FATHOM_MODE": "trace", **settings}) for way, settings in ways.items()}

        def both(once):
            def found():
                sample = once()
                return {"time": cpu(sample), "size": sum(os.path.getsize(path) for path in
                                                         glob.glob(f"{once.directory}/fathom-*/traces/*.evt"))}
            return found

        bench.measure_many({"time": work, "size": size}, {way: both(once) for way, once in variants.items()})
        work.target("repeat", "trace", "ratio", 1.03, "small traces: detection costs at most 3 %")
        size.target("repeat", "trace", "ratio", 0.05, "small traces: 5 % of the whole trace")


def hello(bench, _):
    """MPI_Init and MPI_Finalize, the whole run with mpirun."""
    if no_mpi(bench):
        return
    with open("hello.c", "w", encoding="utf-8") as file:
        file.write("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n")
    plain = compile(MPICC, "hello_plain", "hello.c")
    ours = compile(MPICC, "hello_fathom", HOOKS, "hello.c", *LIBS, "-lfathom-compiler", "-lfathom-mpi", "-lfathom",
                   "-Wl,--pop-state")
    for ranks in (2, 16, 64) if bench.scale >= 1 else (2,):
        work = Work("MPI", f"hello world, {ranks} ranks", "s")
        bench.measure(work, mpi_variants(work, plain, ours, ranks), wall)
        if ranks == 64:
            work.target("profile", "plain", "ratio", 1.5, "design 9")


# --- OpenMP --------------------------------------------------------------------------------------

def epcc_of(program, *arguments, threads=2):
    """A function: what each construct costs, ns, and as "memory" the most memory of the process, KiB."""
    environment = {"OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false", "OMP_PROC_BIND": "true",
                   "OMP_WAIT_POLICY": "active" if threads == 2 else "passive"}
    once = runner(Work("OpenMP", "epcc", "ns"), f"{os.path.basename(program)}-{threads}", [program, *arguments],
                  environment)

    def found():
        return {name: float(value) for name, value in map(str.split, once().output.decode().splitlines())}
    return found


def epcc(bench, _):
    """OpenMP constructs: plain against measured through OPARI2 (GCC), and through the runtime system (clang)."""
    source, shorter = f"{HERE}/epcc.c", str(max(int(1 / bench.scale), 1))
    limits = {"parallel": 300, "critical": 60, "task": 150}
    for compiler, way, needs in (("gcc", "POMP2", ("gcc", "opari2")), ("clang", "OMPT", ("clang",))):
        gone = [name for name in needs if not shutil.which(name)]
        if gone:
            bench.lacks(f"OpenMP by {way}", " ".join(gone) + (" libomp-dev" if compiler == "clang" else ""))
            continue
        plain = compile([compiler], f"epcc_{compiler}", "-fopenmp", source)
        # The constructs alone: none of its functions.
        ours = compile([DRIVER, "--no-compiler", compiler], f"epcc_{way}", "-fopenmp", source)
        programs = {"plain": plain, "profile": ours}
        first = epcc_of(plain, "100000")()      # what it measures
        works = {name: Work("OpenMP", f"{name}, {compiler}", "ns", events=1) for name in first if name != "memory"}
        bench.measure_many(works, {name: epcc_of(program, shorter) for name, program in programs.items()})
        for name, most in limits.items():
            works[name].target("profile", "plain", "more", most, "design 9" if name == "parallel" else "issue")

        def slope(program):
            runs = [epcc_of(program, "1000", "parallel", "for", "critical", threads=threads) for threads in (1, 8)]
            return lambda: {"memory": (runs[1]()["memory"] - runs[0]()["memory"]) / 7}
        bench.measure_many({"memory": Work("OpenMP", f"memory of a thread, {compiler}", "KiB")},
                           {name: slope(program) for name, program in programs.items()})


# --- the rest ------------------------------------------------------------------------------------

def counters(bench, _):
    """An enter and its exit with counters, against one raw reading of the same, in the quickest way that there is."""
    source = f"{HERE}/counters.c"
    plain = compile(CC, "counters_plain", source)
    ours = compile(CC, "counters_fathom", HOOKS, source, *LIBS, "-lfathom-compiler", "-lfathom")
    kernels = ["perf::PAGE-FAULTS", "perf::CPU-MIGRATIONS", "perf::MAJOR-FAULTS", "perf::MINOR-FAULTS"]
    metrics = {"no counter": [], "1 counter": kernels[:1], "4 counters": kernels,
               "1 of the processor": ["perf::INSTRUCTIONS"]}
    ways = {"1 counter": ["read() of 1 perf event"], "4 counters": ["read() of a group of 4"],
            "1 of the processor": ["read() of 1 counter of the processor", "rdpmc of 1 counter of the processor"]}
    works = {name: Work("counters", name, "ns", events=1) for name in metrics}

    def raw():
        found = runner(works["1 counter"], "raw", [plain, "raw"])().output.decode()
        times = {what: float(ns) for what, ns in re.findall(r"^(.*?) +([0-9.]+) ns$", found, re.M)}
        return {name: min(times[way] for way in of if way in times) for name, of in ways.items() if name in works}

    def measured():
        found = {}
        for name, work in works.items():
            wanted = {"FATHOM_METRICS": ",".join(metrics[name])} if metrics[name] else {}
            found[name] = ns_printed(runner(work, "all", [ours], wanted)())
        return found

    def unmeasured():
        return {"no counter": ns_printed(runner(works["no counter"], "plain", [plain])())}
    if subprocess.run([f"{BUILD}/fathom-metrics", "perf::INSTRUCTIONS"], capture_output=True).returncode:
        del works["1 of the processor"]
        bench.lacks("a counter of the processor", "none", "not to be had here")
    try:
        raw(), measured()
    except Failed as error:
        bench.lacks("counters", "none", f"not to be had here: {error}")
        return
    bench.measure_many(works, {"plain": unmeasured, "raw": raw, "all": measured})
    for name in ways:
        if name in works:
            works[name].target("all", "raw", "ratio", 2.2, "issue")


def compression(bench, _):
    """How much smaller profiles get by FATHOM_THREADS: two minutes, and a table of its own on stderr."""
    threads = min(bench.count(1024), 1024)
    done = subprocess.run([f"{BUILD}/test/bench/compression", str(threads)], stdout=sys.stderr, check=False)
    if done.returncode:
        bench.fault(f"compression {threads}: ended with status {done.returncode}")


def scale(bench, _):
    """What writing a profile takes on simulated ranks, and what building the system tree does (doc/internals/scale.md)."""
    ranks = str(max(min(bench.count(65536), 65536), 64))
    work = {("profile_scale", ranks, "2", "4"): r"memory0=(\d+)",
            ("builder_scale", ranks, "homogeneous"): r"bytes_per_rank=(\d+)",
            ("waits_scale", ranks, "20"): r"bytes (\d+),"}
    for (program, *arguments), pattern in work.items():
        name = " ".join([program, *arguments])
        try:
            found = re.search(pattern, run([f"{BUILD}/test/bench/{program}", *arguments]).output.decode())
            bench.fact("scale", name, float(found.group(1)), "bytes")
        except Failed as error:
            bench.fault(f"{name}: {error}")


GROUPS = {"region_calls": region_calls, "traces": traces, **program_groups(PROXIES), "messages": messages, "waits": waits, "repeats": repeats, "hello": hello,
          "shares": shares_of([*REAL, *PROXIES]),
          "epcc": epcc, "defaults": defaults, "counters": counters, "startup": lambda bench, _: startup(bench), "compression": compression,
          "scale": scale, "whatif": whatif_error}


def main():
    wanted = sys.argv[1:] or list(GROUPS)
    for name in wanted:
        if name not in GROUPS:
            raise SystemExit(f"bench: {name}: choose from {', '.join(GROUPS)}")
    out = os.path.abspath(os.environ.get("BENCH_OUT") or "bench")
    os.environ["PATH"] = BUILD + ":" + os.environ["PATH"]
    for name in list(os.environ):
        if name.startswith("FATHOM_"):
            del os.environ[name]        # what somebody likes for other work
    os.environ["FATHOM_OVERHEAD"] = "off"       # the other groups measure what each call costs
    bench = Bench()
    kept = os.environ.get("BENCH_WORK")
    directory = os.path.abspath(kept) if kept else tempfile.mkdtemp()
    os.makedirs(directory, exist_ok=True)
    os.chdir(directory)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        peers = Peers(bench)
        for name in wanted:
            GROUPS[name](bench, peers)
    except KeyboardInterrupt:
        bench.fault("interrupted: the rest is missing")
    finally:
        os.chdir("/")
        shutil.rmtree(directory if not kept else os.path.join(directory, "run"), ignore_errors=True)
    return bench.finish(out)


sys.exit(main())
