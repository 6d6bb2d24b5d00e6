#!/bin/sh
# Communicators and requests come and go, memory stays; see churn.c.
. "${srcdir:-.}/test/lib.sh"
need_mpi
for ranks in 1; do
	$MPIRUN -n $ranks "$builddir/test/wrappers/churn" > out 2>&1
	same "exit code with $ranks ranks" 0 $?
	contains "$ranks ranks" "$(cat out)" '^ok churn$'
done
verdict
