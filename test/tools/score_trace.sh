#!/bin/sh
# fathom score against traces of the same runs: serial, threads, OpenMP; and what its filter makes of them.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
need_otf2
. "$srcdir/test/tools/score_lib.sh"

cat > many.py <<'P'
print("static volatile int x;")
for i in range(600): print(f"__attribute__((noinline)) void f{i}(void) {{ x = {i}; }}")
print("int main(void)\n{\n\tfor (int i = 0; i < 9; i++) {")
for i in range(600): print(f"\t\tf{i}();")
print("\t\tfor (int k = 0; k < 500; k++)\n\t\t\tf7();\n\t}\n\treturn 0;\n}")
P
"$PYTHON3" many.py > many.c
instrument many.c -o many
measure many ./many
predicted many

cat > small.cc <<'P'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
template <class T> struct box {
	T value;
	__attribute__((noinline)) T operator[](int k) const { asm volatile(""); return value + k; }
};
__attribute__((noinline)) double locked(double a) { pthread_mutex_lock(&mutex); a += 1; pthread_mutex_unlock(&mutex); return a; }
static void *work(void *sum)
{
	box<double> b{1};
	for (int i = 0; i < 2000; i++) {
		*(double *)sum += b[i];
		if (i % 10 == 0)
			*(double *)sum = locked(*(double *)sum);
	}
	return sum;
}
int main()
{
	double sums[3] = {0};
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, &sums[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	work(&sums[0]);
	return sums[0] + sums[1] + sums[2] < 0;
}
P
if [ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ]; then
	echo 'include *' > all
	"$FATHOM" --filter=all "$CXX" -g -O1 small.cc -o small -pthread || die "cannot build small.cc"
	measure small ./small
	predicted small
	FATHOM_THREADS=sum measure small-sum ./small
	predicted small-sum

	# Counters: a record of those of the thread before each enter and leave, and one of the process's on its first.
	FATHOM_METRICS=perf::PAGE-FAULTS,perf::TASK-CLOCK,rusage::nvcsw,proc::VmHWM measure counted ./small
	predicted counted
	FATHOM_METRICS=proc::VmHWM,rusage-process::minflt measure process ./small
	predicted process

	# The filter it proposes, and what it says will remain.
	"$builddir/fathom-score" --limit 30k --write rules --json small.run > small.json || bad "no filter"
	rest=$("$PYTHON3" -c 'import json; print(round(json.load(open("small.json"))["largest_process_bytes_with_filter"]))')
	cat all rules > both
	"$FATHOM" --filter=both "$CXX" -g -O1 small.cc -o less -pthread || die "cannot build with the filter"
	measure less ./less
	near "what remains" "$rest" "$(events_bytes less 0)"
	[ "$(value visits 'less/main/work(void*)/box<double>::operator[](int) const' less.run/profile.cubex)" = 0 ] || bad "the filter leaves in what it drops"
fi

# What the program gives: amounts, several in a visit and of two metrics at a place, and values at points.
cat > gives.c <<'P'
#include <fathom/fathom.h>
static void pack(int n)
{
	FATHOM_REGION("pack");
	for (int i = 0; i < 40; i++)
		FATHOM_METRIC_INT("bytes", "bytes", "Bytes packed", 3000 + n + i);
	FATHOM_METRIC_DOUBLE("time", "sec", "Called like another one", 0.5);
}
int main(void)
{
	for (int n = 0; n < 300; n++) {
		pack(n);
		FATHOM_REGION("solve");
		FATHOM_METRIC_UINT("cells", "", "Cells", 7);
		FATHOM_METRIC_DOUBLE("flop", "", "Operations", n);
		FATHOM_POINT_DOUBLE("residual", "", "Residual", 1.0 / (n + 1));
	}
	return 0;
}
P
"$FATHOM" --no-compiler "$CC" -g gives.c -o gives || die "cannot build gives.c"
measure gives ./gives
predicted gives
same "amounts in the profile" 12300 "$(value amounts_given gives/pack gives.run/profile.cubex)"

if have opari2 && [ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ]; then
	cat > team.c <<'P'
static volatile double x;
static __attribute__((noinline)) void tiny(double a) { x = a; }
static void split(int n)
{
	if (n < 2) {
		tiny(n);
		return;
	}
#pragma omp task
	split(n - 1);
#pragma omp task
	split(n - 2);
#pragma omp taskwait
}
int main(void)
{
	for (int k = 0; k < 100; k++) {
#pragma omp parallel num_threads(3)
		{
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 12; i++)
				tiny(i);
#pragma omp critical
			tiny(k);
#pragma omp single
			for (int i = 0; i < 5; i++)
#pragma omp task
				tiny(i);
		}
	}
#pragma omp parallel num_threads(3)
#pragma omp single
	split(9);
	return 0;
}
P
	export OMP_WAIT_POLICY=passive
	"$FATHOM" --filter=all "$CC" -g -O1 -fopenmp team.c -o team || die "cannot build team.c"
	measure team ./team
	predicted team
	FATHOM_METRICS=perf::PAGE-FAULTS,rusage::nvcsw measure team-counted ./team
	predicted team-counted
fi
verdict
