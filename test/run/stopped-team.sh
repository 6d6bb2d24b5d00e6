#!/bin/bash
# A thread that begins and ends teams all the time is stopped for good, also between two steps of that: the trace has each
# record of a team with its counterpart.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
export FATHOM_MODE=trace FATHOM_SNAPSHOT=off FATHOM_NAME=result
for compiler in "$CC" clang; do
	[ "$compiler" = "$CC" ] || have clang || continue
	if ! "$FATHOM" "$compiler" -O1 -g -fopenmp "$srcdir/test/run/endings/stopped_omp.c" -o prog -lpthread 2> build.err; then
		left_out "teams of $compiler: $(tail -1 build.err)"
		continue
	fi
	for i in $(seq 20); do
		rm -rf result
		timeout -s KILL 60 ./prog $((i * 137 + 500)) > out 2> err
		same "$compiler, $i: status" 7 $?
		sound "$compiler, $i" result
	done
done
verdict
