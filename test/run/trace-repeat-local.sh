#!/bin/bash
# Traces without repetitions (FATHOM_TRACE_REPEAT) of programs without MPI: each process decides alone, where functions near
# main are left and where teams of OpenMP end. Workers leave out the same teams as the initial thread.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
export FATHOM_OVERHEAD=off FATHOM_MODE=profile,trace FATHOM_VERBOSE=1

cat > serial.c <<'C'
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
static volatile long sink;
static jmp_buf out;
static void leaf(void) { sink++; }
static void kernel(int n) { for (int i = 0; i < n; i++) leaf(); }
static void jumps(int n) { if (n) jumps(n - 1); else longjmp(out, 1); }
static void step(int i, const char *what)
{
	kernel(20);
	if (!strcmp(what, "jumps") && !setjmp(out)) jumps(4);
	kernel(30);
	if (!strcmp(what, "different") && i == 2500) leaf();
	if (!strcmp(what, "aborts") && i == 4000) abort();
}
static void run(int steps, const char *what) { for (int i = 0; i < steps; i++) step(i, what); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "none")) fibonacci(20);
	else if (!strcmp(what, "main")) for (int i = 0; i < 5000; i++) { kernel(3); leaf(); }
	else run(5000, what);
	return 0;
}
C
"$CC" -g -O1 -finstrument-functions serial.c -o serial -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom -Wl,--pop-state || die "cannot build serial.c"

# run WHAT COMMAND...: in $dir is its trace, in $left the number of stretches that are left out, in $events its events
run() {
	what=$1
	shift
	rm -rf fathom-*
	env FATHOM_TRACE_REPEAT=2 timeout 60 "$@" > out 2> err || bad "$what: exit code $?: $(cat err)"
	dir=$(experiment) || exit 1
	sound "$what" "$dir"
	left=$(sed -n 's/^METRIC .*"left out stretches" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' events.txt | awk '{ n += $1 } END { print n + 0 }')
	events=$(grep -c '^[A-Z_]* *[0-9]' events.txt)
}
# visits NAME: those in the profile
visits() { visited "$dir/profile.cubex" | awk -v name="$1" '$2 == name { print $1 }'; }

# All events of a step are a stretch, as soon as the place is found where stretches end: 530214 events.
run "steps" ./serial steps
[ "$left" -ge 4700 ] && [ "$events" -le 26510 ] || bad "steps: $left of 5000 steps are left out, $events events stay"
same "steps: visits in the profile" "5000 250000" "$(visits step) $(visits leaf)"
grep -q "FATHOM_TRACE_REPEAT: $left of [0-9]* stretches are left out" err || bad "steps: the number is not said: $(cat err)"
# A difference: two gaps, and the one visit more between them.
run "a difference" ./serial different
[ "$left" -ge 4700 ] || bad "a difference: only $left steps are left out"
same "a difference: gaps" "2 2" "$(grep -c '^MEASUREMENT_ON_OFF .*OFF' events.txt) $(grep -c '^MEASUREMENT_ON_OFF .*ON' events.txt | awk '{ print $1 }')"
run "functions that main calls" ./serial main
[ "$events" -le 2000 ] || bad "functions that main calls: $events of 50210 events stay"
run "jumps" ./serial jumps
[ "$left" -ge 4500 ] || bad "jumps: only $left steps are left out"
run "no repetition" ./serial none
same "no repetition: stretches" 0 "$left"
grep -q 'FATHOM_TRACE_REPEAT left nothing out: no sequence' err || bad "no repetition: no line says so: $(cat err)"
run "with counters" env FATHOM_METRICS=rusage::minflt ./serial steps
[ "$left" -ge 4000 ] || bad "with counters: only $left steps are left out"
run "with a ring" env FATHOM_TRACE_RING=1M ./serial steps
[ "$left" -ge 4700 ] || bad "with a ring: only $left steps are left out"
run "with samples" env FATHOM_SAMPLING=1000 FATHOM_TRACE_SAMPLES=1000 ./serial steps
run "with a granularity" env FATHOM_TRACE_GRANULARITY=1000s ./serial steps
rm -rf fathom-*
{ (ulimit -c 0; FATHOM_TRACE_REPEAT=2 ./serial aborts) > out 2> err; } 2> /dev/null
dir=$(experiment) || exit 1
sound "abort" "$dir"
same "abort: the gap" 1 "$(grep -c '"left out stretches"' events.txt)"

# --- OpenMP --------------------------------------------------------------------------------------------------
cat > teams.c <<'C'
#include <omp.h>
#include <string.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif
static volatile long sink;
static double a[100];
static void sweep(void)
{
	#pragma omp parallel num_threads(3)
	{
		#pragma omp for
		for (int i = 0; i < 30; i++) a[i] += i;
		#pragma omp critical
		sink++;
	}
}
static void nested(void)
{
	#pragma omp parallel num_threads(2)
	#pragma omp parallel num_threads(2)
	sink = 1;
}
int main(int argc, char **argv)
{
	omp_set_max_active_levels(2);
#ifdef WITH_MPI
	int level, one = 1, all;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#endif
	for (int i = 0; i < 400; i++) {
		if (argc > 1 && !strcmp(argv[1], "nested")) nested(); else sweep();
#ifdef WITH_MPI
		MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		if (i % 3 == 0) sweep();
#endif
	}
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	return 0;
}
C
if "$FATHOM" "$CC" -O1 -g -fopenmp teams.c -o teams 2> build.err; then
	for mode in sweep nested; do
		run "teams: $mode" ./teams $mode
		[ "$left" -ge 50 ] && [ "$events" -le 6000 ] || bad "teams: $mode: $left stretches are left out, $events events stay"
		same "teams: $mode: forks and joins" "$(grep -c '^THREAD_FORK ' events.txt)" "$(grep -c '^THREAD_JOIN ' events.txt)"
	done
	if have_mpi && "$FATHOM" "$MPICC" -O1 -g -w -fopenmp -DWITH_MPI teams.c -o both 2> build.err; then
		run "MPI and OpenMP" "$MPIRUN" -n 2 ./both
		same "MPI and OpenMP: stretches" $((2 * (399 - 6 - 3 - 6))) "$left"
	else left_out "MPI with OpenMP: $(head -1 build.err)"; fi
else left_out "OpenMP: $(head -1 build.err)"; fi
verdict
