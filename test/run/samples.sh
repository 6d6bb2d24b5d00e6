#!/bin/sh
# Programs without hooks, sampled: known shares of their functions, recursion, and MPI and OpenMP that is exact besides.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v "$PYTHON3" > /dev/null || skip "no python3"
FATHOM_SAMPLING=1000
export FATHOM_SAMPLING

cat > work.h <<'C'
/* Takes processor time in proportion to units. */
static volatile double sink;
static inline __attribute__((always_inline)) void burn(long units)
{
	for (long i = 0; i < units; i++)
		sink = sink * 0.5 + (double)i;
}
C
cat > two.c <<'C'
#include "work.h"
__attribute__((noinline)) void twice(long n) { burn(2 * n); }
__attribute__((noinline)) void once(long n) { burn(n); }
__attribute__((noinline)) static void both(long n) { twice(n); once(n); sink += 1; }
int main(void) { for (int i = 0; i < 1500; i++) both(200000); return 0; }
C
cat > recursion.c <<'C'
#include "work.h"
__attribute__((noinline)) long fib(int n)
{
	long a, b;

	burn(40);
	if (n < 2)
		return n;
	a = fib(n - 1);
	b = fib(n - 2);
	return a + b;
}
__attribute__((noinline)) long odd(int n);
__attribute__((noinline)) long even(int n) { burn(20000); return n ? odd(n - 1) + 1 : 0; }
__attribute__((noinline)) long odd(int n) { burn(20000); return n ? even(n - 1) + 1 : 0; }
int main(void)
{
	long sum = fib(33);

	for (int i = 0; i < 1000; i++)
		sum += even(9);
	return sum == 0;
}
C
cat > plugin.c <<'C'
#include "work.h"
__attribute__((noinline)) static void hidden(long n) { burn(n); sink += 1; }
void of_plugin(long n) { hidden(n); sink += 1; }
C
cat > unload.c <<'C'
#include <dlfcn.h>
#include "work.h"
__attribute__((noinline)) void of_program(long n) { burn(n); }
int main(void)
{
	for (int i = 0; i < 4; i++) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		void (*work)(long) = plugin ? (void (*)(long))dlsym(plugin, "of_plugin") : of_program;

		work(40000000);
		if (plugin)
			dlclose(plugin);
		of_program(20000000);
	}
	return 0;
}
C
"$CC" -g -O2 -shared -fPIC plugin.c -o plugin.so || die "cannot build plugin.c"
"$CC" -g -O2 unload.c -o unload -ldl || die "cannot build unload.c"
for program in two recursion; do
	"$CC" -g -O2 -fno-optimize-sibling-calls -fno-ipa-cp -fno-ipa-sra $program.c -o $program || die "cannot build $program.c"
done
# Functions of assembly have no call-frame information; some have no size either. Their symbols say where they begin.
cat > spin.s <<'S'
	.text
	.globl	spin_with_size
	.type	spin_with_size, @function
spin_with_size:
	dec	%rdi
	jnz	spin_with_size
	ret
	.size	spin_with_size, .-spin_with_size
	.globl	spin_label
spin_label:
	nop
.Lagain:
	dec	%rdi
	jnz	.Lagain
	ret
	.section .note.GNU-stack,"",@progbits
S
cat > assembly.c <<'C'
void spin_with_size(long n);
void spin_label(long n);
/* The instruction of such a call does not say where the function begins. */
static void (*volatile functions[])(long n) = { spin_with_size, spin_label };
__attribute__((noinline)) static void calls(long n) { functions[0](2 * n); functions[1](n); __asm__ volatile(""); }
int main(void) { for (int i = 0; i < 60; i++) calls(20000000); return 0; }
C
if [ "$(uname -m)" = x86_64 ]; then "$CC" -g -O1 assembly.c spin.s -o assembly || die "cannot build assembly.c"; fi
cat > samples.py <<'PY'
import json
import math
import subprocess
import sys


class Run:
    def __init__(self, fathom, directory):
        self.report = json.loads(subprocess.check_output([fathom, "report", "--json", directory]))
        self.tree = self.report["call_tree"]
        self.leaf, self.call = {}, {}
        for line in open(directory + "/samples.txt"):
            words = line.split()
            if words[0] in ("leaf", "call"):
                lines = self.leaf if words[0] == "leaf" else self.call
                lines.setdefault((words[2], words[3]), {})[words[4]] = int(words[5]), float(words[6])

    def paths(self, name):
        return [node for node in self.tree if node["name"] == name]

    def outermost(self, name):
        found = []
        for node in self.paths(name):
            at = node["parent"]
            while at is not None and self.tree[at]["name"] != name:
                at = self.tree[at]["parent"]
            if at is None:
                found.append(node)
        return found

    def inclusive(self, name, metric="samples"):
        return sum(node["inclusive"].get(metric, 0) for node in self.outermost(name))

    def check(self):
        attributes, root = self.report["attributes"], self.tree[0]
        assert root["inclusive"]["samples"] == int(attributes["fathom::samples"]), attributes
        assert attributes["fathom::sampled_call_paths"] == "those without visits"
        partial = int(attributes["fathom::samples_partial"])
        assert partial <= 0.001 * int(attributes["fathom::samples"]) + 1, partial
        assert not any(node["name"].startswith(("__libc_start", "_start", "fathom_")) for node in self.tree), self.tree
        for node in self.tree:
            is_sampled = node.get("sampled", False)
            assert is_sampled == (node["inclusive"].get("samples", 0) > 0 and "visits" not in node["exclusive"]), node
        whole = sum(node["exclusive"].get("time", 0) for node in self.tree)
        assert abs(whole - root["inclusive"]["time"]) < 1e-6 * whole, (whole, root)

    def share(self, name, of, expected):
        """name has the expected part of the samples of the others, within 3 sigma; its time has the same part."""
        n, every = self.inclusive(name), sum(map(self.inclusive, of))
        sigma = math.sqrt(every * expected * (1 - expected))
        print("%s: %d of %d samples, expected %.1f, sigma %.1f" % (name, n, every, every * expected, sigma))
        assert abs(n - every * expected) <= 3 * sigma, (name, n, every, sigma)
        time = self.inclusive(name, "time") / sum(self.inclusive(other, "time") for other in of)
        assert abs(time - n / every) < 0.001, (time, n / every)


