"""random_settings SEED RUNS FATHOM DUMP PLAIN PROG [ARGUMENT...]: random settings, valid and not.

PROG is PLAIN with fathom. Each run gives it some settings with random values. It must print and return what PLAIN does,
or refuse with status 2 and one line before main. A profile that it leaves must be readable by DUMP.
The settings, and what is allowed, are those that `FATHOM config` lists. The same seed gives the same runs.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys

SECONDS = 120
BAD = ["", " ", "x", "-1", "0x10", "1e9", "99999999999999999999999", "%n%s%d", "\udcff\udcfe", "y" * 5000, ",", ",,", "../..",
       "off,on", "none,profile", "1 s", "5%%", "\t", "NULL", "=", "a=b", "/", "1.5", "-0", "+1", "1K", "0"]
# The first two of each are always allowed.
TEXTS = {
    "FATHOM_DIR": [".", "new/directory", "/proc/nowhere", "file", "file/below", "/", "with blank", "%s"],
    "FATHOM_NAME": ["mine", "a b", "x" * 200, "x" * 201, ".hidden", "a/b", "..", "%d"],
    "FATHOM_FILTER": ["good.filter", "empty.filter", "bad.filter", "nowhere", "/dev/null", ".", "/dev/zero"],
    "FATHOM_METRICS": ["perf::PAGE-FAULTS", "@memory", "nothing", "perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES", "ru_maxrss", "@"],
    "FATHOM_SYSTEM_TREE": ["machine=m/node=%h", "rack=%{r/2}/node=%h", "node=%{r/2}", "rack=%{r%3}/node=%h", "=", "a=b/c=d", "%{r/0}", "machine", "//"],
    "FATHOM_SNAPSHOT": ["off", "100ms", "1s", "99ms", "./", "nowhere/", "3600s", "3601s"],
    "FATHOM_TRACE_WINDOW": ["0.001:1", "step#1-3", "off", "1:0", "#1", "a#b", ":", "1:", "0.1234567890:1"],
    "FATHOM_TRACE_RING": ["1M", "10s", "off", "1ms", "17M", "0s", "s", "10h", "99999999999s"],
    "FATHOM_OVERHEAD": ["off", "0%", "1%", "100%", "101%", "5"],
    "FATHOM_DRIVER_OPTIONS": ["--verbose", "-x"],
}


def settings_of(fathom):
    """The names, each with the text that says what is allowed."""
    text = subprocess.run([fathom, "config"], stdout=subprocess.PIPE, text=True, check=True).stdout
    parts = re.split(r"^  (FATHOM_[A-Z_]+) .*$", text, flags=re.M)
    return {name: " ".join(said.split()) for name, said in zip(parts[1::2], parts[2::2])}


def good_value(name, said):
    choice = re.search(r"choice: (.*)$", said)
    words = re.search(r"with commas between: (.*)$", said)
    number = re.search(r"(?:number|time) from (\d+)\w* to (\d+)(\w*)", said)
    if name in TEXTS:
        return random.choice(TEXTS[name][:2] if random.random() < 0.7 else TEXTS[name])
    if choice:
        return random.choice(re.split(r", | or ", choice.group(1)))
    if words:
        known = re.split(r", | and ", words.group(1))
        return ",".join(random.sample(known, random.choice([1, 1, 2, 3])))
    if number:
        low, high = int(number.group(1)), int(number.group(2))
        return str(random.choice([low, high, random.randint(low, min(high, max(low, 1000))), random.randint(low, high)])) + number.group(3)
    return random.choice(["1", "early", "10%"])


def value(name, said):
    if random.random() < 0.04:
        return random.choice(BAD)
    return good_value(name, said)


def choose(known):
    chosen = {}
    for name in random.sample(sorted(known), random.choice([1, 2, 3, 4, 6, 9])):
        chosen[name] = value(name, known[name])
    if random.random() < 0.03:
        chosen[random.choice(["FATHOM_MODUS", "FATHOM_", "FATHOM_NODE", "FATHOM_TRACE"])] = "1"
    return chosen


def judge(done, plain, chosen, dump):
    """What is wrong with a run; an empty text: nothing."""
    said = done.stderr.decode(errors="replace").splitlines()
    others = [line for line in said if not line.startswith("fathom: ")]
    if others:
        return "says: " + others[0]
    if done.returncode == 2 and not done.stdout:
        # A counter that this machine does not have was said before.
        refusals = [line for line in said if not re.match("fathom: FATHOM_METRICS: .* the run continues", line)]
        return "" if len(refusals) == 1 else "refuses with %d lines" % len(refusals)
    if (done.returncode, done.stdout) != (plain.returncode, plain.stdout):
        return "status %d, prints %r" % (done.returncode, done.stdout[:200])
    for path in glob.glob("**/*.cubex", recursive=True):
        if subprocess.run([dump, "-s", path], stdout=subprocess.DEVNULL).returncode:
            return path + " cannot be read"
    return ""


def prepare(directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    os.chdir(directory)
    with open("file", "w"):
        pass
    with open("empty.filter", "w"):
        pass
    with open("good.filter", "w") as out:
        out.write("exclude work\n")
    with open("bad.filter", "w") as out:
        out.write("exclude\n???\n")


def main():
    seed, runs, fathom, dump, plain, prog = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:7]
    arguments, known, home = sys.argv[7:], settings_of(fathom), os.getcwd()
    expected = subprocess.run([plain] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    refused = failures = 0

    for run in range(runs):
        random.seed(seed * 1000003 + run)
        chosen = choose(known)
        prepare(os.path.join(home, "run"))
        try:
            done = subprocess.run([prog] + arguments, env={**os.environ, **chosen}, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=SECONDS)
            fault = judge(done, expected, chosen, dump)
            refused += done.returncode == 2
        except subprocess.TimeoutExpired:
            fault = "does not end"
        if fault:
            failures += 1
            print("seed %d, run %d: %s: %s" % (seed, run, fault, " ".join("%s=%r" % item for item in sorted(chosen.items()))))
        os.chdir(home)
    print("%d random settings, %d of them refused, %d failures" % (runs, refused, failures))
    return 1 if failures or refused == runs else 0


if __name__ == "__main__":
    sys.exit(main())
