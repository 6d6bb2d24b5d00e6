#!/bin/bash
# Traces with pending enters (FATHOM_TRACE_GRANULARITY): visits of functions in which nothing of interest happens are
# left out; their number and time stay. With a granularity of 1000 s the events do not depend on times.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"

# left: the number of visits that the trace of events.txt has left out
left() { sed -n 's/^METRIC .*"left out visits" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' events.txt | awk '{ n += $1 } END { print n + 0 }'; }
# left_time: their time, in ns
left_time() { sed -n 's/^METRIC .*"left out time" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' events.txt | awk '{ n += $1 } END { print n + 0 }'; }
# kinds: the enters, leaves and values of events.txt in their order, each region by its name
kinds() {
	sed -n 's/^ENTER .*Region: "\(.*\)" <[0-9]*>$/+\1/p; s/^LEAVE .*Region: "\(.*\)" <[0-9]*>$/-\1/p
		s/^METRIC .*"left out visits" <[0-9]*>; UINT64; \([0-9]*\)).*/=\1/p' events.txt | tr '\n' ' '
}
# run NAME COMMAND...: in $dir is its trace
run() {
	what=$1
	shift
	rm -rf fathom-*
	"$@" > out 2> err || bad "$what: exit code $?: $(cat err)"
	dir=$(experiment) || exit 1
	sound "$what" "$dir"
}

# --- the known answer ------------------------------------------------------------------------------------
if have_mpi; then
	cat > answer.c <<'C'
#include <mpi.h>
static volatile long sink;
static void kernel(int i) { sink += i; }
static void init(void) { sink = 1; }
static void exchange(void)
{
	int rank, value = 1, other;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Sendrecv(&value, 1, MPI_INT, rank, 1, &other, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void solve(void)
{
	for (int i = 0; i < 1000; i++)
		kernel(i);
	exchange();
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	init();
	solve();
	MPI_Finalize();
	return 0;
}
C
	"$MPICC" -g -O1 -finstrument-functions answer.c -o answer $mpilibs || die "cannot build answer.c"
	run "the whole trace" env FATHOM_MODE=trace ./answer
	same "the whole trace: enters" 1008 "$(grep -c '^ENTER ' events.txt)"
	export FATHOM_TRACE_GRANULARITY=1000s
	run "pending enters" env FATHOM_MODE=trace ./answer
	same "pending enters: events" \
		"+answer +main +MPI_Init -MPI_Init =1 +solve =1000 +exchange +MPI_Sendrecv -MPI_Sendrecv -exchange -solve +MPI_Finalize -MPI_Finalize -main -answer " \
		"$(kinds)"
	otf2-print -I "$dir/traces.otf2" | grep -A 1 'FATHOM::GRANULARITY_NS' | grep -q ' 1000000000000$' || bad "the trace does not say its granularity"
	[ ! -x "$FATHOM-report" ] || "$FATHOM" report --trace "$dir" | grep -q 'shorter than 1000 s' || bad "the report does not say the granularity"
	unset FATHOM_TRACE_GRANULARITY
fi

# --- visits and times stay ----------------------------------------------------------------------------------
cat > prog.c <<'C'
#include <fathom/fathom.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static volatile long sink;
static jmp_buf out;
static void leaf(void) { sink++; }
static void inner(int n) { for (int i = 0; i < n; i++) leaf(); }
static void outer(int n) { inner(n); leaf(); inner(n); }
static void deep(int n) { if (n) deep(n - 1); else leaf(); }
static void bottom(void) { FATHOM_REGION("bottom"); leaf(); }
static void deep_in_user(int n) { if (n) deep_in_user(n - 1); else bottom(); }
static void jumps(int n) { if (n) jumps(n - 1); else longjmp(out, 1); }
static void sleeps(void) { nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL); }
static void naps(void) { leaf(); sleeps(); }
static void gives(int n) { leaf(); FATHOM_METRIC_INT("given", "occ", "a number", n); leaf(); }
static void *thread(void *n) { outer(*(int *)n); return NULL; }
static void fails(void) { leaf(); abort(); }
int main(int argc, char **argv)
{
	int n = 100;
	pthread_t threads[3];
	outer(n);
	deep(300);
	deep(2000);	/* more than can be pending */
	deep_in_user(150);
	if (!setjmp(out))
		jumps(5);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, thread, &n);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	naps();
	gives(n);
	FATHOM_RECORDING_OFF();
	outer(n);
	FATHOM_RECORDING_ON();
	outer(n);
	if (argc > 1 && !strcmp(argv[1], "abort"))
		fails();
	return 0;
}
C
"$CC" -g -O1 -finstrument-functions -DFATHOM_USER -I"$srcdir/include" prog.c -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state || die "cannot build prog.c"

