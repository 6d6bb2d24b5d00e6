#!/bin/bash
# A filter in an MPI and OpenMP program: calls, constructs and ranks that are left out; profiles and traces stay sound.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
[ -e "$builddir/test/run/dump" ] || die "test/run/dump is not built"
cat > prog.c <<'C'
#include <mpi.h>
#include <stdio.h>
int g;
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) g += i; }
__attribute__((noinline)) void exchange(int rank, int size)
{
	MPI_Request r[2];
	MPI_Status s[2];
	int x = rank, y;
	MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
	work(10);
	MPI_Waitall(2, r, s);
	g += y;
}
int main(int argc, char **argv)
{
	int rank, size, sum = 0;
	MPI_Comm own;
	work(1);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &own);
	for (int i = 0; i < 5; i++) {
		exchange(rank, size);
		MPI_Allreduce(&g, &sum, 1, MPI_INT, MPI_SUM, own);
		work(3);
	}
	MPI_Comm_free(&own);
	if (!rank) printf("%d\n", sum);
	MPI_Finalize();
	return 0;
}
C
FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$MPICC" -g -O1 prog.c -o prog || die "cannot build prog.c"
mode=profile
[ -e "$builddir/.libs/libfathom-trace.so" ] && mode=profile,trace
plain=$(FATHOM_MODE=none "$MPIRUN" -n 2 ./prog)

# run RULES: dir is the experiment, which must be sound
run() {
	rm -rf fathom-*
	printf "$1" > rules
	same "$1: output" "$plain" "$(FATHOM_MODE=$mode FATHOM_FILTER=rules "$MPIRUN" -n 2 ./prog 2> err)"
	dir=$(experiment) || exit 1
	check_profile "$dir/profile.cubex"
	[ $mode = profile ] || "$FATHOM" check "$dir" > out 2>&1 || bad "$1: the trace: $(cat out)"
}
visits() { "$builddir/test/run/dump" visits "$dir/profile.cubex" | awk -v name="/$1" 'substr($0, length($0) - length(name) + 1) == name { s += $1 } END { print s + 0 }'; }

run 'exclude MPI_Isend\nexclude MPI_Allreduce\n'
for pair in MPI_Isend:0 MPI_Allreduce:0 MPI_Irecv:10 MPI_Waitall:10 work:22 exchange:10; do
	same "two calls left out: ${pair%:*}" "${pair#*:}" "$(visits "${pair%:*}")"
done
run 'exclude *\n'
for pair in MPI_Isend:10 MPI_Allreduce:10 work:0 main:0; do
	same "functions left out: ${pair%:*}" "${pair#*:}" "$(visits "${pair%:*}")"
done
run 'exclude rank 1\n'	# work(1) is called before the rank is known
for pair in MPI_Isend:10 exchange:5 work:12 main:2; do
	same "a rank left out: ${pair%:*}" "${pair#*:}" "$(visits "${pair%:*}")"
done
run 'exclude any *\n'
same "everything left out" 0 "$(( $(visits main) + $(visits MPI_Init) ))"

# Ranks that end without the others have what they left out, each in its own file; merged, the profile says so.
cat > stop.c <<'C'
#include <mpi.h>
#include <unistd.h>
int g;
__attribute__((noinline)) void work(void) { g++; }
__attribute__((noinline)) void other(void) { g++; }
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	work();
	other();
	MPI_Barrier(MPI_COMM_WORLD);
	_exit(0);
}
C
FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$MPICC" -g -O1 stop.c -o stop || die "cannot build stop.c"
rm -rf fathom-*
printf 'exclude work\nexclude rank 1-2 other\n' > rules
FATHOM_MODE=profile FATHOM_FILTER=rules "$MPIRUN" -n 4 ./stop > out 2> err
dir=$(experiment) || exit 1
"$FATHOM" merge "$dir" > out 2>&1 || bad "fathom merge: $(cat out)"
check_profile "$dir/profile.cubex"
"$builddir/test/run/dump" -s "$dir/profile.cubex" > attributes
same "merged: regions left out" 2 "$(sed -n 's/^attribute fathom::filtered_regions=//p' attributes)"
same "merged: by rank" "0: 1, 1-2: 2, 3: 1" "$(sed -n 's/^attribute fathom::filtered_ranks=//p' attributes)"

cat > omp.c <<'C'
#include <stdio.h>
static int fib(int n)
{
	int a, b;
	if (n < 2) return n;
	#pragma omp task shared(a)
	a = fib(n - 1);
	#pragma omp task shared(b)
	b = fib(n - 2);
	#pragma omp taskwait
	return a + b;
}
int main(void)
{
	int sum = 0, f = 0;
	for (int k = 0; k < 3; k++) {
		#pragma omp parallel num_threads(3)
		{
			#pragma omp for
			for (int i = 0; i < 30; i++) {
				#pragma omp critical
				sum += i;
			}
			#pragma omp single
			f += fib(6);
		}
	}
	printf("%d %d\n", sum, f);
	return 0;
}
C
"$FATHOM" "$CC" -g -fopenmp omp.c -o omp 2> err || { verdict; }
for rules in 'exclude openmp *critical*' 'exclude openmp *parallel*' 'exclude openmp *task*' 'exclude any *'; do
	printf '%s\n' "$rules" > rules
	rm -rf fathom-*
	same "$rules: output" "1305 24" "$(FATHOM_MODE=$mode FATHOM_FILTER=rules ./omp 2> err)"
	dir=$(experiment) || exit 1
	check_profile "$dir/profile.cubex"
	[ $mode = profile ] || "$FATHOM" check "$dir" > out 2>&1 || bad "$rules: the trace: $(cat out)"
	word=${rules#*\*}
	[ "$word" = "" ] || "$builddir/test/run/dump" visits "$dir/profile.cubex" > paths
	[ "$word" = "" ] || ! grep -q "omp.*${word%\*} @" paths || bad "$rules: $(grep -m1 "${word%\*}" paths)"
done
verdict
