#!/bin/sh
# MPI calls reach the wrappers however a program comes to its MPI: wrapper compilers of each
# language, -lmpich by hand, a library that alone calls MPI, and a program built without fathom.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
library=fathom-mpi choice=--mpi=on
if [ "${1:-}" = openmpi ]; then
	use_openmpi
	library=fathom-mpi-openmpi choice=--mpi=openmpi
fi
need_mpi
[ -f "$libraries/lib$library.so" ] || skip "built without this MPI"
[ -x "$builddir/test/run/dump" ] || skip "test/run/dump not built"
unset FATHOM_MODE

# seen WHAT PATTERN...: a run of ./prog with 2 ranks prints 3 and has these call paths, each twice
seen() {
	what=$1; shift
	rm -rf fathom-*
	same "$what: output" 3 "$("$MPIRUN" -n 2 $run ./prog 2> err | tr -d ' ')"
	dir=$(experiment) || { bad "$what: $(cat err)"; return; }
	values visits "$dir/profile.cubex" > visits
	for pattern; do
		grep -Eq "^2 .*$pattern\$" visits || bad "$what: no $pattern in $(cat visits)"
	done
}
run=
cat > prog.c <<'EOF'
#include <mpi.h>
#include <stdio.h>
int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
#ifdef LIBRARY
int total(int mine);
void start(void);
void stop(void);
#else
#define total sum
#endif
#if !defined(LIBRARY) || defined(INSIDE)
static int sum(int mine) { int all; MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); return all; }
#endif
#ifdef INSIDE
int total(int mine) { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); return rank ? sum(mine) * 0 : sum(mine); }
void start(void) { MPI_Init(NULL, NULL); }
void stop(void) { MPI_Finalize(); }
#elif defined(LIBRARY)
int main(void) { start(); int all = total(work(3) / 2); if (all) printf("%d\n", all + (work(2) == 1)); stop(); return 0; }
#else
int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	int all = total(work(3) / 2) + (work(2) == 1); if (rank == 0) printf("%d\n", all); MPI_Finalize(); return 0; }
#endif
EOF

"$FATHOM" "$MPICC" -g -O1 prog.c -o prog || bad "mpicc"
# shellcheck disable=SC2086
seen "mpicc" /main/MPI_Init /main/MPI_Finalize /main/sum/MPI_Allreduce
"$FATHOM" "$MPICC" -g -O1 -c prog.c && "$FATHOM" "$MPICC" prog.o -o prog || bad "mpicc -c"
seen "mpicc, two steps" /main/MPI_Init /main/sum/MPI_Allreduce
if [ -n "${MPICXX:-}" ] && sed 's/NULL, NULL/0, 0/' prog.c > prog.cc && "$MPICXX" prog.cc -o plain 2> /dev/null; then
	"$FATHOM" "$MPICXX" -g -O1 prog.cc -o prog || bad "mpicxx"
	seen "mpicxx" '/main/sum[^/]*/MPI_Allreduce' /main/MPI_Finalize
fi
"$FATHOM" --no-compiler "$MPICC" -g -O1 prog.c -o prog || bad "--no-compiler"
seen "--no-compiler" 'prog/MPI_Init' 'prog/MPI_Allreduce'
! grep -q main visits || bad "--no-compiler: functions were measured"

# By hand, with plain gcc; and with the library in front of the objects.
words=$("$MPICC" -show | sed "s/-Wl,[^ ]*//g" | tr ' ' '\n' | grep -E '^-[ILl]')
# shellcheck disable=SC2086
"$FATHOM" gcc -g -O1 prog.c -o prog $words && seen "gcc -lmpich" /main/MPI_Init /main/sum/MPI_Allreduce
# shellcheck disable=SC2086
"$FATHOM" --mpi=off gcc -g -O1 prog.c -o prog $words && rm -rf fathom-* && "$MPIRUN" -n 1 ./prog > out 2> err
! readelf -dW prog | grep -q fathom-mpi || bad "--mpi=off: linked all the same"

# Only a library calls MPI: the program's own objects would not keep the wrappers (--as-needed).
"$MPICC" -g -O1 -DLIBRARY -DINSIDE -fPIC -shared prog.c -o libinside.so
for link in "$MPICC" "$choice gcc"; do
	# shellcheck disable=SC2046,SC2086
	"$FATHOM" $link -g -O1 -DLIBRARY $(printf '%s\n' "$words" | grep '^-I') prog.c -o prog ./libinside.so -Wl,-rpath,"$work" || bad "$link: library"
	rm -rf fathom-*; same "$link: library: output" 3 "$("$MPIRUN" -n 2 ./prog 2> err)"
	dir=$(experiment) && contains "$link: library" "$(values visits "$dir/profile.cubex")" '^2 .*/main/MPI_Allreduce$'
done

# Built without fathom.
"$MPICC" -g -O1 prog.c -o prog; run="$FATHOM run"
seen "fathom run" 'prog/MPI_Init' 'prog/MPI_Allreduce' 'prog/MPI_Finalize'
run=

if [ -n "${MPIFC:-}" ]; then
	for use in mpi mpi_f08; do
		case $use in mpi) e=", ierr" i=ierr ;; *) e= i= ;; esac
		cat > prog.f90 <<EOF
program hello
  use $use
  integer :: rank, mine, all, ierr
  call MPI_Init($i)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank$e)
  mine = rank + 1
  call MPI_Allreduce(mine, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD$e)
  call MPI_Barrier(MPI_COMM_WORLD$e)
  if (rank == 0) print *, all
  call MPI_Finalize($i)
end program
EOF
		"$MPIFC" prog.f90 -o prog 2> /dev/null || continue
		[ $use = mpi ] || [ -f "$libraries/libfathom-mpif08.so" ] || [ $library = fathom-mpi-openmpi ] || continue
		run="$FATHOM run"; seen "fathom run, $use" prog/MPI_Init prog/MPI_Allreduce prog/MPI_Barrier prog/MPI_Finalize; run=
		"$FATHOM" "$MPIFC" -g prog.f90 -o prog || bad "$use"
		seen "$use" hello/MPI_Init hello/MPI_Allreduce hello/MPI_Barrier hello/MPI_Finalize
		"$FATHOM" "$MPIFC" -g -c prog.f90 && "$FATHOM" "$MPIFC" prog.o -o prog; seen "$use, two steps" hello/MPI_Barrier
	done
fi
verdict