# whole WHAT: the visits of the profile are the enters of the trace and the visits that are left out.
whole() {
	visited "$dir/profile.cubex" | grep -v ' MEASUREMENT OFF$' | awk '{ n += $1 } END { print n + 0 }' > visits
	# The program itself is entered, too, and is no visit here.
	same "$1: visits" "$(cat visits)" "$(($(grep -c '^ENTER ' events.txt) - 1 + $(left)))"
}
export FATHOM_MODE=profile,trace
run "a granularity of 1000 s" env FATHOM_TRACE_GRANULARITY=1000s ./prog
whole "a granularity of 1000 s"
enters "$dir" | grep -Eq ' (leaf|inner|outer|sleeps|naps|jumps)$' && bad "1000 s: functions are in the trace: $(enters "$dir")"
same "1000 s: the call path of a user region" 151 "$(enters "$dir" | awk '$2 == "deep_in_user" { print $1 }')"
same "1000 s: the call path of a value" 1 "$(enters "$dir" | awk '$2 == "gives" { print $1 }')"
[ "$(left_time)" -ge 50000000 ] || bad "1000 s: only $(left_time) ns are left out, one function takes 50 ms"
run "a granularity of 20 ms" env FATHOM_TRACE_GRANULARITY=20ms ./prog
whole "a granularity of 20 ms"
same "20 ms: a function of 50 ms, and its caller" "1 1" "$(enters "$dir" | awk '$2 == "naps" || $2 == "sleeps" { printf "%s%s", s, $1; s = " " }')"
run "the smallest granularity" env FATHOM_TRACE_GRANULARITY=1ns ./prog
whole "the smallest granularity"
run "with counters" env FATHOM_TRACE_GRANULARITY=1000s FATHOM_METRICS=rusage::minflt,rusage::nvcsw ./prog
whole "with counters"
run "with the system's clock" env FATHOM_TRACE_GRANULARITY=1000s FATHOM_CLOCK=monotonic ./prog
whole "with the system's clock"
run "with samples" env FATHOM_TRACE_GRANULARITY=1000s FATHOM_SAMPLING=1000 FATHOM_TRACE_SAMPLES=1000 ./prog
run "with little memory" env FATHOM_TRACE_GRANULARITY=1ns FATHOM_TRACE_MEMORY=1 ./prog
whole "with little memory"
run "with a limit" env FATHOM_TRACE_GRANULARITY=1ns FATHOM_TRACE_LIMIT=1 ./prog

same "with a limit: the program" "1 1" "$(enters "$dir" | awk '$2 == "prog" { printf "%s ", $1 }')$(grep -c '^PROGRAM_END' events.txt)"

# A program that fails: what is active is in the trace.
rm -rf fathom-*
{ (ulimit -c 0; FATHOM_TRACE_GRANULARITY=1000s ./prog abort) > out 2> err; } 2> /dev/null
dir=$(experiment) || exit 1
sound "abort" "$dir"
same "abort: the function that fails" "1 1" "$(enters "$dir" | awk '$2 == "fails" || $2 == "main" { printf "%s%s", s, $1; s = " " }')"
verdict
