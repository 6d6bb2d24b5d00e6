#!/bin/bash
# Traces with a ring (FATHOM_TRACE_RING): each thread's newest events are in full, and of older ones only functions are
# missing, whose number stays; FATHOM_TRACE_SLOW keeps slow iterations of a phase in full, too, and so do a call of the
# program and a signal.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"

cat > prog.c <<'C'
#include <fathom/fathom.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static volatile long sink;
static void leaf(void) { sink++; }
static void inner(int n) { for (int i = 0; i < n; i++) leaf(); }
static void rests(long ms) { nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL); }
static void step(int n) { inner(n); leaf(); }
static void iterate(int i, int n, long ms) { FATHOM_PHASE("iteration", i); rests(ms); step(n); }
static void early(void) { leaf(); }
static void *thread(void *n) { for (int i = 0; i < 10; i++) iterate(i, *(int *)n, 0); return NULL; }
int main(int argc, char **argv)
{
	const char *long_ms = getenv("LONG_MS");	/* how long iteration 20 rests */
	int n = 10000;	/* 240 kB of an iteration, which is less than a chunk */
	pthread_t other;
	early();
	pthread_create(&other, NULL, thread, &n);
	pthread_join(other, NULL);
	for (int i = 0; i < 40; i++) {
		iterate(i, n, i == 20 && long_ms ? atol(long_ms) : 1);
		if (i == 10 && argc > 1 && !strcmp(argv[1], "keep"))
			FATHOM_TRACE_KEEP();
		if (i == 10 && argc > 1 && !strcmp(argv[1], "signal"))
			raise(SIGUSR2);
	}
	if (argc > 1 && !strcmp(argv[1], "abort"))
		abort();
	return 0;
}
C
"$CC" -g -O1 -finstrument-functions -DFATHOM_USER -I"$srcdir/include" prog.c -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state || die "cannot build prog.c"

# run NAME SETTINGS...: in $dir is its trace
run() {
	what=$1
	shift
	rm -rf fathom-*
	(ulimit -c 0; env "$@" ./prog $arguments) > out 2> err
	dir=$(experiment) || exit 1
	sound "$what" "$dir"
	left=$(sed -n 's/^METRIC .*"left out visits" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' events.txt | awk '{ n += $1 } END { print n + 0 }')
	same "$what: iterations" "$iterations" "$(grep -Ec '^(CALLING_CONTEXT_)?ENTER .*(Region|Calling Context): "iteration" ' events.txt)"
	[ "$what" != "a ring" ] || otf2_python=	# the oracle takes its time: twice is enough
}
# whole: the visits of the profile are the enters of the trace, except that of the program, and the visits left out.
whole() {
	visited "$dir/profile.cubex" | awk '{ n += $1 } END { print n + 0 }' > visits
	same "$what: visits" "$(cat visits)" "$(($(grep -c '^ENTER ' events.txt) - 1 + left))"
	[ "$left" -ge 200000 ] || bad "$what: only $left visits are left out"
}
# leaves NUMBER: how often the initial thread enters leaf in its iteration with this number
leaves() {
	awk -v wanted="$1" '$2 == 0 && /^ENTER .*Region: "iteration" / { at = number++ } $2 == 0 && /^ENTER .*Region: "leaf" / && at == wanted { n++ }
		END { print n + 0 }' events.txt
}
arguments= iterations=50
oracle_python=$otf2_python
export FATHOM_MODE=profile,trace
run "a ring" FATHOM_TRACE_RING=1M
whole
same "a ring: the last iteration" 10001 "$(leaves 39)"
same "a ring: an old iteration" 0 "$(leaves 3)"
enters "$dir" | grep -q ' early$' && bad "a ring: the first function is in the trace"
otf2-print -I "$dir/traces.otf2" | grep -A 1 'FATHOM::RING_BYTES' | grep -q ' 1000000$' || bad "the trace does not say its ring"
[ ! -x "$FATHOM-report" ] || "$FATHOM" report --trace "$dir" | grep -q 'newest events' || bad "the report does not say that functions are left out"
run "a ring, little memory" FATHOM_TRACE_RING=16M FATHOM_TRACE_MEMORY=1
whole
run "a ring, granularity" FATHOM_TRACE_RING=1M FATHOM_TRACE_GRANULARITY=1ns
whole
run "a ring, samples" FATHOM_TRACE_RING=1M FATHOM_SAMPLING=100 FATHOM_TRACE_SAMPLES=100
run "a ring that is large enough" FATHOM_TRACE_RING=16M
same "a ring that is large enough: nothing is left out" 0 "$left"
otf2_python=$oracle_python
run "slow iterations" LONG_MS=1500 FATHOM_TRACE_RING=1M FATHOM_TRACE_SLOW=5
otf2_python=
same "slow iterations: the slow one" 10001 "$(leaves 20)"
same "slow iterations: one before" 0 "$(leaves 3)"
same "slow iterations: the last one" 10001 "$(leaves 39)"
run "a time" LONG_MS=1500 FATHOM_TRACE_RING=1200ms
whole
same "a time: the last iteration" 10001 "$(leaves 39)"
same "a time: the iterations before the long one" 0 "$(leaves 19)"
run "a long time" FATHOM_TRACE_RING=3600s
same "a long time: nothing is left out" 0 "$left"
run "counters" FATHOM_TRACE_RING=1M FATHOM_METRICS=rusage::minflt
whole
same "counters: the last iteration" 10001 "$(leaves 39)"
same "counters: an old iteration" 0 "$(leaves 3)"
# Each enter and leave has its readings in front, with the same time.
same "counters: enters and leaves without readings" 0 "$(awk '
	/^METRIC .*"minflt/ || /^METRIC .*minflt/ { time[$2] = $3 }
	/^(ENTER|LEAVE) / { n += !($2 in time) || time[$2] != $3 } END { print n + 0 }' events.txt)"
# Without the request the iterations around the tenth one are gone, as the one with number 3 is.
arguments=keep
run "a call" FATHOM_TRACE_RING=1M
whole
same "a call: the iteration before it" 10001 "$(leaves 10)"
same "a call: an old iteration" 0 "$(leaves 3)"
arguments=signal
run "a signal" FATHOM_TRACE_RING=1M FATHOM_TRACE_SIGNAL=USR2
whole
same "a signal: the iteration before it" 10001 "$(leaves 10)"
run "a signal, no handlers" FATHOM_TRACE_RING=1M FATHOM_TRACE_SIGNAL=USR2 FATHOM_SIGNALS=off
same "a signal, no handlers: the iteration before it" 10001 "$(leaves 10)"
iterations=21
run "another signal" FATHOM_TRACE_RING=1M FATHOM_TRACE_SIGNAL=USR1 2> /dev/null
iterations=50
grep -q SIGUSR2 err || bad "another signal: nothing is said about the end by SIGUSR2"
same "another signal: the iteration before it" 10001 "$(leaves 10)"
arguments=abort
run "abort" FATHOM_TRACE_RING=1M 2> /dev/null
same "abort: the last iteration" 10001 "$(leaves 39)"
same "abort: an old iteration" 0 "$(leaves 3)"
verdict
