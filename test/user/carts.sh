#!/bin/bash
# Cartesian communicators: in the profile as topologies, each once, with its members; in traces as ever; of ranks that
# ended early through fathom merge.
# Runs alone: up to 6 ranks.
. "${srcdir:?}/test/user/lib.sh" || exit 99
need_part topologies
[ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ] || skip "no MPI"

# carts EXPERIMENT: its topologies are those that carts.c makes with 6 ranks
carts() {
	check_profile "$1/profile.cubex"
	"$FATHOM" report --json "$1" > report.json || bad "$1: report"
	"$PYTHON3" - "$1" <<'P' || bad "$1: topologies"
import json, sys
grids = {g["name"]: g for g in json.load(open("report.json"))["topologies"]}
def grid(name, sizes, periodic, ranks):
    g = grids.pop(name)
    assert [(d["size"], d["periodic"]) for d in g["dimensions"]] == list(zip(sizes, map(bool, periodic))), g
    places = {}
    for index, rank in enumerate(ranks):
        at, rest = [], index
        for size in reversed(sizes):
            at.insert(0, rest % size)
            rest //= size
        places[rank] = at
    assert {p["rank"]: p["at"] for p in g["places"]} == places, (g, places)
    assert len(g["places"]) == len(places) and not any(p["thread"] for p in g["places"]), g
grid("MPI_Cartesian_3x2", (3, 2), (1, 0), range(6))
for row in range(3):
    grid(f"MPI_Cartesian_2 (ranks {2 * row}, {2 * row + 1})", (2,), (0,), (2 * row, 2 * row + 1))
for column in range(2):
    grid(f"columns (ranks {column}, {column + 2}, ...)", (3,), (1,), (column, column + 2, column + 4))
grid("part <&> (ranks 0-3)", (2, 2), (0, 1), range(4))
grid("MPI_Cartesian_6", (6,), (1,), range(6))
assert not grids, grids
P
}

"$FATHOM" --no-compiler "$MPICC" -g "$here/carts.c" -o carts || die "cannot build carts.c"
measure all.exp "$MPIRUN" -n 6 ./carts
carts all.exp
"$FATHOM" report --system all.exp > report || bad "report --system"
contains "report --system" "$(cat report)" 'Topology part <&> \(ranks 0-3\): 2, 2 \(periodic\); 4 places'
lacks() { case $2 in *"$3"*) bad "$1 says: $3" ;; esac; }
lacks "few grids" "$(cat all.exp.err)" largest

FATHOM_NAME=many.exp "$MPIRUN" -n 6 ./carts many > out 2> err || bad "many: $(cat err)"
check_profile many.exp/profile.cubex
contains "many grids" "$(cat err)" 'the profile has only the 64 largest of the Cartesian communicators as topologies'
"$FATHOM" report --json many.exp | "$PYTHON3" -c '
import json, sys
grids = json.load(sys.stdin)["topologies"]
assert len(grids) == 64 and len({g["name"] for g in grids}) == 64, [g["name"] for g in grids]
for g in grids:
    assert len(g["places"]) == 6 and len({tuple(p["at"]) for p in g["places"]}) == 6, g
' || bad "many grids in the JSON"

FATHOM_NAME=left.exp "$MPIRUN" -n 6 ./carts abort > out 2> err
if [ "$(ls left.exp/rank-?.cubex 2> ls.err | wc -l)" = 6 ]; then
	"$FATHOM" merge left.exp > out 2>&1 || bad "merge: $(cat out)"
	carts left.exp
else
	echo "not every rank left a profile: $(ls left.exp)"
fi
verdict
