#!/bin/sh
# LAMMPS, C++11 and MPI, 250 files: virtual functions, overloads, exceptions; Cartesian communicators.
. "${srcdir:?}/test/real/lib.sh"
need_mpi
[ -n "${MPICXX:-}" ] || skip "no C++ compiler for MPI"
fetch lammps plain all

# lammps DIRECTORY COMPILER
lammps() {
	sed "s#mpicxx#$2#; s/-O3/-O2 -w/" "$1/src/MAKE/Makefile.mpi" > "$1/src/MAKE/MINE/Makefile.test"
	build "$1/src" make -j2 test
}
timed "plain: build" lammps plain "$MPICXX"
timed "fathom: build" lammps all "$(counting_too "$MPICXX")"
build_counter

# Thermodynamics are results; lines with times are not.
masked() { grep -Ev 'time|Time|^(Pair|Neigh|Comm|Output|Modify|Other|Performance|Nlocal|Nghost|Neighs|Histogram) ?|CPU (use|= )|timesteps/s' "$1"; }
FATHOM_MPI=all; export FATHOM_MPI
for kind in plain all; do
	count_mpi=; [ $kind = all ] && count_mpi=yes
	timed "$kind" in_dir $kind/bench mpi ../src/lmp_test -in in.lj > $kind.out 2> $kind.err || bad "$kind: exit code $?"
	same "$kind: output" "$(masked plain.out)" "$(masked $kind.out)"
	same "$kind: said" "$(cat plain.err)" "$(grep -v -e '^fathom: profile in' -e 'after MPI_Finalize' $kind.err)"
done
contains "the output" "$(cat plain.out)" "^ +100 "
profile_of all/bench
calls_equal "$profile" all/bench
calls_counted all counts
visits_equal some "$profile" counts
verdict
