#!/bin/bash
# Iterations of phases: kept apart while there are few, joined in clusters where there are many; sums stay exact.
. "${srcdir:?}/test/user/lib.sh" || exit 99
need_part FATHOM_PHASE_CLUSTERS
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

# sums NAME ITERATIONS THREADS: what must be there, however it is spread over clusters
sums() {
	same "$1: iterations" "$2" "$(total "$1" '(instance|cluster)=[0-9]+')"
	same "$1: visits of share" $(($2 * $3)) "$(total "$1" share)"
	same "$1: visits of work" $(($2 * ($3 + 3))) "$(total "$1" work)"
	same "$1: visits of seldom" 2 "$(total "$1" seldom)"
	same "$1: visits of nested" $(($2 * $3 + $2 / 2 * $3)) "$(total "$1" 'nested depth=[01]')"
	same "$1: iterations of the inner phase" $(($2 * 2)) "$(total "$1" inner)"
}

# children NAME: how many iterations or clusters have call paths of their own
children() { values visits "$1/profile.cubex" | grep -cE '/turn/(instance|cluster)=[0-9]+$'; }

tried=0
for compiler in gcc clang; do
	have "$compiler" || continue
	"$FATHOM" --no-compiler "$compiler" -fopenmp -O1 -g "$here/phases.c" -o "phases-$compiler" 2> err || { left_out "$compiler: no OpenMP"; continue; }
	grep -q 'not be measured' err && { left_out "$compiler: $(cat err)"; continue; }
	tried=$((tried + 1))
	for threads in 1 3; do
		name=$compiler-$threads
		measure "$name" "./phases-$compiler" 40 $threads
		sums "$name" 40 $threads
		same "$name: iterations kept apart" 40 "$(children "$name")"
		contains "$name" "$(visits "$name")" '^1 turn/instance=39/seldom$'
		for clusters in 2 5; do
			FATHOM_PHASE_CLUSTERS=$clusters measure "$name-$clusters" "./phases-$compiler" 100 $threads
			sums "$name-$clusters" 100 $threads
			same "$name-$clusters: clusters" $clusters "$(children "$name-$clusters")"
		done
	done
	FATHOM_PHASE_CLUSTERS=1 measure "$compiler-one" "./phases-$compiler" 100 2
	same "$compiler-one: not kept apart" 100 "$(total "$compiler-one" turn)"
	FATHOM_PHASE_CLUSTERS=0 measure "$compiler-all" "./phases-$compiler" 100 2
	same "$compiler-all: all kept apart" 100 "$(children "$compiler-all")"
	sums "$compiler-all" 100 2
	# Other strategies for threads, and folded recursion.
	for setting in FATHOM_THREADS=sum FATHOM_THREADS=calltree FATHOM_CLOCK=monotonic; do
		FATHOM_PHASE_CLUSTERS=5 measure "$compiler-other" env $setting "./phases-$compiler" 100 3
		sums "$compiler-other" 100 3
	done
done
[ $tried -gt 0 ] || skip "no compiler here measures OpenMP"
FATHOM_PHASE_CLUSTERS=257 ./phases-$compiler 1 1 2> err && bad "257 clusters are allowed"
contains "257 clusters" "$(cat err)" 'FATHOM_PHASE_CLUSTERS=257 cannot be used: allowed is a number from 0 to 256'

# Ranks and threads.
if have_mpi; then
	"$FATHOM" --no-compiler "$MPICC" -fopenmp -O1 -g "$examples/phases_mpi.c" -o phases_mpi || bad "phases_mpi.c cannot be built"
	OMP_NUM_THREADS=2 FATHOM_PHASE_CLUSTERS=4 measure mpi "$MPIRUN" -n 2 ./phases_mpi
	same "ranks: iterations" 24 "$(total mpi 'cluster=[0-9]+')"
	same "ranks: share" 48 "$(total mpi share)"
	same "ranks: MPI_Allreduce" 24 "$(total mpi MPI_Allreduce)"
	values visits mpi/profile.cubex | grep -q 'step/cluster=3$' || bad "ranks: fewer than 4 clusters"
fi
verdict
