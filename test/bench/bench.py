#!/usr/bin/env python3
"""make bench: what fathom costs, side by side with what it is compared with.

Each row runs two commands in turn, A B A B ..., and prints the medians of the pairs: the ratio, and the
difference for one event. Processor time where one process works alone, wall-clock time where several do.
Timings are noisy; nothing here passes or fails. Rows whose program or peer is not there are left out,
with a line that says so.
"""
import json, os, re, shutil, statistics, subprocess, sys, tempfile, time

source, build = os.environ["srcdir"], os.environ["builddir"]
pairs = int(os.environ.get("BENCH_PAIRS", "7"))
shorter = os.environ.get("BENCH_SHORTER", "1")  # epcc: by what to divide its repetitions, to see that it works
cc = os.environ.get("CC", "gcc").split()
mpicc, mpirun = os.environ.get("MPICC"), os.environ.get("MPIRUN")
libs = [f"-L{build}/.libs", f"-Wl,-rpath,{build}/.libs", "-Wl,--push-state,--no-as-needed"]
rows = []


def compile(command, output, *arguments):
    subprocess.run([*command, "-O2", "-g", *arguments, "-o", output], check=True)
    return os.path.abspath(output)


def remove_experiments():
    for name in os.listdir("."):
        if name.startswith("fathom-") and os.path.isdir(name):
            shutil.rmtree(name)


