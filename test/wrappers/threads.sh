#!/bin/sh
# Several threads in MPI; see threads.c.
. "${srcdir:-.}/test/lib.sh"
need_mpi
for ranks in 2; do
	$MPIRUN -n $ranks "$builddir/test/wrappers/threads" > out 2>&1
	same "exit code with $ranks ranks" 0 $?
	contains "$ranks ranks" "$(cat out)" '^ok threads$'
done
verdict
