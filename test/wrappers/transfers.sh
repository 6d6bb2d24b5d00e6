#!/bin/sh
# Bytes of one-sided and file operations; see transfers.c.
. "${srcdir:-.}/test/lib.sh"
need_mpi
for ranks in 1 3; do
	$MPIRUN -n $ranks "$builddir/test/wrappers/transfers" > out 2>&1
	same "exit code with $ranks ranks" 0 $?
	contains "$ranks ranks" "$(cat out)" '^ok transfers$'
done
verdict