def run(command, wall):
    """Seconds of one run, and what it printed."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise SystemExit(f"{' '.join(command)}: ended with status {status}")
    seconds = time.perf_counter() - begin
    remove_experiments()
    return (seconds if wall else usage.ru_utime + usage.ru_stime), text


def row(name, a, b, events=0, wall=False, printed=False, limit="", repeat=pairs):
    """A against B; events: how many a run has; printed: the programs print ns per event themselves."""
    ratios, differences, first, second = [], [], [], []
    run(a, wall), run(b, wall)
    for _ in range(repeat):
        (ta, oa), (tb, ob) = run(a, wall), run(b, wall)
        if printed:
            ta, tb = (float(re.search(r'([0-9.]+) ns', text).group(1)) * 1e-9 for text in (oa, ob))
        first.append(ta), second.append(tb), ratios.append(ta / tb), differences.append(ta - tb)
    scale = 1e9 if printed else 1e9 / events if events else 0
    result = dict(name=name, a=statistics.median(first), b=statistics.median(second), ratio=statistics.median(ratios),
                  ns=statistics.median(differences) * scale if scale else None, limit=limit)
    rows.append(result)
    each = f"{result['ns']:+9.1f} ns" if scale else " " * 12
    unit = 1e9 if printed else 1
    shown = (f"{result['a'] * unit:9.1f} {result['b'] * unit:9.1f} ns" if printed else
             f"{result['a']:9.3f} {result['b']:9.3f} s ")
    print(f"{name:<44} {shown}  {result['ratio']:6.2f}  {each}  {limit}", flush=True)


def region_calls():
    calls = 30_000_000
    program = f"{source}/test/bench/region_calls.c"
    hooks = ["-finstrument-functions"]
    for name, flags in (("limit", []), ("empty", ["-DEMPTY"])):
        compile(cc, f"lib{name}.so", "-shared", "-fPIC", *flags, f"{source}/test/bench/limit.c")
    here = ["-L.", "-Wl,-rpath," + os.getcwd()]
    plain = compile(cc, "calls_plain", program)
    limit = compile(cc, "calls_limit", *hooks, program, *here, "-llimit")
    empty = compile(cc, "calls_empty", *hooks, program, *here, "-lempty")
    ours = compile(cc, "calls_fathom", *hooks, program, *libs, "-lfathom-compiler", "-lfathom")
    row("region calls: fathom / limit", [ours, str(calls)], [limit, str(calls)], calls, limit="<= 1.25")
    row("region calls: fathom / plain", [ours, str(calls)], [plain, str(calls)], calls)
    row("region calls: FATHOM_MODE=none / empty", ["env", "FATHOM_MODE=none", ours, str(calls)],
        [empty, str(calls)], calls)
    if shutil.which("uftrace"):
        few = 1_000_000
        row("region calls: uftrace / limit (1 M)", ["uftrace", "record", "--no-libcall", "-d", "uftrace.data", limit, str(few)],
            [limit, str(few)], few, repeat=3)
        shutil.rmtree("uftrace.data", ignore_errors=True)
    else:
        print("region calls: no uftrace here (Debian: uftrace)")


def start_up():
    with open("true.c", "w") as file:
        file.write("int main(void) { return 0; }\n")
    plain = compile(cc, "true_plain", "true.c")
    ours = compile(cc, "true_fathom", "-finstrument-functions", "true.c", *libs, "-lfathom-compiler", "-lfathom")
    loop = ["sh", "-c", 'i=0; while [ $i -lt 100 ]; do "$0" 2> /dev/null; i=$((i+1)); done']
    row("start and end of an instrumented `true`, 100 x", [*loop, ours], [*loop, plain], 100, wall=True, repeat=3)
    row("the same with FATHOM_MODE=none, 100 x", ["env", "FATHOM_MODE=none", *loop, ours], [*loop, plain], 100,
        wall=True, repeat=3)


def messages():
    for name, ranks, limit in (("pingpong", 2, "<= +45 ns"), ("selfmsg", 1, "<= +150 ns")):
        program = f"{source}/test/bench/{name}.c"
        plain = compile([mpicc], f"{name}_plain", program)
        ours = compile([mpicc], f"{name}_fathom", program, *libs, "-lfathom-mpi", "-lfathom", "-Wl,--pop-state")
        launch = [mpirun, "-n", str(ranks)]
        row(f"{name}: fathom / plain, ns a message", [*launch, ours], [*launch, plain], printed=True, limit=limit)


def traced(what, way, command, other, events, limit, **how):
    """A row of a traced run; its files go away between runs, the file cache stays warm."""
    row(f"{what}, traced / {way}", ["env", "FATHOM_MODE=trace", *command], other, events, limit=limit, **how)


def bytes_of(command, calls):
    """How many bytes of events a call takes."""
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    size = sum(os.path.getsize(os.path.join(path, file)) for path, _, files in os.walk(".") for file in files
               if file.endswith(".evt"))
    remove_experiments()
    return size / calls


def traces():
    """Events written to disk: against the clock readings they need, and against a profile of the same."""
    calls = 10_000_000
    program, hooks = f"{source}/test/bench/region_calls.c", ["-finstrument-functions"]
    compile(cc, "liblimit.so", "-shared", "-fPIC", f"{source}/test/bench/limit.c")
    limit = compile(cc, "calls_limit", *hooks, program, "-L.", "-Wl,-rpath," + os.getcwd(), "-llimit")
    ours = compile(cc, "calls_fathom", *hooks, program, *libs, "-lfathom-compiler", "-lfathom")
    many = [ours, str(calls)]
    traced("region calls", "limit", many, [limit, str(calls)], calls, "<= 2.37")
    for tick, most in (("0ns", 24), ("25ns", 15), ("250ns", 15)):
        size = bytes_of(["env", "FATHOM_MODE=trace", f"FATHOM_TRACE_TICK={tick}", *many], calls)
        print(f"region calls, bytes a call, tick {tick:<12} {size:9.1f} bytes {'':32}  <= {most}")
        rows.append(dict(name=f"bytes a call, tick {tick}", a=size, b=None, ratio=None, ns=None, limit=f"<= {most}"))
    if not (mpicc and mpirun):
        return
    for name, ranks in (("pingpong", 2), ("selfmsg", 1)):
        program = f"{source}/test/bench/{name}.c"
        ours = compile([mpicc], f"{name}_fathom", program, *libs, "-lfathom-mpi", "-lfathom", "-Wl,--pop-state")
        launch = [mpirun, "-n", str(ranks), ours]
        row(f"{name}: traced / profiled, ns a message", ["env", "FATHOM_MODE=trace", *launch], launch, printed=True,
            limit="<= +30 ns")
    plain, ours = hello_programs()
    for ranks in (2, 16, 64):
        traced(f"hello world, {ranks} ranks", "plain", [mpirun, "-n", str(ranks), ours],
               [mpirun, "-n", str(ranks), plain], 0, "", wall=True, repeat=5)


def hello_programs():
    with open("hello.c", "w") as file:
        file.write("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n")
    plain = compile([mpicc], "hello_plain", "hello.c")
    ours = compile([mpicc], "hello_fathom", "-finstrument-functions", "hello.c", *libs, "-lfathom-compiler",
                   "-lfathom-mpi", "-lfathom", "-Wl,--pop-state")
    return plain, ours


def hello():
    plain, ours = hello_programs()
    for ranks in (2, 16, 64):
        row(f"hello world, {ranks} ranks: fathom / plain", [mpirun, "-n", str(ranks), ours],
            [mpirun, "-n", str(ranks), plain], wall=True, limit="<= 1.5" if ranks == 64 else "", repeat=5)


def compression():
    """How much smaller profiles get by FATHOM_THREADS; a table of its own."""
    subprocess.run([f"{build}/test/bench/compression"], check=True)


def epcc_once(program, *arguments, threads=2):
    """What each construct costs, in ns, and the most memory of the process, in KiB."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_DYNAMIC="false", OMP_PROC_BIND="true",
                       OMP_WAIT_POLICY="active" if threads == 2 else "passive")
    process = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                             env=environment)
    if process.returncode:
        raise SystemExit(f"{program}: ended with status {process.returncode}")
    remove_experiments()
    costs = {name: float(ns) for name, ns in map(str.split, process.stdout.splitlines())}
    return costs, costs.pop("memory")


