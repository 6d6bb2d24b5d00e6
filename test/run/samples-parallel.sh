#!/bin/bash
# Unmodified MPI and OpenMP programs under fathom run: their functions are sampled below exact MPI calls and constructs.
. "${srcdir:?}/test/lib.sh" || exit 99
command -v "$PYTHON3" > /dev/null || skip "no python3"
export FATHOM_SAMPLING=1000 OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

cat > work.h <<'C'
static volatile double sink;
__attribute__((noinline)) static void work(long n)
{
	double x = 0;

	for (long i = 0; i < n; i++)
		x = x * 0.5 + (double)i;
	sink = x;
}
C
cat > omp.c <<'C'
#include "work.h"
__attribute__((noinline)) void solve(long n)
{
#pragma omp parallel num_threads(2)
	{
		for (int i = 0; i < 10; i++)
			work(n);
	}
}
int main(void)
{
	for (int i = 0; i < 20; i++)
		solve(1000000);
	work(50000000);
	return 0;
}
C
cat > mpi.c <<'C'
#include <mpi.h>
#include "work.h"
__attribute__((noinline)) static void step(long n) { work(n); sink += 1; }
int main(int argc, char **argv)
{
	double one = 1, sum = 0;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < 50; i++) {
		step(5000000);
		MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return sum == 0;
}
C
cat > samples.py <<'PY'
import json
import subprocess
import sys

fathom, directory, kind = sys.argv[1:]
report = json.loads(subprocess.check_output([fathom, "report", "--json", directory]))
tree = report["call_tree"]
for node in tree:       # clones that the compiler made
    node["name"] = node["name"].partition(".constprop")[0].partition(".isra")[0]


def names(node):
    path = []
    while node is not None:
        path.insert(0, tree[node]["name"])
        node = tree[node]["parent"]
    return path


def total(metric, **wanted):
    return sum(node["exclusive"].get(metric, 0) for node in tree if all(node[key] == value for key, value in wanted.items()))


for node in tree:
    path = names(node["id"])
    assert "omp_fn" not in node["name"] and "outlined" not in node["name"], path
    assert not node["name"].startswith(("__libc_start", "_start", "start_thread", "__clone", "clone", "fathom_")), path
    # The runtime's own functions may be sampled before or behind a construct, but they never stand around the program's.
    if node["name"] == "work":
        assert not any(name.startswith(("__kmp_fork", "__kmp_launch", "__kmp_invoke")) for name in path), path
    if "sampled" not in node:
        assert "visits" in node["exclusive"] or node["id"] == 0, path
assert total("samples") == int(report["attributes"]["fathom::samples"])
lines = [line.split() for line in open(directory + "/samples.txt") if line.startswith("leaf")]
in_file = sum(int(words[5]) for words in lines)
elsewhere = sum(node["exclusive"].get("samples", 0) for node in tree if node["name"].startswith(("MPI_", "!$omp")))
assert total("samples") - elsewhere <= in_file <= total("samples"), (in_file, elsewhere, total("samples"))
work = total("time", name="work") / total("time")
print("work: %.3f of the time, %d samples" % (work, total("samples", name="work")))
if kind == "mpi":
    assert total("visits", name="MPI_Allreduce") == 2 * 50
    assert ["step", "work"] == names([n for n in tree if n["name"] == "work"][0]["id"])[-2:]
    assert work + total("time", name="MPI_Allreduce") / total("time") + total("time", name="MPI_Init") / total("time") > 0.8
else:
    parallel = [node for node in tree if node["name"].startswith("!$omp parallel")]
    assert sum(node["exclusive"]["visits"] for node in parallel) == 2 * 20, parallel
    below = [node for node in tree if node["name"] == "work" and names(node["parent"])[-1].startswith("!$omp parallel")]
    assert below and work > 0.8, (below, work)
    serial = [node for node in tree if node["name"] == "work" and names(node["parent"])[-1] == "main"]
    assert serial, [names(node["id"]) for node in tree]
PY
# check NAME KIND: checks the experiment NAME.exp
check()
{
	if [ -f "$1.exp/samples.txt" ]; then
		"$PYTHON3" samples.py "$FATHOM" "$1.exp" "$2" > said 2>&1 || bad "$1: $(cat said; "$FATHOM" report "$1.exp" 2>&1)"
		cat said
		check_profile "$1.exp/profile.cubex"
	else
		bad "$1: no samples: $(cat err)"
	fi
}

llvm=$(ldconfig -p 2> /dev/null | sed -n 's/.*libomp\.so\.5 .*=> //p' | head -1)
tried=
if [ -n "$llvm" ] && [ -f "$builddir/.libs/libfathom-ompt.so" ] && "$CC" -g -O2 -fopenmp omp.c -o gcc-omp 2> err; then
	FATHOM_NAME=gcc-omp.exp "$FATHOM" run --omp-runtime=llvm ./gcc-omp > out 2> err || bad "gcc-omp: exit $?: $(cat err)"
	[ -f gcc-omp.exp/samples.txt ] || skip "no samples: $(cat err)"
	tried=yes
	check gcc-omp openmp
fi
if command -v clang > /dev/null && [ -n "$tried" ] && clang -g -O2 -fopenmp omp.c -o clang-omp 2> err; then
	FATHOM_NAME=clang-omp.exp "$FATHOM" run ./clang-omp > out 2> err || bad "clang-omp: exit $?: $(cat err)"
	check clang-omp openmp
fi
if command -v "$MPICC" > /dev/null && [ -f "$builddir/.libs/libfathom-mpi-preload.so" ] && "$MPICC" -g -O2 mpi.c -o mpi 2> err; then
	FATHOM_NAME=mpi.exp $MPIRUN -n 2 "$FATHOM" run ./mpi > out 2> err || bad "mpi: exit $?: $(cat err)"
	[ -f mpi.exp/samples.txt ] || [ -n "$tried" ] || skip "no samples: $(cat err)"
	tried=yes
	check mpi mpi
fi

# Ranks that end early leave files of their own, which fathom merge adds up.
total() { awk '$1 == "leaf" { samples += $6; seconds += $7 } END { printf "%d %.6f\n", samples, seconds }' "$@"; }
if [ -n "$tried" ] && command -v "$MPICC" > /dev/null && [ -f "$builddir/.libs/libfathom-mpi-preload.so" ]; then
	sed '/MPI_Allreduce/d; s/MPI_Finalize();/_exit(3);/; s/^#include "work.h"/&\n#include <unistd.h>/' mpi.c > early.c
	"$MPICC" -g -O2 early.c -o early || die "cannot build early.c"
	FATHOM_NAME=early.exp $MPIRUN -n 2 "$FATHOM" run ./early > out 2> err
	if [ -f early.exp/rank-0.samples.txt ] && [ -f early.exp/rank-1.samples.txt ]; then
		[ "$(ls early.exp | grep -c samples)" = 2 ] || bad "early: $(ls early.exp)"
		"$FATHOM" merge early.exp > out 2> err || bad "merge: exit $?: $(cat err)"
		same "the sum of all ranks" "$(total early.exp/rank-*.samples.txt)" "$(total early.exp/samples.txt)"
		same "modules of ranks are one" "$(grep '^module' early.exp/rank-0.samples.txt | grep -c early)" \
			"$(grep '^module' early.exp/samples.txt | grep -c early)"
	fi
fi
[ -n "$tried" ] || skip "neither OpenMP nor MPI"
verdict
