"""What fathom takes before main, after it, of memory for a thread, and how large its libraries are."""
import os
import re
import shutil
import subprocess

from measure import Work
from programs import BUILD, CC, HERE, HOOKS, LIBS, compile, runner

THREADS = (1, 8, 64)


def times(bench):
    """From exec to main, and from the end of main until the parent knows, us; page faults; most memory, KiB."""
    plain = compile(CC, "startup_plain", f"{HERE}/startup.c", "-pthread")
    ours = compile(CC, "startup_fathom", HOOKS, f"{HERE}/startup.c", "-pthread", *LIBS, "-lfathom-compiler", "-lfathom")
    works = {key: Work("startup", name, unit) for key, name, unit in (
        ("main", "from exec to main", "us"), ("end", "from the end of main to the end", "us"),
        ("faults", "page faults of a run", ""), ("peak", "memory at most", "KiB"))}
    often = str(bench.count(100))

    def variant(name, program, environment):
        once = runner(works["main"], name, [plain, often, program], environment)

        def found():
            return {key.decode(): float(value) for key, value in re.findall(rb"(\w+) ([0-9.]+)", once().output)}
        return found
    bench.measure_many(works, {"plain": variant("plain", plain, {}),
                               "none": variant("none", ours, {"FATHOM_MODE": "none"}),
                               "profile": variant("profile", ours, {})})
    return plain, ours


def memory(bench, plain):
    """What a thread more takes that calls a few functions: KiB that are the process's own."""
    ours = compile(CC, "threads_fathom", HOOKS, f"{HERE}/startup.c", "-pthread", *LIBS, "-lfathom-compiler",
                   "-lfathom-pthread", "-lfathom")
    works = {count: Work("startup", f"memory with {count} thread{'s' if count > 1 else ''}", "KiB")
             for count in THREADS}
    works["each"] = Work("startup", "memory of a thread", "KiB")

    def variant(name, program, environment):
        runs = {count: runner(works[count], name, [program, "threads", str(count)], environment) for count in THREADS}

        def found():
            kib = {count: float(once().output.split()[0]) for count, once in runs.items()}
            kib["each"] = (kib[THREADS[-1]] - kib[THREADS[0]]) / (THREADS[-1] - THREADS[0])
            return kib
        return found
    bench.measure_many(works, {"plain": variant("plain", plain, {}),
                               "none": variant("none", ours, {"FATHOM_MODE": "none"}),
                               "profile": variant("profile", ours, {}),
                               "trace": variant("trace", ours, {"FATHOM_MODE": "trace"})})


def libraries(bench):
    """Bytes of the libraries that a program has at its start, and what the loader has to write into them."""
    if not shutil.which("size") or not shutil.which("readelf"):
        bench.lacks("size, readelf", "binutils")
        return
    for name in ("fathom", "fathom-compiler", "fathom-pthread", "fathom-mpi"):
        path = f"{BUILD}/.libs/lib{name}.so"
        if not os.path.exists(path):
            continue
        size = subprocess.run(["size", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        text, data = map(int, size.split("\n")[1].split()[:2])
        relocations = subprocess.run(["readelf", "-rW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        bench.fact("startup", f"lib{name}: code and constants", text, "bytes")
        bench.fact("startup", f"lib{name}: data", data, "bytes")
        bench.fact("startup", f"lib{name}: relocations", len(re.findall(r"^[0-9a-f]{8,} ", relocations, re.M)), "")


def startup(bench):
    plain, ours = times(bench)
    memory(bench, plain)
    libraries(bench)
    needed = subprocess.run(["ldd", ours], stdout=subprocess.PIPE, text=True, check=False).stdout
    bench.fact("startup", "libraries that a measured program loads at its start", len(needed.split("\n")) - 1, "")
