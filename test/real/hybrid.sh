#!/bin/sh
# HPC Challenge with OpenMP: parallel loops, singles and orphaned loops in the processes of an MPI program.
. "${srcdir:?}/test/real/lib.sh"
. "$srcdir/test/real/hpcc-build.sh" || exit 99
command -v opari2 > /dev/null || skip "no opari2 (Debian: opari2)"
fetch hpcc plain measured

hpcc plain "$MPICC" -fopenmp
hpcc measured "$(with_fathom "$MPICC")" -fopenmp
same "files whose OpenMP is not measured" "" "$(grep '^fathom: ' build-measured.log)"
# The directives of the source, to be compared with what is in the profile.
(cd plain && grep -rn '^#pragma omp' --include='*.c' STREAM FFT RandomAccess src) > directives

export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
for kind in plain measured; do
	timed "$kind" in_dir $kind mpi ./hpcc > $kind.out 2> $kind.err || bad "$kind: exit code $?"
	# How many updates its threads lose to each other is chance, whether they are few enough is not.
	results $kind | sed -E 's/Found [0-9]+ errors/Found some errors/; s/([0-9.e+-]+) +\.{6}/......./' > $kind.results
	same "$kind: results" "$(cat plain.results)" "$(cat $kind.results)"
	same "$kind: said" "$(cat plain.err)" "$(grep -v -e '^fathom: profile in' -e 'after MPI_Finalize' $kind.err)"
done
contains "the results" "$(cat plain.results)" "^Success=1"
contains "the results" "$(cat plain.results)" "PASSED"
profile_of measured
"$builddir/test/run/dump" -s "$profile" > structure
same "locations: two processes of two threads" 4 "$(grep -c '^location' structure)"
same "worker threads" 2 "$(grep -c '^location.*OMP thread 1$' structure)"
"$builddir/test/run/dump" -l visits "$profile" > visits
"$PYTHON3" - visits directives <<'PY' || bad "the profile"
import re, sys
from collections import Counter
lines = {}
for line in open(sys.argv[2]):
    file, number, text = line.rstrip("\n").split(":", 2)
    lines[f"{file.rsplit('/', 1)[1]}:{number}"] = re.sub(r"^#pragma omp ", "", text)
forks, visits, barriers, seen, wrong = Counter(), Counter(), Counter(), set(), []
for line in open(sys.argv[1]):
    value, path = line.split(" ", 1)
    path, location = path.rstrip("\n").rsplit(" @", 1)
    above, last = path.rsplit("/", 1) if "/" in path else ("", path)
    name, _, place = last.partition(" @")
    if not name.startswith("!$omp"):
        continue
    text = lines.get(place)
    kind = name[6:].split(" (")[0]
    if text is None:
        wrong.append(f"no directive there: {last}")
    elif kind not in ("implicit barrier", "fork and join") and not any(word in text for word in kind.split()[:1]):
        wrong.append(f"{last}: there is {text}")
    seen.add(place)
    if kind == "fork and join":
        forks[above, int(location)] += float(value) / 2
    elif kind == "parallel":
        visits[path, int(location)] += float(value)
# A process's first thread has a location, and behind it its worker.
leaders = sorted({location for _, location in forks})
if leaders != [0, 2]:
    wrong.append(f"locations that fork: {leaders}")
for (path, leader), count in forks.items():
    for location in (leader, leader + 1):
        if visits[path, location] != count:
            wrong.append(f"{path}: @{leader} forked {count:g} times, @{location} was there {visits[path, location]:g} times")
# Some are for other sizes and settings.
executed = {place for place in lines if place in seen}
if len(executed) < 20:
    wrong.append(f"only {len(executed)} of {len(lines)} directives in the profile")
for rank in (0, 2):
    if not any(location == rank for _, location in forks):
        wrong.append(f"rank {rank // 2} forks nothing")
sys.exit("\n".join(wrong[:20]) or 0)
PY
# MPI and OpenMP in one tree.
values visits "$profile" > all-visits
contains "the call paths" "$(grep -c 'MPI_' all-visits)" '^[1-9]'
verdict
