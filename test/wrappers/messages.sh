#!/bin/sh
# Messages and requests; see messages.c.
. "${srcdir:-.}/test/lib.sh"
need_mpi
for ranks in 2; do
	$MPIRUN -n $ranks "$builddir/test/wrappers/messages" > out 2>&1
	same "exit code with $ranks ranks" 0 $?
	contains "$ranks ranks" "$(cat out)" '^ok messages$'
done
verdict
