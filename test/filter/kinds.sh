#!/bin/bash
# Every kind of region is left out by a filter, in profile and trace: what stays has the visits that it has without one. One
# program has all kinds, for MPICH and Open MPI, OpenMP by POMP2 and by OMPT; another is in Fortran.
# Runs alone: up to 7 ranks.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
[ -e "$builddir/test/run/dump" ] || die "test/run/dump is not built"
export FATHOM_MODE=profile,trace FATHOM_DIR=. FATHOM_NAME=experiment OMP_NUM_THREADS=2
cat > kinds.c <<'C'
#include <fathom/fathom.h>
#include <pthread.h>
#include <stdio.h>
#define KEEP __attribute__((noinline))
#ifndef NO_MPI
#include <mpi.h>
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int g, sum;
KEEP void helper(int n) { g += n; }
KEEP void work(int n) { helper(n); helper(n); }
KEEP void user(void)
{
	FATHOM_REGION_BEGIN("outer loop");
	for (int i = 0; i < 3; i++) {
		FATHOM_REGION_BEGIN("inner part");
		work(i);
		FATHOM_REGION_END("inner part");
	}
	FATHOM_REGION_END("outer loop");
}
KEEP void *routine(void *x)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&mutex);
		sum++;
		pthread_mutex_unlock(&mutex);
	}
	return x;
}
KEEP void threads(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, routine, 0);
	pthread_join(thread, 0);
}
KEEP void constructs(void)
{
	#pragma omp parallel num_threads(2)
	{
		#pragma omp for
		for (int i = 0; i < 4; i++) {
			#pragma omp critical
			sum += i;
		}
		#pragma omp barrier
		#pragma omp single
		sum++;
	}
}
#ifndef NO_MPI
KEEP void exchange(int rank, int size)
{
	MPI_Request r[2];
	MPI_Status s[2];
	int x = rank, y;
	MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, s);
	g += y;
}
#endif
int main(int argc, char **argv)
{
	(void)argc, (void)argv;
#ifndef NO_MPI
	int rank, size, all;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 4; i++) exchange(rank, size);
#endif
	user();
	threads();
	constructs();
#ifndef NO_MPI
	MPI_Allreduce(&g, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (!rank) printf("%d %d\n", all, sum);
	MPI_Finalize();
#else
	printf("%d %d\n", g, sum);
#endif
	return 0;
}
C
cat > kinds.f90 <<'F'
program kinds
  use mpi
  implicit none
  integer :: rank, err, i, total
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  do i = 1, 3
    call step(i)
    call MPI_Barrier(MPI_COMM_WORLD, err)
  end do
  if (rank == 0) print *, total
  call MPI_Finalize(err)
contains
  subroutine step(n)
    integer, intent(in) :: n
    call MPI_Allreduce(n, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, err)
    total = total + twice(n)
  end subroutine
  integer function twice(n)
    integer, intent(in) :: n
    twice = 2 * n
  end function
end program
F

# run NAME COMMAND...: both results in files called NAME
run() {
	rm -rf experiment
	"${@:2}" > "$1.out" 2> err || bad "$1: exit code $?: $(cat err)"
	if [ "$1" != whole ]; then
		check_profile experiment/profile.cubex
		sound "$1" experiment || return
	fi
	visited experiment/profile.cubex > "$1.visited"
	enters experiment > "$1.entered"
}
# filtered WHAT LEFT-OUT COMMAND...: with the rules, compared to the run "whole"
filtered() {
	FATHOM_FILTER=rules run "$1" "${@:3}"
	cmp -s whole.out "$1.out" || bad "$1: another output: $(cat "$1.out")"
	for file in visited entered; do
		for name in $(printf '%s' "$2" | tr ' |' '. '); do
			grep -Eq "^[0-9]+ $name" whole.$file || bad "$1: $name is not there to be left out"
		done
		grep -Ev "^[0-9]+ ($2)" whole.$file > wanted
		[ "$(wc -l < wanted)" -lt "$(wc -l < whole.$file)" ] || bad "$1: nothing is left out"
		cmp -s wanted "$1.$file" || bad "$1, $file: $(diff wanted "$1.$file")"
	done
	"$builddir/test/run/dump" -s experiment/profile.cubex > attributes
}
attribute() { sed -n "s/^attribute fathom::$1=//p" attributes; }

