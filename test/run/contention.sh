#!/bin/sh
# Who waits for locks and conditions, and who is blamed for it: POSIX and C11 threads, C++, OpenMP by OPARI2 and OMPT.
# What threads have waited and what others are blamed for is equal in the sum.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=off

# sum METRIC FILE: over all call paths.
sum() { values "$1" "$2" | awk '{ s += $1 } END { printf "%.9f\n", s }'; }

# is_blamed NAME FUNCTION [METRIC]: in the newest result, others have waited for the lock of FUNCTION for most of 100 ms,
# and nearly all blame is there.
is_blamed() {
	metric=${3:-lock} file=$1.result/profile.cubex
	waited=$(sum "${metric}_wait" "$file") blamed=$(sum "${metric}_blame" "$file")
	at=$(values "${metric}_blame" "$file" | awk -v f="/$2([(][)])?(/|$)" '$0 ~ f { s += $1 } END { print s + 0 }')
	echo "$1: waited $waited, blamed $blamed, $at in $2"
	awk -v w="$waited" -v b="$blamed" 'BEGIN { exit !(w - b < 1e-6 && b - w < 1e-6) }' ||
		bad "$1: $waited s of waiting, $blamed s of blame"
	awk -v b="$blamed" -v at="$at" 'BEGIN { exit !(at >= 0.05 && at >= 0.9 * b && b <= 3) }' ||
		bad "$1: $blamed s of blame, but $at s in $2: $(values "${metric}_blame" "$file")"
	check_profile "$file"
}

# measured NAME COMMAND...: its result is NAME.result; it prints what it prints alone.
measured() {
	name=$1
	shift
	rm -rf "$name.result"
	said=$(FATHOM_NAME=$name.result "$@" 2> "$name.err") || bad "$name fails: $(cat "$name.err")"
	same "$name prints" "done" "$said"
}

cat > nap.h <<'C'
#include <time.h>
static void nap(int ms)
{
	struct timespec time = { 0, ms * 1000000L };
	nanosleep(&time, 0);
}
C
cat > posix.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include "nap.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void hold_long(void)
{
	pthread_mutex_lock(&mutex);
	nap(100);
	pthread_mutex_unlock(&mutex);
}
static void *wait_for_it(void *unused)
{
	nap(20);
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_for_it, NULL);
	hold_long();
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
C
cat > c11.c <<'C'
#include <stdio.h>
#include <threads.h>
#include "nap.h"
static mtx_t mutex;
static void hold_long(void)
{
	mtx_lock(&mutex);
	mtx_lock(&mutex);
	mtx_unlock(&mutex);
	nap(100);
	mtx_unlock(&mutex);
}
static int wait_for_it(void *unused)
{
	struct timespec until;
	(void)unused;
	nap(20);
	timespec_get(&until, TIME_UTC);
	until.tv_sec += 10;
	mtx_timedlock(&mutex, &until);
	mtx_unlock(&mutex);
	return 0;
}
int main(void)
{
	thrd_t thread;
	mtx_init(&mutex, mtx_recursive | mtx_timed);
	thrd_create(&thread, wait_for_it, NULL);
	hold_long();
	thrd_join(thread, NULL);
	mtx_destroy(&mutex);
	puts("done");
	return 0;
}
C
cat > objects.cc <<'C'
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
static std::mutex mutex;
static void hold_long()
{
	std::lock_guard<std::mutex> guard(mutex);
	std::this_thread::sleep_for(std::chrono::milliseconds(100));
}
static void wait_for_it()
{
	std::this_thread::sleep_for(std::chrono::milliseconds(20));
	std::unique_lock<std::mutex> lock(mutex);
}
int main()
{
	std::thread thread(wait_for_it);
	hold_long();
	thread.join();
	std::puts("done");
}
C
cat > condition.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include "nap.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;
static void make_ready(void)
{
	pthread_mutex_lock(&mutex);
	is_ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
}
static void *wait_for_it(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!is_ready)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_for_it, NULL);
	nap(100);
	make_ready();
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
C
cat > openmp.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include "nap.h"
static omp_lock_t lock;
static omp_nest_lock_t nested;
static __attribute__((noinline)) void hold_critical(int first)
{
	nap(first ? 0 : 20);
#pragma omp critical(turn)
	nap(first ? 100 : 0);
}
static __attribute__((noinline)) void hold_lock(int first)
{
	nap(first ? 0 : 20);
	omp_set_lock(&lock);
	nap(first ? 100 : 0);
	omp_unset_lock(&lock);
}
static __attribute__((noinline)) void hold_nested(int first)
{
	nap(first ? 0 : 20);
	omp_set_nest_lock(&nested);
	omp_set_nest_lock(&nested);
	nap(first ? 100 : 0);
	omp_unset_nest_lock(&nested);
	omp_unset_nest_lock(&nested);
}
int main(int argc, char **argv)
{
	omp_init_lock(&lock);
	omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(3)
	{
		int first = omp_get_thread_num() == 0;
		if (argc > 1 && !strcmp(argv[1], "critical"))
			hold_critical(first);
		else if (argc > 1 && !strcmp(argv[1], "nested"))
			hold_nested(first);
		else
			hold_lock(first);
	}
	omp_destroy_lock(&lock);
	puts("done");
	return 0;
}
C

"$FATHOM" "$CC" -g -O1 posix.c -o posix -pthread && "$FATHOM" "$CC" -g -O1 c11.c -o c11 -pthread &&
	"$FATHOM" "$CC" -g -O1 condition.c -o condition -pthread || die "cannot build the programs with threads"
measured posix ./posix
is_blamed posix hold_long
"$builddir/fathom-report" posix.result > report.out 2> err || bad "no report: $(cat err)"
contains "the report" "$(sed -n '/^Who makes others wait/,/^$/p' report.out)" ' hold_long$'
has_waited=$(values lock_wait posix.result/profile.cubex | grep -c 'wait_for_it/pthread_mutex_lock$')
same "call paths that waited" 1 "$has_waited"
measured c11 ./c11
is_blamed c11 hold_long
measured condition ./condition
is_blamed condition make_ready condition
if have "$CXX"; then
	"$FATHOM" "$CXX" -g -O1 objects.cc -o objects -pthread || die "cannot build objects.cc"
	measured objects ./objects
	is_blamed objects hold_long
fi

# The trace is the same with a profile at its side, which has the same waiting.
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	FATHOM_MODE=profile,trace
	export FATHOM_MODE
	measured both ./posix
	is_blamed both hold_long
	"$builddir/fathom-check" both.result > both.said 2>&1 || bad "trace: $(tail -3 both.said)"
	unset FATHOM_MODE
fi

# with_openmp NAME COMPILER
with_openmp() {
	"$FATHOM" "$2" -g -O1 -fopenmp openmp.c -o "$1" || die "cannot build openmp.c with $2"
	for what in critical lock nested; do
		measured "$1-$what" "./$1" "$what"
		is_blamed "$1-$what" hold_$what
	done
}
! have opari2 || with_openmp pomp2 "$CC"
if [ -e "$builddir/.libs/libfathom-ompt.so" ] && have clang && echo 'int main(void) { return 0; }' > empty.c &&
	clang -fopenmp empty.c -o empty 2> /dev/null; then
	with_openmp ompt clang
else
	left_out "OMPT: no clang with libomp"
fi
verdict
