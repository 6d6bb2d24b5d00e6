#!/usr/bin/env python3
"""
Figures of doc/scale.md: the builder of the system tree on simulated ranks, and what the end of a small program costs.

  scale.py simulate OUT-DIRECTORY [LARGEST]   messages, rounds and memory against ranks; writes SVGs
  scale.py finalize                           a hello world on 2 to 64 ranks, plain and measured
"""
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("builddir", ".")
PROGRAM = os.path.join(BUILD, "test/bench/builder_scale")


def simulate_one(ranks, kind, split="chain"):
    out = subprocess.run([PROGRAM, str(ranks), kind, split], check=True, capture_output=True, text=True).stdout
    last = out.strip().splitlines()[-1]
    print(last if split == "chain" else last + " split=comm", flush=True)
    return {key: float(value) for key, value in re.findall(r"(\w+)=([0-9.]+)(?= |$)", last)}


def tick_text(value):
    for size, letter in ((1 << 20, "M"), (1 << 10, "k")):
        if value >= size and value % size == 0:
            return f"{value // size:g} {letter}"
    return f"{value:g}"


def plot(path, title, unit, series, lowest=0):
    """Lines over ranks, which double from one mark to the next."""
    width, height, left, bottom, top = 640, 320, 64, 44, 30
    xs = sorted({x for line in series.values() for x, _ in line})
    most = max(y for line in series.values() for _, y in line) * 1.1
    low, high = math.log2(xs[0]), math.log2(xs[-1])
    colours = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df"]

    def place(x, y):
        return (left + (math.log2(x) - low) / (high - low) * (width - left - 150),
                height - bottom - (y - lowest) / (most - lowest) * (height - bottom - top))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="18" font-weight="bold">{title}</text>']
    for x in xs:
        px, py = place(x, lowest)
        parts.append(f'<text x="{px:.0f}" y="{py + 18:.0f}" text-anchor="middle">{tick_text(x)}</text>')
    parts.append(f'<text x="{left}" y="{height - 8}">ranks</text>')
    for i in range(5):
        y = lowest + (most - lowest) * i / 4
        px, py = place(xs[0], y)
        parts.append(f'<line x1="{px:.0f}" x2="{width - 150}" y1="{py:.0f}" y2="{py:.0f}" stroke="#ddd"/>')
        parts.append(f'<text x="{px - 6:.0f}" y="{py + 4:.0f}" text-anchor="end">{y:.0f}</text>')
    parts.append(f'<text x="{width - 144}" y="{top}">{unit}</text>')
    for number, (name, line) in enumerate(series.items()):
        colour = colours[number % len(colours)]
        points = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{width - 144}" y="{top + 20 + 18 * number}" fill="{colour}">{name}</text>')
    parts.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(parts) + "\n")


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

    plot(os.path.join(directory, "scale-memory.svg"), "Memory of the builder, the most on any rank", "bytes",
         {"1 kind of node": line(regular, "bytes_per_rank"), "2 kinds": line(kinds[2], "bytes_per_rank"),
          "8 kinds": line(kinds[8], "bytes_per_rank")})
    plot(os.path.join(directory, "scale-rounds.svg"), "Messages one after another", "rounds",
         {"chain": line(regular, "rounds"), "chain, ranks in turn": line(cyclic, "rounds"),
          "chain, colliding": line(colliding, "rounds"), "comm": line(comm, "rounds"),
          "5 log2(ranks)": [(size, 5 * math.log2(size)) for size in sizes]})


HELLO = """
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
"""


def finalize():
    mpicc, mpirun = os.environ.get("MPICC", "mpicc"), os.environ.get("MPIRUN", "mpirun")
    libs = os.path.join(BUILD, ".libs")
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "hello.c"), "w") as file:
            file.write(HELLO)
        link = [f"-L{libs}", f"-Wl,-rpath,{libs}", "-Wl,--no-as-needed", "-lfathom-mpi", "-lfathom"]
        subprocess.run([mpicc, "hello.c", "-o", "plain"], cwd=work, check=True)
        subprocess.run([mpicc, "hello.c", "-o", "measured"] + link, cwd=work, check=True)
        for ranks in (2, 4, 8, 16, 32, 64):
            times = {}
            for turn in range(5):       # interleaved: the machine may be busy
                for name, program, split in (("plain", "plain", None), ("chain", "measured", "chain"),
                                             ("comm", "measured", "comm")):
                    environment = dict(os.environ)
                    if split:
                        environment["FATHOM_SYSTEM_SPLIT"] = split
                    begin = time.monotonic()
                    subprocess.run([mpirun, "-n", str(ranks), "./" + program], cwd=work, check=True, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    times.setdefault(name, []).append(time.monotonic() - begin)
            print(f"ranks={ranks} " + " ".join(f"{name}={statistics.median(t):.3f}" for name, t in times.items()),
                  flush=True)


def main():
    if sys.argv[1:2] == ["simulate"] and len(sys.argv) in (3, 4):
        simulate(sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else 1 << 22)
    elif sys.argv[1:] == ["finalize"]:
        finalize()
    else:
        sys.exit(__doc__.strip())


main()
