#!/bin/bash
# Topologies that the program tells of: in the profile, in fathom report and its JSON, through fathom merge, in traces;
# what is said wrongly has a line each.
. "${srcdir:?}/test/user/lib.sh" || exit 99
command -v opari2 > /dev/null || skip "no opari2 (Debian: opari2), so threads of OpenMP are not measured"
need_part topologies
export OMP_WAIT_POLICY=passive

# carts EXPERIMENT RANKS: the grids, as the file has them
carts() {
	{ echo '<cart name="mesh" ndims="2">'; echo '<dim name="x" size="4" periodic="true"/>'
	  echo '<dim name="y &lt;&amp;&gt;" size="2" periodic="false"/>'
	  for rank in $(seq 0 $(($2 - 1))); do echo "<coord locId=\"$((3 * rank))\">$rank 0</coord>"; done
	  echo '</cart>'; echo '<cart name="cube of threads" ndims="3">'
	  for size in 3 4 2; do echo "<dim size=\"$size\" periodic=\"false\"/>"; done
	  for rank in $(seq 0 $(($2 - 1))); do
		for thread in 0 1 2; do echo "<coord locId=\"$((3 * rank + thread))\">$thread $rank 1</coord>"; done
	  done
	  echo '</cart>'; } > expected
	tar xOf "$1/profile.cubex" anchor.xml | sed -n '/^<topologies>/,/^<\/topologies>/p' | sed '1d;$d' > got
	diff expected got > differences || bad "$1: $(cat differences)"
	check_profile "$1/profile.cubex"
	"$FATHOM" report --system "$1" > report || bad "$1: report --system"
	contains "$1" "$(cat report)" 'Topology mesh: x 4 \(periodic\), y <&> 2; '"$2"' place'
	contains "$1" "$(cat report)" "rank $(($2 - 1)) +thread 2 +2 +$(($2 - 1)) +1"
	"$FATHOM" report --json "$1" | "$PYTHON3" -c '
import json, sys
grids = json.load(sys.stdin)["topologies"]
ranks = int(sys.argv[1])
assert [g["name"] for g in grids] == ["mesh", "cube of threads"], grids
assert grids[0]["dimensions"] == [{"name": "x", "size": 4, "periodic": True}, {"name": "y <&>", "size": 2, "periodic": False}]
assert grids[1]["places"] == [{"rank": r, "thread": t, "at": [t, r, 1]} for r in range(ranks) for t in range(3)]
' "$2" || bad "$1: JSON"
}

said() {
	contains "$1" "$(cat "$1")" 'topology mesh \(topology\.c:[0-9]+\) was defined in another way before: it stays as before'
	contains "$1" "$(cat "$1")" 'topology flat \(topology\.c:[0-9]+\) has 0 dimensions, but 1 to 8 are allowed: it is not recorded'
	contains "$1" "$(cat "$1")" 'topology mesh \(topology\.c:[0-9]+\) has coordinates 0 to 3 in dimension 0, but 4 is given: the position is not recorded'
	contains "$1" "$(cat "$1")" 'topology mesh \(topology\.c:[0-9]+\) has 2 dimensions, but a position has 1 coordinates: the position is not recorded'
	contains "$1" "$(cat "$1")" 'topology nowhere \(topology\.c:[0-9]+\) is not defined, but a position in it is given'
	contains "$1" "$(cat "$1")" 'topology nothing \(topology\.c:[0-9]+\) has no sizes: it is not recorded'
	contains "$1" "$(cat "$1")" 'topology mesh \(topology\.c:[0-9]+\) is given a position without coordinates: the position is not recorded'
	same "$1: lines" 7 "$(grep -c 'topology .*(once)' "$1")"
}

"$FATHOM" --no-compiler "$CC" -fopenmp -O1 -g "$here/topology.c" -o topology || die "cannot build topology.c"
measure serial.exp ./topology
carts serial.exp 1
said serial.exp.err
if [ "$modes" != profile ] && have otf2-print; then
	otf2-print -G serial.exp/traces.otf2 > trace
	same "topologies in the trace" 2 "$(grep -c '^CART_TOPOLOGY' trace)"
	same "places in the trace" 4 "$(grep -c '^CART_COORDINATE' trace)"
fi
if have_mpi; then
	"$FATHOM" --no-compiler "$MPICC" -DUSE_MPI -fopenmp -O1 -g "$here/topology.c" -o ranks || die "cannot build topology.c with MPI"
	measure ranks.exp "$MPIRUN" -n 3 ./ranks
	carts ranks.exp 3
	said ranks.exp.err
	if [ "$modes" != profile ] && have otf2-print; then
		otf2-print -G ranks.exp/traces.otf2 > trace
		contains "processes are those of the world" "$(grep '^CART_TOPOLOGY' trace)" '"mesh".*Communicator: "MPI_COMM_WORLD"'
		same "places of ranks in the trace" 12 "$(grep -c '^CART_COORDINATE' trace)"
	fi
	FATHOM_NAME=left.exp "$MPIRUN" -n 3 ./ranks abort > out 2> err
	if [ -e left.exp/rank-0.cubex ] && [ -e left.exp/rank-1.cubex ] && [ -e left.exp/rank-2.cubex ]; then
		"$FATHOM" merge left.exp > out 2>&1 || bad "merge: $(cat out)"
		carts left.exp 3
	else
		echo "not every rank left a profile: $(ls left.exp)"
	fi
fi
verdict
