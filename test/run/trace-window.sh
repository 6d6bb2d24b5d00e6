#!/bin/bash
# Traces with a window (FATHOM_TRACE_WINDOW): all functions between two times, or in some iterations of a phase.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"

cat > prog.c <<'C'
#include <fathom/fathom.h>
#include <pthread.h>
#include <time.h>
static volatile long sink;
static void leaf(void) { sink++; }
static void step(int n) { for (int i = 0; i < n; i++) leaf(); }
static void before(void) { leaf(); }
static void after(void) { leaf(); }
static void rests(long ms) { nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL); }
static void *thread(void *n) { step(*(int *)n); return NULL; }
static void iterate(int i, int n)
{
	pthread_t other;
	FATHOM_PHASE("iteration", i);
	step(n);
	if (i % 4)
		return;
	pthread_create(&other, NULL, thread, &n);
	pthread_join(other, NULL);
}
int main(int argc, char **argv)
{
	(void)argv;
	before();
	for (int i = 0; i < 10; i++)
		iterate(i, 100);
	FATHOM_REGION("late");
	if (argc > 1)
		rests(1500);
	after();
	return 0;
}
C
"$CC" -g -O1 -finstrument-functions -DFATHOM_USER -I"$srcdir/include" prog.c -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state || die "cannot build prog.c"
arguments=
export FATHOM_MODE=profile,trace

# run SETTINGS...: sets n_NAME to the number of enters of some functions
run() {
	what=$*
	rm -rf fathom-*
	env "$@" ./prog $arguments > out 2> err || bad "$what: exit code $?: $(cat err)"
	dir=$(experiment) || exit 1
	sound "$what" "$dir"
	left=$(sed -n 's/^METRIC .*"left out visits" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' events.txt | awk '{ n += $1 } END { print n + 0 }')
	visited "$dir/profile.cubex" | awk '{ n += $1 } END { print n + 0 }' > visits
	same "$what: visits" "$(cat visits)" "$(($(grep -c '^ENTER ' events.txt) - 1 + left))"
	same "$what: iterations" 10 "$(enters "$dir" | awk '$2 == "iteration" { print $1 }')"
	found="$(for name in before step leaf after; do enters "$dir" | awk -v n=$name '$2 == n { c = $1 } END { printf "%s ", c + 0 }'; done)"
}
# The iterations 0, 4 and 8 have a second thread.
run FATHOM_TRACE_WINDOW=iteration#3-5
same "$what" "0 4 400 0 " "$found"
otf2-print -I "$dir/traces.otf2" | grep -A 1 'FATHOM::WINDOW' | grep -q ' iteration#3-5$' || bad "the trace does not say its window"
[ ! -x "$FATHOM-report" ] || "$FATHOM" report --trace "$dir" | grep -q 'outside of iteration#3-5' || bad "the report does not say the window"
run FATHOM_TRACE_WINDOW=iteration#7
same "$what" "0 1 100 0 " "$found"
run FATHOM_TRACE_WINDOW=iteration#11-20
same "$what" "0 0 0 0 " "$found"
run FATHOM_TRACE_WINDOW=iteration#8 FATHOM_METRICS=rusage::minflt FATHOM_CLOCK=monotonic
same "$what" "0 2 200 0 " "$found"
run FATHOM_TRACE_WINDOW=iteration#0-1 FATHOM_TRACE_RING=1M FATHOM_TRACE_MEMORY=1
case $found in "0 3 300 "*) ;; *) bad "$what: $found" ;; esac
# The last function begins 1.5 s after the begin of the program, at least.
arguments=rests
run FATHOM_TRACE_WINDOW=1.4:1000
arguments=
same "$what" "1 after" "$(enters "$dir" | grep ' after$')"
run FATHOM_TRACE_WINDOW=1000:
same "$what" "0 0 0 0 " "$found"
run FATHOM_TRACE_WINDOW=0:1000
same "$what: nothing is left out" 0 "$left"

for wrong in : 2:1 1:1 1 x#y '#1' 'step#' step#2-1 1:2x 0.1234567890:1 -1:2; do
	FATHOM_TRACE_WINDOW=$wrong ./prog > out 2> err && bad "FATHOM_TRACE_WINDOW=$wrong is accepted"
	same "FATHOM_TRACE_WINDOW=$wrong: lines" 1 "$(lines_said err)"
	grep -q "FATHOM_TRACE_WINDOW=$wrong cannot be used: allowed is off, FROM:TO" err || bad "FATHOM_TRACE_WINDOW=$wrong: $(cat err)"
done
verdict
