#!/bin/bash
# Recording switched off while teams, tasks and threads work, requests are open, functions are left by a jump: nothing
# of what is hidden is recorded, all else is, frames are balanced, and the report says how long that was.
. "${srcdir:?}/test/user/lib.sh" || exit 99
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

# right EXPERIMENT RANKS
right() {
	same "$1: what is hidden" 0 "$(values visits "$1/profile.cubex" | grep -c hidden)"
	same "$1: amounts of what is hidden" "" "$(values 'hidden amount' "$1/profile.cubex")"
	same "$1: what is seen" $((20 * $2)) "$(total "$1" seen)"
	same "$1: amounts" $((20 * $2)) "$(values seen_amount "$1/profile.cubex" | awk '{ s += $1 } END { print s + 0 }')"
	same "$1: regions that a jump leaves" $((4 * $2)) "$(total "$1" left)"
	! has_part FATHOM_PHASE_CLUSTERS || same "$1: iterations" $((2 * $2)) "$(total "$1" 'instance=[0-9]+')"
	[ "$(total "$1" 'MEASUREMENT OFF')" -ge $((4 * $2)) ] || bad "$1: only $(total "$1" 'MEASUREMENT OFF') times off"
	"$FATHOM" report "$1" > report || bad "$1: report"
	contains "$1" "$(cat report)" 'Gaps +recording off in all [0-9]+ times, for .* over all threads'
	! grep -E 'was still active|was not active' "$1.err" || bad "$1: regions are not nested"
}

tried=0
for compiler in gcc clang; do
	have "$compiler" || continue
	"$FATHOM" --no-compiler "$compiler" -fopenmp -pthread -O1 -g "$here/gaps.c" -o "gaps-$compiler" 2> err || { left_out "$compiler: no OpenMP"; continue; }
	grep -q 'not be measured' err && { left_out "$compiler: $(cat err)"; continue; }
	tried=$((tried + 1))
	measure "$compiler.exp" "./gaps-$compiler" && right "$compiler.exp" 1
done
[ $tried -gt 0 ] || skip "no compiler with OpenMP"
if have_mpi; then
	"$FATHOM" --no-compiler "$MPICC" -DUSE_MPI -fopenmp -pthread -O1 -g "$here/gaps.c" -o ranks || die "cannot build gaps.c with MPI"
	measure ranks.exp "$MPIRUN" -n 2 ./ranks && right ranks.exp 2
	if [ "$modes" != profile ]; then	# messages need both ends
		same "messages in the trace" "4 4" "$(otf2-print ranks.exp/traces.otf2 | awk '/^MPI_ISEND /{ s++ } /^MPI_IRECV /{ r++ } END { print s + 0, r + 0 }')"
	fi
	FATHOM_NAME=alone.exp FATHOM_MODE=profile "$MPIRUN" -n 2 ./ranks > out 2> alone.exp.err && right alone.exp 2
fi
verdict
