"""How far fathom whatif is from the measured time when it replays a trace on the machine of the run, for several programs.

Each program runs as it is, under `fathom run`, so that its trace has MPI calls only. Traces of Score-P are replayed if
they are there. The times are without MPI_Init, which is not predicted. Nothing of the model is chosen by program.
"""
import json
import os
import shlex
import shutil
import subprocess
import time

from measure import Failed, Work, run
from programs import BUILD, DRIVER, HERE, SOURCE, compile, runner

GROUP = "what-if"
MOST = 10                               # per cent
DATA = f"{SOURCE}/../shared/data"
MPICC, MPIRUN = shlex.split(os.environ.get("MPICC", "")), shlex.split(os.environ.get("MPIRUN", ""))


def replay(trace):
    """The measured and the replayed time, s, and the error in per cent, positive if the replay takes longer."""
    study = json.loads(run([f"{BUILD}/fathom-whatif", "--json", trace]).output)
    seconds = {name: study[name]["seconds"] - study[name]["mpi_init_seconds"] for name in ("measured", "replayed")}
    return seconds["measured"], seconds["replayed"], 100 * study["error"]


def compare(bench, title, found, rounds):
    """Notes measured and replayed times, and the error without its sign: found returns what replay does."""
    times, error = Work(GROUP, title, "s"), Work(GROUP, f"{title}: error", "%")
    begin, errors = time.monotonic(), []
    while len(errors) < rounds and (not errors or time.monotonic() - begin < bench.patience):
        measured, replayed, percent = found()
        times.values.setdefault("measured", []).append(measured)
        times.values.setdefault("replayed", []).append(replayed)
        error.values.setdefault("replayed", []).append(abs(percent))
        errors.append(percent)
    times.remarks.append("replay - run: " + ", ".join(f"{percent:+.1f}" for percent in errors) + " %")
    bench.works += [times, error]
    bench.say(f"{title}: {times.remarks[0]}")
    error.target("replayed", None, "value", MOST, "issue: replay within 10 % of the measured time")


def programs(bench):
    """Title, number of processes, and the command of each program that is here."""
    steps = {name: str(max(bench.count(100), 5)) for name in ("wavefront", "adi", "md")}
    yield "heat, 2 ranks", 2, [compile(MPICC, "whatif_heat", f"{SOURCE}/examples/heat.c", "-lm")]
    for name, words in (("wavefront", ["48"]), ("adi", ["48"])):
        program = compile([*MPICC, "-w"], f"whatif_{name}", f"{HERE}/{name}.c", "-lm")
        yield f"{name}, 2 ranks", 2, [program, steps[name], *words]
    sources = [f"{HERE}/{name}.c" for name in ("md", "md_cells", "md_force", "md_halo")]
    yield "md, 2 ranks", 2, [compile(MPICC, "whatif_md", *sources, "-lm"), steps["md"], "12"]
    if bench.scale < 1:
        return
    yield "heat, 4 ranks", 4, [os.path.abspath("whatif_heat")]
    ping_pong = shutil.which("NPmpich2")
    if ping_pong:
        yield "NetPIPE, 2 ranks", 2, [ping_pong, "-u", "20000", "-n", "400", "-o", "np.out"]
    else:
        bench.lacks("NetPIPE", "netpipe-mpich2")
    picture = ["scenes/balls.dat", "-res", "2048", "2048", "-o", "out.tga"]
    for name, command, words in (("tachyon", "compile/linux-mpi/tachyon", picture), ("hpcc", "hpcc", [])):
        done = subprocess.run(["sh", f"{HERE}/mpi_program.sh", name, os.getcwd()], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            bench.lacks(name, "its source", (done.stdout.strip().split("\n") or ["?"])[-1])
            continue
        words = [os.path.abspath(f"{name}/{word}") if "/" in word else word for word in words]
        yield f"{name}, 2 ranks", 2, [os.path.abspath(f"{name}/{command}"), *words]


def record(title, ranks, command):
    """A function that runs the program, traced, and replays the trace."""
    inputs = os.path.join(os.path.dirname(command[0]), "hpccinf.txt")
    launch = [*MPIRUN, "-n", str(ranks), DRIVER, "run"]
    settings = {"FATHOM_MODE": "trace", "FATHOM_DIR": os.getcwd(), "FATHOM_NAME": "replayed-trace",
                "FATHOM_SAMPLING": "off"}
    if os.path.exists(inputs):          # HPCC reads it in the directory where it runs
        launch += ["sh", "-c", f'cp {shlex.quote(inputs)} . && exec "$0" "$@"']
    once = runner(Work(GROUP, title, "s"), "traced", [*launch, *command], settings)

    def found():
        shutil.rmtree("replayed-trace", ignore_errors=True)
        once()
        try:
            return replay("replayed-trace")
        finally:
            shutil.rmtree("replayed-trace", ignore_errors=True)
    return found


def whatif_error(bench, _):
    """Every program is measured and replayed."""
    if not MPICC or not MPIRUN:
        bench.lacks("MPI", "mpich libmpich-dev")
        return
    for title, ranks, command in programs(bench):
        try:
            compare(bench, title, record(title, ranks, command), bench.rounds)
        except Failed as error:
            bench.fault(f"{title}: {error}")
    for name, title in (("lulesh", "LULESH of Score-P, 8 ranks"), ("mix", "mix of Score-P")):
        if os.path.exists(f"{DATA}/{name}-trace/traces.otf2"):
            compare(bench, title, lambda name=name: replay(f"{DATA}/{name}-trace"), 1)
