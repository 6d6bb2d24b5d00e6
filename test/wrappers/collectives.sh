#!/bin/sh
# Bytes of all collectives; see collectives.c.
. "${srcdir:-.}/test/lib.sh"
need_mpi
for ranks in 1 2 3 4; do
	$MPIRUN -n $ranks "$builddir/test/wrappers/collectives" > out 2>&1
	same "exit code with $ranks ranks" 0 $?
	contains "$ranks ranks" "$(cat out)" '^ok collectives$'
done
verdict
