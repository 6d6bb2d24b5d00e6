"""Programs to be measured: how they are built for fathom and its peers, and run, each in a directory of its own."""
import os
import shutil
import subprocess

from measure import run

SOURCE, BUILD = os.environ.get("srcdir", "."), os.environ.get("builddir", ".")
CC = os.environ.get("CC", "gcc").split()
HERE = os.path.join(SOURCE, "test/bench")
LIBS = [f"-L{BUILD}/.libs", f"-Wl,-rpath,{BUILD}/.libs", "-Wl,--push-state,--no-as-needed"]
HOOKS = "-finstrument-functions"
DRIVER = f"{BUILD}/fathom"

# BENCH_KINDS: only these of the ways to build real programs and proxies; all where it is empty.
KINDS = os.environ.get("BENCH_KINDS", "").split()

# How fathom builds: by default, every function however small, and with hooks put in early.
EARLY = {"FATHOM_INSTRUMENT_HOOKS": "early"}


def compile(command, output, *arguments, environment=None):
    done = subprocess.run([*command, "-O2", "-g", *arguments, "-o", output],
                          env=dict(os.environ, **(environment or {})), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench: {' '.join([*command, *arguments])}: ended with status {done.returncode}\n"
                         f"{done.stdout}")
    return os.path.abspath(output)


def kinds_to_build(kinds=()):
    """Of these kinds, or of all, the ones that BENCH_KINDS names; plain is always built. Empty: all there are."""
    if not KINDS:
        return tuple(kinds)
    return ("plain", *(kind for kind in KINDS if kind != "plain" and (not kinds or kind in kinds)))


def build_hooks():
    """libraries with hooks that only read the clock, and that do nothing: what links them."""
    for name, flags in (("limit", []), ("empty", ["-DEMPTY"])):
        if not os.path.exists(f"lib{name}.so"):
            compile(CC, f"lib{name}.so", "-shared", "-fPIC", *flags, f"{HERE}/limit.c")
    return {name: ["-L" + os.getcwd(), "-Wl,-rpath," + os.getcwd(), "-l" + name] for name in ("limit", "empty")}


def build_kinds(compiler, name, sources, peers, kinds=None):
    """The program in all ways, or those: kind to path; with gcc -pg only if a peer wants that."""
    hooks = build_hooks()
    ways = {"plain": (compiler, [], {}), "limit": (compiler, [HOOKS, *hooks["limit"]], {}),
            "empty": (compiler, [HOOKS, *hooks["empty"]], {})}
    ways.update((kind, ([DRIVER, *compiler], [], settings)) for kind, settings in fathom_kinds().items())
    if peers.found & {"gprof", "uftrace"}:
        ways["pg"] = ([*compiler, "-pg"], [], {})
    return {kind: compile(command, f"{name}_{kind}", *sources, *words, environment=settings)
            for kind, (command, words, settings) in ways.items() if not kinds or kind in kinds}


class Peers:
    """Which there are; those that are missing are noted, with the package that has them."""

    def __init__(self, bench):
        self.found = set()
        with open("try.c", "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        self._try(bench, "gprof", "libc6-dev gcc", [*CC, "-pg", "try.c", "-o", "try"], CC[0])
        self._try(bench, "perf", "linux-perf", ["perf", "record", "-q", "-o", "try.perf", "true"])
        self._try(bench, "callgrind", "valgrind", ["valgrind", "--tool=none", "-q", "true"], "valgrind")
        self._try(bench, "uftrace", "uftrace", ["uftrace", "record", "-d", "try.uftrace", os.path.abspath("try")])

    def _try(self, bench, name, package, command, program=None):
        if not shutil.which(program or name):
            bench.lacks(name, package)
            return
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            bench.lacks(name, package, "does not work here: " + (done.stderr.strip().split("\n") or ["?"])[-1])
        else:
            self.found.add(name)

    def commands(self, plain, pg):
        """Of the peers that are there: what to run; pg is None where nothing was built with gcc -pg."""
        ways = {"gprof": pg, "perf": ["perf", "record", "-q", "-o", "perf.data", *plain],
                "callgrind": ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=callgrind.out", *plain],
                "uftrace": pg and ["uftrace", "record", "--no-libcall", "-d", "uftrace.data", *pg]}
        return {name: command for name, command in ways.items() if command and name in self.found}


def runner(work, name, command, environment=None):
    """A function that runs the variant in an empty directory; what it wrote stays until the next time."""
    directory = os.path.abspath(f"run/{work.name}/{name}".replace(",", "").replace(" ", "-"))

    def once():
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        return run(command, directory, environment)
    once.name, once.command, once.environment, once.directory = name, command, environment, directory
    return once


def fathom_kinds():
    """What fathom builds, by the name of the kind: the settings for it."""
    with open("every-function", "w", encoding="utf-8") as file:
        file.write("include *\n")
    every = {"FATHOM_INSTRUMENT_MIN_INSNS": "0", "FATHOM_INSTRUMENT_CALLS": "all",
             "FATHOM_DRIVER_OPTIONS": f"--filter={os.path.abspath('every-function')}"}
    return {"default": {}, "all": every, "early": EARLY, "early-all": {**EARLY, **every}}


def fathom_variants(work, command):
    """Fathom's own, of the four kinds above: command gives what to run for a kind, None where that was not built."""
    off, budget, filtered = {"FATHOM_PATCH": "off"}, {"FATHOM_OVERHEAD": "5%"}, {"FATHOM_FILTER": write_filter()}
    ways = {"none": ("all", {"FATHOM_MODE": "none"}), "profile": ("default", {}), "d.budget": ("default", budget),
            "all": ("all", {}), "budget": ("all", budget), "b.hooks": ("all", {**budget, **off}),
            "filter": ("all", filtered), "f.hooks": ("all", {**filtered, **off}),
            "e.profile": ("early", {}), "ed.budget": ("early", budget), "e.all": ("early-all", {}),
            "e.budget": ("early-all", budget)}
    return {name: runner(work, name, command(kind), environment) for name, (kind, environment) in ways.items()
            if command(kind)}


def write_filter():
    """Rules that leave out all but main."""
    with open("all-but-main", "w", encoding="utf-8") as file:
        file.write("exclude *\ninclude main\n")
    return os.path.abspath("all-but-main")
