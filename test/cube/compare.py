"""Compare what the reader sees in profiles with what others say is in them.

    compare.py examples DUMP FOLDER            FOLDER/*.cubex against *.expected.csv
    compare.py checker  DUMP CHECKER FILE...   against an independent checker
"""
import ast
import glob
import math
import os
import subprocess
import sys

DBL_MAX = sys.float_info.max


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: exit %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()))
    return done.stdout.splitlines()


def table(lines):
    """Last field of each line by the fields before it."""
    return dict(line.rsplit(";", 1) for line in lines)


def number(text):
    return ast.literal_eval(text)


def examples(dump, folder):
    files = sorted(glob.glob(os.path.join(folder, "*.cubex")))
    wrong = 0
    for path in files:
        with open(path.replace(".cubex", ".expected.csv")) as source:
            expected = table(source.read().splitlines()[1:])
        seen = table(run(dump, path))
        for key in sorted(expected.keys() | seen.keys()):
            # a dense member holds rows of zeros, too, which are not listed
            want = number(expected.get(key, "0"))
            if key not in seen or number(seen[key]) != want:
                print("%s: %s: %s instead of %s" % (path, key, seen.get(key), want))
                wrong += 1
        print("%s: %d values compared" % (os.path.basename(path), len(expected)))
    return wrong if files else 1


def same(mine, theirs):
    if theirs == "-":                       # their sign for the neutral element
        return abs(mine) == DBL_MAX
    if theirs.startswith("("):              # a statistics tuple: we show the sum
        theirs = theirs.split(",")[3]
    return math.isclose(mine, float(theirs), rel_tol=1e-12, abs_tol=1e-9)


def check_metric(dump, checker, path, metric, mode):
    """Values of one metric; sums over a subtree may be rounded differently."""
    command = [sys.executable, checker, "--values", metric, "--csv", "--ids", "--call-tree", mode, path]
    if mode == "stored":
        command.append("--bare")
    theirs = table(run(*command)[1:])
    mine = table(run(dump, mode, path, metric))
    wrong = 0
    for key in sorted(theirs.keys() | mine.keys()):
        if key not in theirs or key not in mine or not same(float(mine[key]), theirs[key]):
            print("%s: %s %s, %s: %s instead of %s" % (path, metric, mode, key, mine.get(key), theirs.get(key)))
            wrong += 1
    return len(theirs), wrong


def check_file(dump, checker, path):
    # only metrics with rows: a minimum without any reads differently
    names = list(dict.fromkeys(line.split(";")[0] for line in run(dump, path)))
    compared = wrong = 0
    for metric in dict.fromkeys(names[:3] + names[-1:]):
        for mode in ("stored", "incl", "excl") if metric in names[:2] else ("stored", "incl"):
            one, other = check_metric(dump, checker, path, metric, mode)
            compared, wrong = compared + one, wrong + other
    print("%s: %d values compared, %d differ" % (path, compared, wrong))
    return wrong if compared else 1


def main():
    kind, dump = sys.argv[1:3]
    if kind == "examples":
        wrong = examples(dump, sys.argv[3])
    else:
        wrong = sum(check_file(dump, sys.argv[3], path) for path in sys.argv[4:])
    sys.exit(1 if wrong else 0)


main()
