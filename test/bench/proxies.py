"""Our own small programs that stand for kinds of scientific programs: hydrodynamics in C++, molecular dynamics with MPI."""
import glob
import os

from measure import Work
from programs import HERE, build_kinds, kinds_to_build, runner
from real import Program, equal_results

CXX = os.environ.get("CXX", "g++").split()
MPICC, MPIRUN = os.environ.get("MPICC", "").split(), os.environ.get("MPIRUN", "").split()


class Proxy(Program):
    """Both check their own results, and fail where these are wrong."""

    kinds = {}

    def compile(self, peers, kinds):
        raise NotImplementedError

    def build(self, bench, peers, kinds=()):
        bench.say(f"{self.title}: building")
        self.kinds = self.compile(peers, kinds_to_build(kinds))
        return True

    def has(self, kind):
        return kind in self.kinds

    def arguments(self, bench, part):
        raise NotImplementedError

    def commands(self, bench, part):
        arguments = self.arguments(bench, part)
        return lambda kind: [self.kinds[kind], *arguments] if kind in self.kinds else None


class Hydro(Proxy):
    """C++: very many accessors, which are inline, and small functions for each element."""

    def compile(self, peers, kinds):
        return build_kinds(CXX, self.name, [f"{HERE}/hydro.cc"], peers, kinds)

    traced = 0.02, "a fiftieth"         # a hundred times as many calls as in the others
    all_is_bearable = False

    def arguments(self, bench, part):
        # As many times more elements, and as many times more steps until the shock is where it should be.
        return [str(max(round(16 * (bench.scale * part) ** 0.25), 6))]

    def targets(self, work):
        work.target("profile", "plain", "ratio", 1.02, "design 9: hydrodynamics, default settings")
        work.target("all", "limit", "ratio", 1.25, "design 9: profile")


class MolecularDynamics(Proxy):
    """C with MPI: small functions called from other files, for each atom."""

    def build(self, bench, peers, kinds=()):
        if not MPICC or not MPIRUN:
            bench.lacks("MPI", "mpich libmpich-dev")
            return False
        return super().build(bench, peers, kinds)

    def compile(self, peers, kinds):
        return build_kinds(MPICC, self.name, [*sorted(glob.glob(f"{HERE}/md*.c")), "-lm"], peers, kinds)

    def arguments(self, bench, part):
        return [str(bench.count(100 * part))]

    def targets(self, work):
        work.target("profile", "plain", "ratio", 1.5, "design 9: molecular dynamics, default settings")
        work.target("all", "plain", "ratio", 1.5, "design 9: molecular dynamics, all regions")
        work.target("budget", "plain", "ratio", 1.1, "design 9: molecular dynamics, budget of 5 %")

    def measure_more(self, bench):
        """On two ranks, by the clock on the wall."""
        work, command = Work("real", f"{self.title}, 2 ranks", "s"), self.commands(bench, 1)
        budget = {"FATHOM_OVERHEAD": "5%"}
        ways = {"plain": ("plain", {}), "profile": ("default", {}), "d.budget": ("default", budget), "all": ("all", {}),
                "budget": ("all", budget)}
        variants = {name: runner(work, name, [*MPIRUN, "-n", "2", *command(kind)], environment)
                    for name, (kind, environment) in ways.items() if command(kind)}
        bench.measure(work, equal_results(bench, work, variants), lambda sample: sample.wall)
        self.targets(work)


PROXIES = [Hydro("hydro", "hydrodynamics"), MolecularDynamics("md", "molecular dynamics")]
