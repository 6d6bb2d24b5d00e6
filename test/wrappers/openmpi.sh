#!/bin/sh
# The wrappers for Open MPI: the programs of the other tests here, with the stand-in; MPI 4 left out where it is not there.
. "${srcdir:-.}/test/lib.sh"
use_openmpi
libs=$builddir/.libs
[ -f "$libs/libfathom-mpi-openmpi.so" ] || skip "built without Open MPI"
export FATHOM_MODE=none

build() {
	"$MPICC" -std=gnu11 -D_GNU_SOURCE -w -g -I"$srcdir/lib" -I"$builddir" "$srcdir/test/wrappers/$1.c" standin.o binomial_tree.o -rdynamic -o "$1" \
		-L"$libs" -Wl,-rpath,"$libs" -Wl,--no-as-needed -lfathom-mpi-openmpi -lfathom -lpthread || die "cannot build $1"
}
for file in test/wrappers/standin.c lib/comm/binomial_tree.c; do
	"$MPICC" -std=gnu11 -D_GNU_SOURCE -g -I"$srcdir/lib" -I"$builddir" -c "$srcdir/$file" || die "cannot compile $file"
done

# run PROGRAM RANKS...
run() {
	program=$1; shift
	build "$program"
	for ranks; do
		$MPIRUN -n "$ranks" "./$program" > out 2>&1
		same "$program: exit code with $ranks ranks" 0 $?
		contains "$program, $ranks ranks" "$(cat out)" "^ok $program\$"
	done
}
run messages 2
run collectives 1 3
run transfers 3
run threads 2
run churn 1

build endings
STANDIN_SAVED=$PWD/saved $MPIRUN -n 2 ./endings abort > out 2>&1
same "abort: exit code" 7 $?
contains "abort" "$(cat saved)" '^saved: MPI_Abort was called$'
STANDIN_GROUPS=6 $MPIRUN -n 2 ./endings off > out 2>&1
same "off: exit code" 0 $?
contains "off" "$(cat out)" '^ok off$'

# It asks for nothing of MPI, so that it can be preloaded into anything.
nm -D --undefined-only "$libs/libfathom-mpi-openmpi.so" | grep -Ei ' (p?mpi|ompi)_' && bad "it asks for MPI"
readelf -d "$libs/libfathom-mpi-openmpi.so" | grep NEEDED | grep -E 'libmpi|open-' && bad "it brings an MPI along"
for program in /bin/true "$PYTHON3 -c pass"; do
	LD_BIND_NOW=1 LD_PRELOAD=$libs/libfathom-mpi-openmpi.so $program > out 2>&1 || bad "$program fails: $(cat out)"
	same "$program, output" "" "$(cat out)"
done
verdict
