"""Runs the programs of the catalogue and checks the first finding of each.

usage: catalogue.py PROGRAM.c...

The head of a program says how it runs ("run: 3 ranks, trace") and what the first finding must be ("first: kind=late
sender, place=prepare, ranks=0, seconds=0.4"; "kind=a|b" allows two), or that there must be no finding ("first: none"). A
size must be right within 20 %; "says=..." is a part of the text. "run" may have settings (FATHOM_IDLENESS=on) and the option --io of the driver. "counter
of modified cache lines": the program needs such a counter of the processor, and is left out on machines without one. Each
program is measured as a profile, or as a trace that fathom analyze searches. A program whose findings are wrong runs
again, at most seven times: other programs on the machine may have disturbed it.
"""
import json
import os
import re
import subprocess
import sys
import time

BUILD = os.environ["builddir"]
MPICC, MPIRUN = os.environ.get("MPICC"), os.environ.get("MPIRUN")

# Counters of accesses to cache lines that another processor has modified (tools/report/findings/cache_findings.c).
CACHE_COUNTERS = ["MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM", "MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD",
                  "MEM_LOAD_UOPS_L3_HIT_RETIRED:XSNP_HITM", "PAPI_CA_ITV"]


def head_of(path):
    head = open(path).read().split("*/")[0]
    fields = dict(re.findall(r"^ \* (run|first): (.*)$", head, re.M))
    run = [word.strip() for word in fields["run"].split(",")]
    first = {}
    for part in re.split(r", (?=[a-z]+=)", fields["first"]) if fields["first"] != "none" else []:
        key, value = part.split("=", 1)
        first[key] = value
    return run, number_of("ranks", run), first


def number_of(what, run):
    return next((int(word.split()[0]) for word in run if word.endswith(what)), 0)


def on_nodes(program, ranks, nodes):
    """A command that gives each node's ranks a host name of their own."""
    each = ranks // nodes
    script = "%s.host.sh" % program
    with open(script, "w") as file:
        file.write("#!/bin/sh\nexec unshare -u sh -c 'hostname node$(($0 / %d)); exec %s' ${PMI_RANK:-$OMPI_COMM_WORLD_RANK}\n"
                   % (each, program))
    os.chmod(script, 0o755)
    return script


def cache_counter():
    """The first of CACHE_COUNTERS that can be counted here; None if there is none."""
    return next((name for name in CACHE_COUNTERS
                 if subprocess.run([BUILD + "/fathom", "metrics", name], capture_output=True).returncode == 0), None)


def measure(program, ranks, mode, settings, folder):
    os.mkdir(folder)
    settings = dict(os.environ, FATHOM_MODE=mode, FATHOM_DIR=os.path.abspath(folder), OMP_WAIT_POLICY="passive", **settings)
    command = [MPIRUN, "-n", str(ranks), program] if ranks else [program]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=60)
    if done.returncode:
        return None, "exit code %d: %s" % (done.returncode, done.stderr)
    names = os.listdir(folder)
    if len(names) != 1:
        return None, "not one experiment directory: %s" % names
    run = os.path.join(folder, names[0])
    if mode == "trace":
        done = subprocess.run([BUILD + "/fathom-analyze", run], capture_output=True, text=True, timeout=60)
        if done.returncode:
            return None, done.stderr
        return run + "/analysis.cubex", ""
    return run + "/profile.cubex", ""


def differences(first, findings):
    """What the findings say differently."""
    if not first:
        return ["expected none, got: " + findings[0]["text"]] if findings else []
    if not findings:
        return ["nothing is said"]
    got, wrong = findings[0], []
    for key in ("kind", "cause", "ranks"):
        if key in first and got.get(key) not in first[key].split("|"):
            wrong.append("%s is '%s', not '%s'" % (key, got.get(key), first[key]))
    if "place" in first and not got["name"].startswith(first["place"]):
        # A call of a library has no place of its own: the text names its caller.
        if first["place"] not in got["text"]:
            wrong.append("place is '%s', not '%s'" % (got["name"], first["place"]))
    if "says" in first and first["says"] not in got["text"]:
        wrong.append("it does not say '%s'" % first["says"])
    if "seconds" in first and abs(got["seconds"] - float(first["seconds"])) > 0.2 * float(first["seconds"]):
        wrong.append("size is %.3f s, not %s s" % (got["seconds"], first["seconds"]))
    return [", ".join(wrong) + ": " + got["text"]] if wrong else []


def check(path):
    name = os.path.basename(path)[:-2]
    run, ranks, first = head_of(path)
    if ranks and not (MPICC and MPIRUN):
        return None
    if number_of("nodes", run) and subprocess.run(["unshare", "-u", "true"], capture_output=True).returncode:
        print("%-24s left out: no host names of its own here" % name)
        return None
    settings = dict(word.split("=") for word in run if "=" in word)
    if "counter of modified cache lines" in run:
        settings["FATHOM_METRICS"] = cache_counter()
        if not settings["FATHOM_METRICS"]:
            print("%-24s left out: no counter of modified cache lines here" % name)
            return None
    source = open(path).read()
    flags = ["-fopenmp"] if "omp.h" in source else ["-pthread"]
    options = [word for word in run if word.startswith("--")]
    command = [BUILD + "/fathom", *options, MPICC if ranks else os.environ.get("CC", "gcc"), "-O1", "-g", *flags, path, "-o", name]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        return ["cannot be built: " + built.stderr]
    program = "./" + name
    if number_of("nodes", run):
        program = on_nodes(program, ranks, number_of("nodes", run))
    return [text for mode in ("trace", "profile") if mode in run for text in try_mode(program, ranks, mode, settings, first)]


def try_mode(program, ranks, mode, settings, first):
    """Other programs on the machine may disturb the sizes, so what is found must be right once."""
    for attempt in range(8):
        time.sleep(0.2 * attempt)
        wrong = measure_and_compare(program, ranks, mode, settings, first, "%s.%s.%d" % (program, mode, attempt))
        if not wrong:
            break
    return wrong


def measure_and_compare(program, ranks, mode, settings, first, folder):
    result, error = measure(program, ranks, mode, settings, folder)
    if not result:
        return ["%s: %s" % (mode, error)]
    report = subprocess.run([BUILD + "/fathom-report", "--json", result], capture_output=True, text=True)
    if report.returncode:
        return ["%s: %s" % (mode, report.stderr)]
    return ["%s: %s" % (mode, text) for text in differences(first, json.loads(report.stdout)["findings"])]


def main():
    count = failed = 0
    for path in sys.argv[1:]:
        wrong = check(path)
        if wrong is None:
            continue
        count += 1
        failed += bool(wrong)
        print("%-24s %s" % (os.path.basename(path)[:-2], "; ".join(wrong) if wrong else "ok"), flush=True)
    print("%d programs, %d wrong" % (count, failed))
    sys.exit(failed > 0)


main()
