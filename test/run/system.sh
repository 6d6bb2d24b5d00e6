#!/bin/bash
# Where processes are: several hosts that FATHOM_SYSTEM_TREE makes of one, in the trace and in the profile.
# Runs alone: up to 8 ranks.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
need_mpi
cat > prog.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" prog.c -o prog $mpilibs || die "cannot build prog.c"
report=$builddir/fathom-report

# measure NAME RANKS [SETTING...]
measure() {
	name=$1 ranks=$2
	shift 2
	env "$@" FATHOM_NAME="$name" "$MPIRUN" -n "$ranks" ./prog > out 2> err || bad "$name: the program fails: $(cat err)"
	same "$name: lines said" 1 "$(lines_said err)"
}

if have otf2-print && [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	for ranks in 1 2 3 5 8; do
		for split in chain comm; do
			name=trace-$ranks-$split
			measure $name $ranks FATHOM_MODE=trace FATHOM_SYSTEM_SPLIT=$split \
				FATHOM_SYSTEM_TREE='machine=X/rack=r%{r/4}/node=n%{r%2}'
			sound $name $name
			# Depth first; ranks in turn over two nodes of each rack.
			otf2-print -G $name/traces.otf2 > defs
			awk '/^SYSTEM_TREE_NODE / { sub(/^[^"]*"/, ""); name = $0; sub(/".*/, "", name); sub(/.*Class: "/, ""); print name, substr($0, 1, index($0, "\"") - 1) }' defs > nodes
			awk -v ranks=$ranks 'BEGIN {
				print "X machine"
				for (rack = 0; rack * 4 < ranks; rack++) {
					print "r" rack, "rack"
					for (node = 0; node < 2 && rack * 4 + node < ranks; node++)
						print "n" node, "node"
				}
			}' > expected
			# A rack of one node less is another kind; which comes first is not said.
			same "$name: nodes" "$(sort expected)" "$(sort nodes)"
			[ $((ranks % 4)) = 0 ] || [ $ranks -lt 4 ] && same "$name: order" "$(cat expected)" "$(cat nodes)"
			awk '/^LOCATION_GROUP / { sub(/.*Parent: "/, ""); sub(/".*/, ""); print }' defs > parents
			same "$name: nodes of processes" "$(for ((r = 0; r < ranks; r++)); do echo node::n$((r % 2)); done)" "$(cat parents)"
			same "$name: numbers" "$(seq 0 $(($(wc -l < nodes) - 1)))" "$(awk '/^SYSTEM_TREE_NODE / { print $2 }' defs)"
		done
	done
fi

# Wrong texts stop the program before it works.
FATHOM_SYSTEM_TREE=rack/node ./prog > out 2> err
same "wrong: exit code" 2 $?
contains "wrong: said" "$(cat err)" 'FATHOM_SYSTEM_TREE=rack/node cannot be used: allowed is up to 12 levels CLASS=NAME'
same "wrong: one line" 1 "$(wc -l < err)"

# Folded.
for ranks in 1 2 8; do
	measure profile-$ranks $ranks FATHOM_SYSTEM_TREE='machine=X/node=n%{r/2}'
	"$report" --system profile-$ranks > folded || bad "report --system fails"
	same "$ranks ranks: processes" $ranks "$(sed -n '1s/.* \([0-9]*\) process\(es\)*,.*/\1/p' folded)"
	nodes=$(((ranks + 1) / 2))
	contains "$ranks ranks: nodes" "$(cat folded)" "^1 machine, $nodes node$([ $nodes -eq 1 ] || echo s), "
	contains "$ranks ranks: the machine" "$(cat folded)" '^machine x1$'
done
"$report" --system --flat profile-8 > out 2> err
same "--system --flat: exit code" 2 $?
contains "--system --flat" "$(cat err)" '--system and --flat: choose one'

# Rank 0 alone, as benchmarks compare with, gives every rank the same numbers; and it gives a profile.
"$MPICC" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$srcdir/lib" -I"$builddir" prog.c "$srcdir/test/bench/gather.c" -o alone \
	$mpilibs -ldl || die "cannot build gather.c"
for tree in 'machine=X/node=n%{r%3}/socket=s' 'machine=X/rack=r%{r/3}/node=n%r'; do
	SCALE_BUILD=beside:1 FATHOM_NAME=beside FATHOM_SYSTEM_TREE=$tree "$MPIRUN" -n 6 ./alone > out 2> err
	contains "$tree: both" "$(cat out err)" '^ranks=6 builder_ms=.* numbers=same$'
	rm -rf beside
done
SCALE_BUILD=gather FATHOM_NAME=gather FATHOM_SYSTEM_TREE='machine=X/node=n%{r%2}' "$MPIRUN" -n 5 ./alone > out 2> err
same "gather: exit code" 0 $?
check_profile gather/profile.cubex
verdict
