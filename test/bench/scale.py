#!/usr/bin/env python3
"""
Figures of doc/internals/scale.md: the builder of the system tree on simulated ranks, and what the end of a small program costs.

  scale.py simulate OUT-DIRECTORY [LARGEST]   messages, rounds and memory against ranks; writes SVGs
  scale.py finalize [LARGEST [TURNS]]         a hello world on 2 to 64 ranks: plain, measured, and with the system tree
                                              built by rank 0 alone (gather.c)
"""
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import chart

BUILD = os.environ.get("builddir", ".")
PROGRAM = os.path.join(BUILD, "test/bench/builder_scale")


def simulate_one(ranks, kind, split="chain"):
    out = subprocess.run([PROGRAM, str(ranks), kind, split], check=True, capture_output=True, text=True).stdout
    last = out.strip().splitlines()[-1]
    print(last if split == "chain" else last + " split=comm", flush=True)
    return {key: float(value) for key, value in re.findall(r"(\w+)=([0-9.]+)(?= |$)", last)}


def simulate(directory, largest):
    sizes = [1 << bits for bits in range(10, 40, 2) if 1 << bits <= largest]
    for size in (largest // 2, largest):
        if size not in sizes:
            sizes.append(size)
    sizes.sort()
    regular = {size: simulate_one(size, "homogeneous") for size in sizes}
    small = [size for size in sizes if size <= 1 << 18]
    kinds = {k: {size: simulate_one(size, f"kinds:{k}") for size in small} for k in (2, 8)}
    colliding = {size: simulate_one(size, "adversarial") for size in small}
    comm = {size: simulate_one(size, "homogeneous", "comm") for size in small}
    cyclic = {size: simulate_one(size, "cyclic") for size in small if size <= 1 << 16}
    for size in small:
        if size <= 1 << 16:
            simulate_one(size, "random")

    def line(results, what):
        return [(size, result[what]) for size, result in sorted(results.items())]

    chart.lines(os.path.join(directory, "scale-memory.svg"), "Memory of the builder, the most on any rank", "bytes",
         {"1 kind of node": line(regular, "bytes_per_rank"), "2 kinds": line(kinds[2], "bytes_per_rank"),
          "8 kinds": line(kinds[8], "bytes_per_rank")}, "ranks")
    chart.lines(os.path.join(directory, "scale-rounds.svg"), "Messages one after another", "rounds",
         {"chain": line(regular, "rounds"), "chain, ranks in turn": line(cyclic, "rounds"),
          "chain, colliding": line(colliding, "rounds"), "comm": line(comm, "rounds"),
          "5 log2(ranks)": [(size, 5 * math.log2(size)) for size in sizes]}, "ranks")


HELLO = """
#include <mpi.h>
#include <stdio.h>
#include <time.h>
int main(int argc, char **argv)
{
    struct timespec begin, end;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    MPI_Finalize();
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (rank == 0)
        printf("finalize %.6f\\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
    return 0;
}
"""

NODE_RANKS = 8          # in the system tree of the runs of finalize
VARIANTS = {            # program, what is set
    "plain": ("plain", {}),
    "chain": ("measured", {"FATHOM_SYSTEM_SPLIT": "chain"}),
    "comm": ("measured", {"FATHOM_SYSTEM_SPLIT": "comm"}),
    "gather": ("gather", {"SCALE_BUILD": "gather"}),
}


def compile_hello(work):
    mpicc, source = os.environ.get("MPICC", "mpicc").split(), os.path.abspath(os.environ.get("srcdir", "."))
    libs = os.path.join(os.path.abspath(BUILD), ".libs")
    if not os.path.exists(os.path.join(libs, "libfathom-mpi.so")):
        sys.exit(f"scale.py: {libs}/libfathom-mpi.so is not there: fathom was configured without MPICH")
    with open(os.path.join(work, "hello.c"), "w") as file:
        file.write(HELLO)
    link = [f"-L{libs}", f"-Wl,-rpath,{libs}", "-Wl,--no-as-needed", "-lfathom-mpi", "-lfathom"]
    gather = ["-std=gnu11", "-D_GNU_SOURCE", f"-I{source}/lib", f"{source}/test/bench/gather.c"]
    for program, more in (("plain", []), ("measured", link), ("gather", gather + link)):
        subprocess.run(mpicc + ["-O2", "hello.c", "-o", program] + more, cwd=work, check=True)


def run_hello(work, ranks, program, environment):
    """Seconds of the whole run, and what it printed."""
    mpirun = os.environ.get("MPIRUN", "mpirun").split()
    environment = dict(os.environ, FATHOM_SYSTEM_TREE=f"machine=m/node=n%{{r/{NODE_RANKS}}}", **environment)
    begin = time.monotonic()
    done = subprocess.run(mpirun + ["-n", str(ranks), "./" + program], cwd=work, env=environment,
                          capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode:
        sys.exit(f"scale.py: {program} on {ranks} ranks ended with status {done.returncode}\n{done.stderr}")
    for name in os.listdir(work):
        if name.startswith("fathom-"):
            shutil.rmtree(os.path.join(work, name))
    return seconds, done.stdout


def finalize(most, turns):
    with tempfile.TemporaryDirectory() as work:
        compile_hello(work)
        for ranks in (2 ** bits for bits in range(1, 7)):
            if ranks > most:
                break
            runs, ends = {}, {}
            for turn in range(turns + 1):   # interleaved: the machine may be busy; the first turn is not counted
                for name, (program, environment) in VARIANTS.items():
                    seconds, text = run_hello(work, ranks, program, environment)
                    if turn:
                        runs.setdefault(name, []).append(seconds * 1e3)
                        ends.setdefault(name, []).append(float(re.search(r"finalize ([0-9.]+)", text).group(1)) * 1e3)
            for what, times in (("run_ms", runs), ("finalize_ms", ends)):
                print(f"ranks={ranks} {what} " + " ".join(f"{name}={statistics.median(t):.1f}"
                                                          for name, t in times.items()), flush=True)
            beside = re.search(r"^ranks=.*builder_ms.*$", run_hello(work, ranks, "gather",
                                                                   {"SCALE_BUILD": "beside:21"})[1], re.M)
            if not beside:
                sys.exit("scale.py: the gather did not take the place of fathom_system_build")
            print(beside.group(0), flush=True)


def main():
    if sys.argv[1:2] == ["simulate"] and len(sys.argv) in (3, 4):
        simulate(sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else 1 << 22)
    elif sys.argv[1:2] == ["finalize"] and len(sys.argv) <= 4:
        finalize(*[int(argument) for argument in sys.argv[2:]], *(64, 5)[len(sys.argv) - 2:])
    else:
        sys.exit(__doc__.strip())


main()
