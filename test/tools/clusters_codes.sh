#!/bin/bash
# fathom clusters: the kinds of bursts of four small codes (like LU, BT, FT and HydroC) by the work that they say they do. Their
# numbers follow from the loops of the programs and not from times. doc/internals/cluster-cases.md explains them.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
have_mpi || skip "no MPI that works"
clusters=$builddir/fathom-clusters
# kinds WHAT EXPRESSION CODE OPTION...: whether the expression of Python holds; w: (operations, bursts) of all kinds; d: the document.
kinds() {
	local what=$1 is=$2 code=$3
	"$clusters" "$code-trace" --json --metrics operations,cache_lines --least 1ns "${@:4}" > "$code.json" 2> err || bad "$what: exit $?: $(cat err)"
	"$PYTHON3" - "$code.json" "$is" << 'PY' || bad "$what: $is"
import json, sys
d = json.load(open(sys.argv[1]))
w = sorted((round(c["metrics"]["operations"]["mean"]), c["bursts"]) for c in d["clusters"][1:])
if not eval(sys.argv[2]):
    sys.exit(f"{w}, noise {d['clusters'][0]['bursts']}, score {d['sequence_score']}")
PY
}

for code in wavefront adi transpose godunov; do
	"$FATHOM" "$MPICC" -w -O2 -g -DCOUNT_WORK "$srcdir/test/bench/$code.c" -o "$code" -lm > out 2>&1 || bad "$code: $(tail -3 out)"
done
# run CODE STEPS SIZE: makes the trace CODE-trace.
run() { FATHOM_MODE=trace FATHOM_NAME=$1-trace timeout -s KILL 120 "$MPIRUN" -n 4 "./$1" "$2" "$3" > out 2> err || bad "$1: exit $?: $(cat err)"; }
run wavefront 10 16
run adi 20 16
run transpose 10 16
run godunov 30 64

# Planes of the lower and the upper triangle have the same work. At the corners of the grid two bursts are one: no call is between.
kinds "like LU" 'w == [(832, 1250), (1664, 10), (2048, 30), (2880, 10)]' wavefront
# A small eps tells apart by how many sweeps along z are in a burst, which depends on the process; a large one does not.
kinds "like BT, small eps" 'w == [(1024, 4), (2048, 83), (3072, 57), (4096, 21), (5120, 19), (15360, 60), (17408, 20)]' adi --eps 0.05
kinds "like BT, large eps" '[b for o, b in w] == [184, 80]' adi --eps 0.2
# Two kinds of bursts in each step, and one each for the transform at the begin and the first step.
kinds "like FT" 'w == [(33984, 40), (66560, 4), (70656, 36), (104448, 4)] and d["sequence_score"] > .99' transpose
# The Riemann problem has eight amounts of work: a small eps divides it, a large one joins the two forms of the update.
kinds "like HydroC, small eps" 'len(w) == 14 and w[:6] == [(3072, 120), (6144, 120), (6144, 120), (9216, 240), (30720, 240), (92160, 240)]' \
	godunov --min-points 10 --eps 0.0200
kinds "like HydroC, large eps" '[b for o, b in w] == [120, 240, 240, 240, 240, 240]' godunov --min-points 10 --eps 0.0425
kinds "like HydroC, refinement" '[b for o, b in w] == [120, 120, 120, 240, 240, 240, 240]' godunov --min-points 10 --eps 0.0200,0.0425 \
	--method refinement:divisive
kinds "like HydroC, aggregative refinement" 'w[-1][1] == 240' godunov --min-points 10 --eps 0.0200,0.0425 --method refinement
verdict
