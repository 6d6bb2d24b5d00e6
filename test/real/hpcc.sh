#!/bin/sh
# HPC Challenge, C and MPI: over forty MPI functions, among them millions of MPI_Testany, cancelled
# requests, derived types and operations of its own.
. "${srcdir:?}/test/real/lib.sh"
need_mpi
echo 'void dgemm_(void); int main(void) { dgemm_(); return 0; }' > blas.c
"$MPICC" blas.c -o blas -lblas > /dev/null 2>&1 || skip "no BLAS (Debian: libblas-dev)"
fetch hpcc plain all

# hpcc DIRECTORY COMPILER
hpcc() {
	cat > "$1/hpl/Make.test" <<-MK
	SHELL = /bin/sh
	CD = cd
	CP = cp
	LN_S = ln -s
	MKDIR = mkdir
	RM = /bin/rm -f
	TOUCH = touch
	ARCH = test
	TOPdir = ../../..
	INCdir = \$(TOPdir)/include
	BINdir = \$(TOPdir)/bin/\$(ARCH)
	LIBdir = \$(TOPdir)/lib/\$(ARCH)
	HPLlib = \$(LIBdir)/libhpl.a
	HPL_INCLUDES = -I\$(INCdir) -I\$(INCdir)/\$(ARCH)
	HPL_LIBS = \$(HPLlib) -lblas -lm
	HPL_DEFS = -DAdd__ -DF77_INTEGER=int -DStringSunStyle \$(HPL_INCLUDES)
	CC = $2
	CCNOOPT = \$(HPL_DEFS) -w
	CCFLAGS = \$(HPL_DEFS) -O1 -g -w
	LINKER = $2
	LINKFLAGS =
	ARCHIVER = ar
	ARFLAGS = r
	RANLIB = ranlib
	MK
	build "$1" make arch=test
	# N = 600 on 1 x 2 processes
	sed -E '6s/^[0-9]+/600/; 11s/^[0-9]+/1/; 12s/^[0-9]+/2/' "$1/_hpccinf.txt" > "$1/hpccinf.txt"
}
hpcc plain "$MPICC"
# How often it polls differs from run to run: calls are counted in the measured run.
all_functions hpcc all "$(counting_too "$MPICC")"
build_counter

# What is computed, not how fast. (How many lines say WALL or CPU depends on the times.)
results() { grep -E 'FAILED|^Success=|errors|^\|\|Ax-b' "$1/hpccoutf.txt"; }
FATHOM_MPI=all; export FATHOM_MPI
for kind in plain all; do
	count_mpi=; [ $kind = all ] && count_mpi=yes
	timed "$kind" in_dir $kind mpi ./hpcc > $kind.out 2> $kind.err || bad "$kind: exit code $?"
	same "$kind: results" "$(results plain)" "$(results $kind)"
	same "$kind: said" "$(cat plain.err)" "$(grep -v '^fathom: profile in' $kind.err)"
done
contains "the results" "$(results plain)" "^Success=1"
contains "the results" "$(results plain)" "PASSED"
profile_of all
calls_equal "$profile" all
calls_counted all counts
visits_equal all "$profile" counts
verdict
