# What the tests of other people's builds share, on top of test/lib.sh.
. "$srcdir/test/lib.sh" || exit 99
[ -f "$builddir/.libs/libfathom.so" ] || skip "no shared libraries"
[ -x "$builddir/test/run/dump" ] || die "test/run/dump is not built"
export FATHOM_INSTRUMENT_MIN_INSNS=0
unset CFLAGS CXXFLAGS FFLAGS FCFLAGS LDFLAGS LIBS MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

# measured WHAT COMMAND PATTERN...: it runs, and its one profile has a call path for each pattern
measured() {
	what=$1 command=$2
	shift 2
	rm -rf run && mkdir run && cd run || exit 99
	sh -c "$command" > ../out 2> ../err || bad "$what: exit code $?: $(tail -3 ../err)"
	if dir=$(experiment 2> ../none); then
		values visits "$dir/profile.cubex" > ../visits
		for pattern; do
			grep -Eq "^[0-9]+ .*$pattern\$" ../visits || bad "$what: no $pattern in $(tr '\n' ' ' < ../visits)"
		done
	else
		bad "$what: $(cat ../none ../err)"
	fi
	cd ..
}

# not_measured WHAT COMMAND: it runs and leaves nothing
not_measured() {
	rm -rf run && mkdir run && cd run || exit 99
	sh -c "$2" > ../out 2> ../err || bad "$1: exit code $?: $(tail -3 ../err)"
	[ -z "$(ls)" ] || bad "$1: leaves $(ls)"
	cd ..
}

# said WHAT COMMAND...: quietly, unless it fails
said() {
	what=$1; shift
	"$@" > log 2>&1 < /dev/null || { tail -n 20 log >&2; die "$what"; }
}

cat > part.c <<'C'
int part_of_library(int n);
int part_of_library(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i % 7; return sum; }
C
cat > serial.c <<'C'
#include <stdio.h>
int part_of_library(int n);
static int __attribute__((noinline)) solve(int n) { int s = 0; for (int i = 0; i < n; i++) s += part_of_library(i); return s; }
int main(void) { printf("%d\n", solve(20)); return 0; }
C
cat > objects.cc <<'C'
#include <cstdio>
struct grid { int size; int sweep(); };
int __attribute__((noinline)) grid::sweep() { int s = 0; for (int i = 0; i < size; i++) s += i * s + 1; return s; }
int main() { grid g = { 30 }; std::printf("%d\n", g.sweep() != 0); return 0; }
C
cat > fields.f90 <<'C'
program fields
  implicit none
  integer :: total
  call relax(total)
  print *, total
contains
  subroutine relax(total)
    integer, intent(out) :: total
    integer :: i
    total = 0
    do i = 1, 50
      total = total + mod(i, 7)
    end do
  end subroutine
end program
C
cat > ranks.c <<'C'
#include <mpi.h>
static int __attribute__((noinline)) share(int mine) { int all; MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); return all; }
int main(int argc, char **argv) { MPI_Init(&argc, &argv); int all = share(1); MPI_Finalize(); return all < 1; }
C
cat > ranks.f90 <<'C'
program ranks
  use mpi
  integer :: error, all
  call MPI_Init(error)
  call MPI_Allreduce(1, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
C
cat > team.c <<'C'
#include <stdio.h>
static int sum;
static void __attribute__((noinline)) fork_some(void)
{
#pragma omp parallel for num_threads(2) reduction(+:sum)
	for (int i = 0; i < 100; i++)
		sum += i;
}
int main(void) { fork_some(); printf("%d\n", sum); return 0; }
C