# A rule for each kind.
cat > all.rules <<'R'
exclude helper
exclude inner*
exclude MPI_Isend
exclude MPI_Allreduce
exclude openmp *critical*
exclude openmp !$omp barrier*
exclude pthread_mutex_lock
R
all='helper|inner part|MPI_Isend|MPI_Allreduce|!\$omp critical|!\$omp barrier|pthread_mutex_lock'
export FATHOM_INSTRUMENT_MIN_INSNS=0

# In rank 1 only: what was visited by both is visited half as often.
ranks() {
	printf 'exclude MPI_Isend\nexclude rank 1 work\nexclude rank 1- openmp *critical*\nexclude rank 7 *\n' > rules
	FATHOM_FILTER=rules run ranks "$MPIRUN" -n 2 ./kinds
	cmp -s whole.out ranks.out || bad "ranks: another output: $(cat ranks.out)"
	for file in visited entered; do
		sed -E '/^[0-9]+ MPI_Isend/d; s/^6 work$/3 work/; s/^8 (!\$omp critical)/4 \1/' \
			whole.$file > wanted
		[ "$(diff whole.$file wanted | grep -c '^>')" = 3 ] || bad "ranks, $file: not as it was thought: $(cat whole.$file)"
		cmp -s wanted ranks.$file || bad "ranks, $file: $(diff wanted ranks.$file)"
	done
	"$builddir/test/run/dump" -s experiment/profile.cubex > attributes
	same "regions left out in any rank" 4 "$(attribute filtered_regions)"
	same "regions left out by rank" "0: 1, 1: 4" "$(attribute filtered_ranks)"
	"$FATHOM" report --width 300 experiment > report || bad "no report"
	contains "the report's head" "$(cat report)" '^Filter +4 regions left out, by rules'
	contains "the report's note" "$(cat report)" 'ranks differ; in rank: regions left out there are 0: 1, 1: 4\.'
	printf 'exclude rank 1,3,5-6 work\nexclude rank 3 helper\n' > rules
	rm -rf experiment
	OMP_NUM_THREADS=1 FATHOM_MODE=profile FATHOM_FILTER=rules "$MPIRUN" -n 7 ./kinds > seven.out 2> err || bad "seven ranks: $(cat err)"
	"$builddir/test/run/dump" -s experiment/profile.cubex > attributes
	same "regions left out of seven ranks" "2 of 0: 0, 1: 1, 2: 0, 3: 2, 4: 0, 5-6: 1" "$(attribute filtered_regions) of $(attribute filtered_ranks)"
}

mpi_programs() {
	"$FATHOM" "$MPICC" -g -O1 -fopenmp -pthread kinds.c -o kinds || die "$MPICC: kinds.c is not built"
	run whole "$MPIRUN" -n 2 ./kinds
	cp all.rules rules
	filtered "$1, all" "$all" "$MPIRUN" -n 2 ./kinds
	same "$1: regions left out" "8 " "$(attribute filtered_regions) $(attribute filtered_ranks)"
	[ "$1" != mpich ] || ranks
	[ -n "$MPIFC" ] && "$MPIFC" kinds.f90 -o plain 2> err || return
	"$FATHOM" "$MPIFC" -g -O1 -fno-inline kinds.f90 -o kinds || die "$MPIFC: kinds.f90 is not built"
	run whole "$MPIRUN" -n 2 ./kinds
	printf 'exclude twice\nexclude MPI_Allreduce\n' > rules
	filtered "$1, Fortran" 'twice|MPI_Allreduce' "$MPIRUN" -n 2 ./kinds
}
if have_mpi; then
	mpi_programs mpich
fi
# OMPT: constructs are judged by kind, before anybody knows where they are.
if clang -fopenmp -DNO_MPI -I"$srcdir/include" kinds.c -o plain -pthread 2> err && ./plain > plain.out; then
	"$FATHOM" clang -g -O1 -fopenmp -DNO_MPI kinds.c -o kinds || die "clang: kinds.c is not built"
	run whole ./kinds
	cp all.rules rules
	filtered "ompt, all" "$(printf '%s' "$all" | sed 's/MPI_[a-zA-Z]*|//g')" ./kinds
fi
if have_openmpi; then
	use_openmpi
	mpi_programs openmpi
fi
verdict
