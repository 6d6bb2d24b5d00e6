# How HPC Challenge is built, and what of its output is a result; for the tests that use it.
need_mpi
echo 'void dgemm_(void); int main(void) { dgemm_(); return 0; }' > blas.c
"$MPICC" blas.c -o blas -lblas > /dev/null 2>&1 || skip "no BLAS (Debian: libblas-dev)"
# hpcc DIRECTORY COMPILER [FLAG]
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
	CCFLAGS = \$(HPL_DEFS) -O1 -g -w ${3:-}
	LINKER = $2
	LINKFLAGS = ${3:-}
	ARCHIVER = ar
	ARFLAGS = r
	RANLIB = ranlib
	MK
	build "$1" make arch=test
	# N = 600 on 1 x 2 processes
	sed -E '6s/^[0-9]+/600/; 11s/^[0-9]+/1/; 12s/^[0-9]+/2/' "$1/_hpccinf.txt" > "$1/hpccinf.txt"
}
# What is computed, not how fast. (How many lines say WALL or CPU depends on the times.)
results() { grep -E 'FAILED|^Success=|errors|^\|\|Ax-b' "$1/hpccoutf.txt"; }
