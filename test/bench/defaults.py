"""What fathom costs as it is: programs built and run with the word `fathom` and no setting, in pairs with plain."""
import os

from measure import Work
from programs import HERE, build_kinds, runner
from proxies import CXX, MPICC, MPIRUN, PROXIES, Proxy
from real import REAL, RealProgram, equal_results, long_part

# What is measured of the default build: the column, its settings. None removes a setting.
DEFAULT = {"FATHOM_OVERHEAD": None}
WAYS = {"default": DEFAULT, "none": {**DEFAULT, "FATHOM_MODE": "none"},
        "unsampled": {**DEFAULT, "FATHOM_SAMPLING": "off"}, "s.1000": {**DEFAULT, "FATHOM_SAMPLING": "1000"}}


class FiniteElements(Proxy):
    """C++ templates: element matrices, assembly through std::map, conjugate gradients."""

    def compile(self, peers, kinds):
        return build_kinds(CXX, self.name, [f"{HERE}/fem.cc"], peers, kinds)

    def arguments(self, bench, part):
        return [str(max(round(40 * (bench.scale * part) ** 0.3), 4))]


class Tachyon(RealProgram):
    """A ray tracer in C; without MPI."""

    def commands(self, bench, part):
        there = os.path.abspath(self.name)
        size = str(max(round(600 * (bench.scale * part) ** 0.5), 16))
        return self.if_built(lambda kind: [f"{there}/{kind}/compile/linux/tachyon", f"{there}/{kind}/scenes/balls.dat",
                                           "-res", size, size, "-o", "balls.tga"])


# Each program with what its default profile may cost.
PROGRAMS = [(PROXIES[0], 1.02), (FiniteElements("fem", "finite elements"), 1.05), (REAL[0], 1.05), (REAL[1], 1.05),
            (Tachyon("tachyon", "Tachyon"), 1.05), (REAL[2], 1.08), (PROXIES[1], 1.02)]


def launched(program, command):
    """The molecular dynamics run on two ranks."""
    return [*MPIRUN, "-n", "2", *command] if program.name == "md" and MPICC else command


def defaults(bench, peers):
    """Plain and the default profile in turn, by the clock on the wall; results are compared."""
    for program, most in PROGRAMS:
        if not program.build(bench, peers, ("plain", "default")):
            continue
        command = program.commands(bench, long_part(bench, program))
        work = Work("defaults", f"{program.title}, default", "s")
        variants = {"plain": runner(work, "plain", launched(program, command("plain")))}
        variants.update((way, runner(work, way, launched(program, command("default")), settings))
                        for way, settings in WAYS.items())
        # The name of the output file and times are all that Tachyon prints.
        if program.name != "tachyon":
            variants = equal_results(bench, work, variants)
        bench.measure(work, variants, lambda sample: sample.wall)
        work.target("default", "plain", "ratio", most, "issue: cheap by default")
        work.target("none", "plain", "ratio", 1.02, "issue: cheap by default")
        work.target("default", "unsampled", "ratio", 1.005, "issue: samples, 200 a second")
        work.target("s.1000", "unsampled", "ratio", 1.015, "issue: samples, 1000 a second")