def two(run):
    run.share("twice", ("twice", "once"), 2 / 3)
    assert [run.tree[node["parent"]]["name"] for node in run.paths("twice")] == ["both"]


def unload(run):
    run.share("of_plugin", ("of_plugin", "of_program"), 2 / 3)


def assembly(run):
    run.share("spin_with_size", ("spin_with_size", "spin_label"), 2 / 3)
    assert [run.tree[node["parent"]]["name"] for node in run.paths("spin_label")] == ["calls"], run.tree
    assert not run.paths("{unknown}"), run.tree
    assert len(run.leaf) <= 4, run.leaf


def golden(run):
    """The two calls of fib in itself, where recursion is folded: by the outermost instance."""
    busiest = max(run.leaf, key=lambda function: sum(n for n, _ in run.leaf[function].values()))
    (first, _), (second, _) = sorted(run.call[busiest].values(), reverse=True)
    ratio, sigma = first / second, first / second * math.sqrt(1 / first + 1 / second)
    print("fib: %d and %d samples, ratio %.3f, sigma %.3f" % (first, second, ratio, sigma))
    assert abs(ratio - (1 + math.sqrt(5)) / 2) <= 3 * sigma, (ratio, sigma)
    assert max(depth(run, node, "fib") for node in run.paths("fib")) == 2


def depth(run, node, *names):
    levels = 0
    while node["name"] in names:
        node, levels = run.tree[node["parent"]], levels + 1
    return levels


def recursion(run):
    assert max(depth(run, node, "even", "odd") for node in run.paths("odd")) == 10
    assert max(depth(run, node, "fib") for node in run.paths("fib")) > 20
    outer = run.inclusive("even")
    assert outer > 0.1 * run.tree[0]["inclusive"]["samples"], outer


run = Run(sys.argv[1], sys.argv[2])
run.check()
globals()[sys.argv[3]](run)
PY
# sampled NAME FUNCTION COMMAND...: runs the command, and checks its experiment
sampled()
{
	name=$1 function=$2
	shift 2
	rm -rf "$name.exp"
	FATHOM_NAME=$name.exp "$@" > out 2> err || { bad "$name: exit $?: $(cat err)"; return; }
	[ -f "$name.exp/samples.txt" ] || { bad "$name: no samples.txt: $(cat err)"; return; }
	"$PYTHON3" samples.py "$FATHOM" "$name.exp" "$function" > said 2>&1 || bad "$name: $(cat said)"
	cat said
	check_profile "$name.exp/profile.cubex"
}
# Samples may be impossible here: without signals of timers, or with another processor.
FATHOM_NAME=try.exp "$FATHOM" run ./two > out 2> err || die "two: exit $?: $(cat err)"
[ -f try.exp/samples.txt ] || skip "no samples: $(cat err)"

sampled two two "$FATHOM" run ./two
# The library of a function is not loaded any more when the run ends.
sampled unload unload "$FATHOM" run ./unload
"$FATHOM" report --flat unload.exp > text || bad "report: exit $?"
contains "a library with debug information" "$(cat text)" ' hidden +plugin.c:2'
# Debug information of a library in a separate file: symbols name its functions, and lines are not read.
objcopy --only-keep-debug plugin.so plugin.so.debug && objcopy --strip-all --add-gnu-debuglink=plugin.so.debug plugin.so ||
	die "objcopy cannot split plugin.so"
sampled split unload "$FATHOM" run ./unload
"$FATHOM" report --flat split.exp > text || bad "report: exit $?"
contains "a library with a separate file" "$(cat text)" ' hidden +plugin.so$'
"$FATHOM" report --lines hidden split.exp > text || bad "report --lines: exit $?"
contains "lines of a library with a separate file" "$(cat text)" 'hidden +plugin.c:2,'
[ ! -e assembly ] || sampled assembly assembly "$FATHOM" run ./assembly
sampled recursion recursion "$FATHOM" run ./recursion
FATHOM_RECURSION=fold sampled folded golden "$FATHOM" run ./recursion

"$FATHOM" report two.exp > text || bad "report: exit $?"
contains "the head" "$(cat text)" '^ *Samples +[0-9,.k]+, 1000 a second \('
contains "the tree" "$(cat text)" ' [0-9.]+ s~ .* - +.*twice'
contains "the footnote" "$(cat text)" '~: estimated by samples'
"$FATHOM" report --samples --flat two.exp > text || bad "report --samples: exit $?"
contains "the list" "$(cat text)" '~ +[0-9,.k]+ +[0-9.]+% +- +- +twice'
"$FATHOM" report --flat --column max_time two.exp > text || bad "report --column: exit $?"
contains "no visit, no maximum" "$(cat text)" '~ +- +- +- +twice'
"$FATHOM" report --callers once two.exp > text || bad "report --callers: exit $?"
contains "callers" "$(cat text)" 'm?s~ .*both'
verdict
