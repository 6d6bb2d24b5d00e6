#!/bin/sh
# Traces tell who held which lock when, and who waited for which thread.
. "${srcdir:?}/test/lib.sh" || exit 99
here=$srcdir/test/run check=$builddir/fathom-check
[ -e "$builddir/.libs/libfathom-trace.so" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev)"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

# locks NAME: by lock, how often it was acquired; each must have been given back as often, and the orders count
locks() {
	otf2-print "$1/traces.otf2" | sed -n 's/^THREAD_\(ACQUIRE\|RELEASE\)_LOCK .*Lock: \([0-9]*\), Acquisition Order: \([0-9]*\).*/\1 \2 \3/p' > "$1.locks"
	awk '{ n[$1 $2]++; if ($1 == "ACQUIRE") { l[$2]; if ($3 > most[$2]) most[$2] = $3; if (seen[$2 " " $3]++) print "twice " $2 } }
	     END { for (k in l) { print k, n["ACQUIRE" k]
		if (n["ACQUIRE" k] != n["RELEASE" k]) print "not released " k
		if (most[k] != n["ACQUIRE" k]) print "orders of " k } }' "$1.locks" | sort -n
}

# sound NAME: the checkers have nothing to say
sound() {
	"$check" "$1" > "$1.said" 2>&1 || bad "$1: $(cat "$1.said")"
	[ -x "$shared/oracle/check_otf2.py" ] && /usr/bin/python3 -c 'import otf2' 2> /dev/null || return 0
	/usr/bin/python3 "$shared/oracle/check_otf2.py" "$1/traces.otf2" > "$1.said" 2>&1 || bad "$1: $(cat "$1.said")"
}

trace() { FATHOM_MODE=trace FATHOM_DIR=. FATHOM_NAME=$1 timeout 60 "$2" > "$1.out" 2> "$1.err" || bad "$1: exit code"; }
got() { sed -n 's/.*got //p' "$1.out"; }

# Three renewed ones; held; plain, recursive, tried, shared, spin and C11; the queue, once a turn and once a wait.
# Numbers are given at the first acquisition, and every thread comes to them in this order.
"$FATHOM" "$CC" -g -O1 "$here/trace-locks.c" -o threads -pthread || die "cannot build trace-locks.c"
trace of-threads ./threads
sound of-threads
locks of-threads > found
waits=$(otf2-print of-threads/traces.otf2 | grep -c '^ENTER .*"pthread_cond_wait"')
same "pthread" "1 1 2 1 3 1 4 1 5 150 6 150 7 $(got of-threads) 8 150 9 150 10 150 11 $((60 + waits))" \
	"$(tr '\n' ' ' < found | sed 's/ $//')"
same "pthread: threads that were waited for" "1 2 3" "$(otf2-print of-threads/traces.otf2 | sed -n 's/^THREAD_WAIT .*, Sequence Count: \([0-9]*\).*/\1/p' | sort | tr '\n' ' ' | sed 's/ $//')"

# Threads that pass a lock on as fast as they can: nobody acquires it before another one has released it. (Without the
# fences that check/hook_code.sh looks for, most traces of this on two idle processors have faults, and some on busy ones.)
cat > hurry.c <<'C'
#include <pthread.h>
#include <stdio.h>
enum { THREADS = 3, TURNS = 100000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;
static void *work(void *argument)
{
	for (int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&mutex);
		count++;
		pthread_mutex_unlock(&mutex);
	}
	return argument;
}
int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("count %ld\n", count);
	return 0;
}
C
"$FATHOM" "$CC" -g -O1 hurry.c -o hurry -pthread || die "cannot build hurry.c"
trace of-hurry ./hurry
"$check" of-hurry > of-hurry.said 2>&1 || bad "of-hurry: $(tail -3 of-hurry.said)"
contains "of-hurry" "$(cat of-hurry.out)" '^count 300000$'

# The same with OpenMP, more threads than processors, some of which give theirs away while they have a lock.
cat > hurry-omp.c <<'C'
#include <omp.h>
#include <sched.h>
#include <stdio.h>
enum { THREADS = 8, TURNS = 4000 };
int main(void)
{
	long unnamed = 0, locked = 0, nested = 0;
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < TURNS; i++) {
#pragma omp critical
		unnamed++;
		omp_set_lock(&lock);
		locked++;
		if (i % 64 == 0)
			sched_yield();
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		nested++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		if (i % 64 == 1)
			sched_yield();
	}
	printf("counts %ld %ld %ld\n", unnamed, locked, nested);
	return 0;
}
C
# hurry_omp NAME COMPILER: OpenMP of LLVM tells that a lock was released after it was, and others may have had it since.
hurry_omp() {
	"$FATHOM" "$2" -g -O1 -fopenmp hurry-omp.c -o "$1" || die "cannot build hurry-omp.c with $2"
	trace "hurry-$1" "./$1"
	"$check" "hurry-$1" > "hurry-$1.said" 2>&1
	grep -i lock "hurry-$1.said" && bad "hurry-$1: $(tail -n 1 "hurry-$1.said")"
	contains "hurry-$1" "$(cat "hurry-$1.out")" '^counts 32000 32000 32000$'
}

if have opari2 && [ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ]; then
	"$FATHOM" "$CC" -g -O1 -fopenmp "$here/trace-locks-omp.c" -o pomp2 || die "cannot build trace-locks-omp.c"
	trace of-pomp2 ./pomp2
	sound of-pomp2
	expected=of-pomp2
	hurry_omp omp-gcc "$CC"
fi
if have clang && echo 'int main(void) { return 0; }' > try.c && clang -fopenmp try.c -o try 2> /dev/null &&
   [ -e "$builddir/.libs/libfathom-ompt.so" ]; then
	"$FATHOM" clang -g -O1 -fopenmp "$here/trace-locks-omp.c" -o ompt || die "cannot build trace-locks-omp.c with clang"
	trace of-ompt ./ompt
	"$check" of-ompt | grep -i lock && bad "OMPT: $(cat of-ompt.out)"
	expected="${expected:-} of-ompt"
	hurry_omp omp-clang clang
fi
# Unnamed, named, lock, nest lock, and the one that is tried.
for name in ${expected:-}; do
	locks "$name" > found
	same "$name" "1 300 2 300 3 150 4 150 5 $(got "$name")" "$(tr '\n' ' ' < found | sed 's/ $//')"
done
# In profiles there is none of it, and the program is the same.
FATHOM_MODE=profile FATHOM_DIR=. FATHOM_NAME=profiled ./threads > out 2> err || bad "profiled: exit code"
contains "profiled" "$(cat out)" '^count 750, turns 60, got '
verdict
