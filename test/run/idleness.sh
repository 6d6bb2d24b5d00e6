#!/bin/sh
# FATHOM_IDLENESS=on: the call paths that made other threads of OpenMP wait, by OPARI2 and OMPT.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=off

cat > prog.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <time.h>
#define NOINLINE __attribute__((noinline))
static NOINLINE void nap(int ms)
{
	struct timespec time = { 0, ms * 1000000L };
	nanosleep(&time, 0);
}
static NOINLINE void first(void) { nap(20); }
static NOINLINE void lone(void) { nap(100); }
static NOINLINE void alone(void) { nap(50); }
int main(void)
{
#pragma omp parallel num_threads(4)
	first();
#pragma omp parallel num_threads(4)
	{
		first();
		if (omp_get_thread_num() == 1)
			lone();
#pragma omp barrier
		first();
	}
	alone();
	puts("done");
	return 0;
}
C

# within NAME VALUE FROM TO
within() { awk -v v="$2" -v from="$3" -v to="$4" 'BEGIN { exit !(v >= from && v <= to) }' || bad "$1: $2, not $3 to $4"; }
# sum METRIC PATTERN: in $file, over the call paths that PATTERN matches.
sum() { values "$1" "$file" | awk -v p="$2" '$0 ~ p { s += $1 } END { printf "%.9f\n", s }'; }

# blamed NAME COMPILER
blamed() {
	"$FATHOM" "$2" -g -O1 -fopenmp prog.c -o "$1" || die "cannot build prog.c with $2"
	said=$(FATHOM_NAME=$1.result FATHOM_IDLENESS=on ./"$1" 2> "$1.err") || bad "$1 fails: $(cat "$1.err")"
	same "$1 prints" "done" "$said"
	file=$1.result/profile.cubex
	check_profile "$file"
	# Three threads wait for 100 ms and longer, if the machine is busy. The blame is what they have waited, less the
	# time in which all threads are in the barrier.
	within "$1: blame of lone" "$(sum p_all_thread_idleness /lone)" 0.27 3
	waited=$(values time "$file" | awk '/barrier @[^\/]*$/ { s += $1 } END { print s }')
	blame=$(sum p_all_thread_idleness 'parallel @')
	within "$1: blame in parallel regions, where threads wait for $waited s" "$blame" \
		"$(awk -v w="$waited" 'BEGIN { print w * 0.8 - 0.02 }')" "$(awk -v w="$waited" 'BEGIN { print w * 1.1 + 0.02 }')"
	# The blame outside of parallel regions is the idle time of the workers.
	same "$1: blame of alone" "$(sum omp_idle_threads /alone)" "$(sum p_all_thread_idleness /alone)"
	# All teams have four threads, so no more are missing.
	within "$1: missing threads at lone" "$(sum p_req_core_idleness /lone)" 0.27 3
	FATHOM_NAME=$1.off ./"$1" > out 2> err || bad "$1 fails without the setting"
	same "$1: metrics without the setting" "" "$("$builddir/fathom-report" --metric list "$1.off" | grep idleness)"
}
! have opari2 || blamed pomp2 "$CC"
if [ -e "$builddir/.libs/libfathom-ompt.so" ] && have clang && echo 'int main(void) { return 0; }' > empty.c &&
	clang -fopenmp empty.c -o empty 2> /dev/null; then
	blamed ompt clang
else
	left_out "OMPT: no clang with libomp"
fi
verdict