def epcc_pair(names, plain, ours, limits):
    """The constructs of two programs run in turn."""
    runs = [(epcc_once(ours, shorter)[0], epcc_once(plain, shorter)[0]) for _ in range(pairs)]
    for construct in runs[0][0]:
        a, b = (statistics.median(run[which][construct] for run in runs) for which in (0, 1))
        more = statistics.median(run[0][construct] - run[1][construct] for run in runs)
        name, limit = f"{construct}: {names[0]} / {names[1]}, 2 threads", limits.get(construct, "")
        rows.append(dict(name=name, a=a * 1e-9, b=b * 1e-9, ratio=a / b if b > 0 else None, ns=more, limit=limit))
        print(f"{name:<44} {a:9.1f} {b:9.1f} ns  {'':6}  {more:+9.1f} ns  {limit}", flush=True)


def epcc_memory(names, plain, ours):
    """What a thread more takes, with fathom and without."""
    def size(program, threads):
        return statistics.median(epcc_once(program, "1000", "parallel", "for", "critical", threads=threads)[1]
                                 for _ in range(pairs))
    a, b = ((size(program, 8) - size(program, 1)) / 7 for program in (ours, plain))
    name = f"memory of a thread: {names[0]} / {names[1]}"
    rows.append(dict(name=name, a=a, b=b, ratio=None, ns=None, limit=""))
    print(f"{name:<44} {a:9.1f} {b:9.1f} KiB {'':6}  {a - b:+9.1f} KiB")


def epcc():
    """OpenMP constructs: plain against measured through OPARI2 (GCC), and through the runtime system (clang)."""
    program = f"{source}/test/bench/epcc.c"
    limits = {"parallel": "<= +300 ns", "critical": "<= +60 ns", "task": "<= +150 ns"}
    for compiler, way in (("gcc", "POMP2"), ("clang", "OMPT")):
        if not shutil.which(compiler) or compiler == "gcc" and not shutil.which("opari2"):
            print(f"epcc: no {way}: no {compiler}, or no opari2")
            continue
        plain = compile([compiler], f"epcc_{compiler}", "-fopenmp", program)
        # The constructs alone: none of its functions.
        ours = compile([f"{build}/fathom", "--no-compiler", compiler], f"epcc_{way}", "-fopenmp", program)
        epcc_pair((way, compiler), plain, ours, limits)
        epcc_memory((way, compiler), plain, ours)


def main():
    groups = {"region_calls": region_calls, "start_up": start_up, "messages": messages, "hello": hello,
              "traces": traces, "compression": compression, "epcc": epcc}
    wanted = sys.argv[1:] or list(groups)
    for name in wanted:
        if name not in groups:
            raise SystemExit(f"bench: {name}: choose from {', '.join(groups)}")
    os.environ["PATH"] = build + ":" + os.environ["PATH"]
    print(f"{'':<44} {'A':>9} {'B':>9}      A / B  each event    to reach")
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for name in wanted:
            if name in ("messages", "hello") and not (mpicc and mpirun):
                print(f"{name}: no MPI here")
                continue
            groups[name]()
        os.chdir("/")
    if "BENCH_JSON" in os.environ:
        with open(os.environ["BENCH_JSON"], "w") as file:
            json.dump(rows, file, indent=1)


main()
