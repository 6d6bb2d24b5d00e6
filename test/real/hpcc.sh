#!/bin/sh
# HPC Challenge, C and MPI: over forty MPI functions, among them millions of MPI_Testany, cancelled
# requests, derived types and operations of its own.
. "${srcdir:?}/test/real/lib.sh"
. "$srcdir/test/real/hpcc-build.sh" || exit 99
fetch hpcc plain all

hpcc plain "$MPICC"
# How often it polls differs from run to run: calls are counted in the measured run.
all_functions hpcc all "$(counting_too "$MPICC")"
build_counter

FATHOM_MPI=all; export FATHOM_MPI
for kind in plain all; do
	count_mpi=; [ $kind = all ] && count_mpi=yes
	timed "$kind" in_dir $kind mpi ./hpcc > $kind.out 2> $kind.err || bad "$kind: exit code $?"
	same "$kind: results" "$(results plain)" "$(results $kind)"
	same "$kind: said" "$(cat plain.err)" "$(grep -v -e '^fathom: profile in' -e 'after MPI_Finalize' $kind.err)"
done
contains "the results" "$(results plain)" "^Success=1"
contains "the results" "$(results plain)" "PASSED"
profile_of all
calls_equal "$profile" all
calls_counted all counts
visits_equal all "$profile" counts
verdict
