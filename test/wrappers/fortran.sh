#!/bin/sh
# The three Fortran bindings reach the wrappers: one program, three ways to see MPI, the
# same events; linked with the library for mpi_f08, and preloaded.
. "${srcdir:-.}/test/lib.sh"
linked=fathom-mpif08 preloaded=fathom-mpi-preload
if [ "${1:-}" = openmpi ]; then
	use_openmpi
	linked=fathom-mpi-openmpi preloaded=$linked
fi
need_mpi
[ -n "${MPIFC:-}" ] || skip "no MPI Fortran compiler (Debian: libmpich-dev gfortran)"
[ -e "$builddir/lib$linked.la" ] || skip "lib$linked is not built: no MPICH Fortran library"
libs=$builddir/.libs
cc_mpi=$("$MPICC" -show 2>/dev/null | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
$CC -shared -fPIC -std=gnu11 -I"$srcdir/lib" -I"$builddir" $cc_mpi "$srcdir/test/wrappers/standin.c" "$srcdir/lib/comm/binomial_tree.c" \
	-lpthread -o standin.so || die "cannot build the stand-in"

# program BINDING USE INCLUDE LAST-CALLS
program() {
	for type in COMM REQUEST DATATYPE INFO WIN FILE; do
		case $1 in
		f08) word=$(echo "$type" | sed 's/\(.\)\(.*\)/\1\L\2/'); echo "s/@$type@/type(MPI_$word)/" ;;
		*) echo "s/@$type@/integer/" ;;
		esac
	done > words
	{ echo "s/@USE@/$2/"; echo "s/@INCLUDE@/$3/"; echo "s/@WITHOUT_IERROR@/$4/"; } >> words
	sed -f words "$srcdir/test/wrappers/fortran.f90.in" > "$1.f90"
	"$MPIFC" -w -fallow-argument-mismatch "$1.f90" -o "$1.plain" || die "cannot compile $1.f90"
	"$MPIFC" -w -fallow-argument-mismatch "$1.f90" -o "$1.linked" -L"$libs" -Wl,-rpath,"$libs" \
		-Wl,--push-state,--no-as-needed -l$linked -lfathom -Wl,--pop-state || die "cannot link $1"
}
# One more barrier each; in mpi_f08 ierror may be left out.
program mpif '' "  include 'mpif.h'" '  call MPI_Barrier(MPI_COMM_WORLD, ierror)'
program mpi '  use mpi' '' '  call MPI_Barrier(MPI_COMM_WORLD, ierror)'
program f08 '  use mpi_f08' '' '  call MPI_Barrier(MPI_COMM_WORLD)'

# dump PROGRAM PRELOAD: what was recorded, in one order
dump() {
	$MPIRUN -n 2 env FATHOM_MODE=none STANDIN_DUMP=1 LD_PRELOAD="$2" "./$1" > "$1.out" 2> "$1.err"
	same "$1: exit code" 0 $?
	contains "$1" "$(cat "$1.out")" "ok fortran"
	contains "$1" "$(cat "$1.out")" "1 MPI_Waitany 4"
	contains "$1" "$(cat "$1.out")" "0 open 0 faults 0"
	grep -v "ok fortran" "$1.out" | sort
}
dump mpif.linked "$work/standin.so" > want
[ "$(wc -l < want)" -gt 80 ] || bad "mpif.h: only $(wc -l < want) lines recorded: $(cat want)"
for binding in mpi f08; do
	dump $binding.linked "$work/standin.so" > got
	diff want got > difference || bad "$binding records something else than mpif.h: $(head -5 difference)"
done
if [ -e "$libs/lib$preloaded.so" ]; then
	for binding in mpif mpi f08; do
		dump $binding.plain "$work/standin.so $libs/lib$preloaded.so" > got
		diff want got > difference || bad "$binding, preloaded, records something else: $(head -5 difference)"
	done
fi
verdict
