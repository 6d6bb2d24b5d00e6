#!/bin/bash
# Traces whose buffers are full where little is allowed: in constructors, before MPI_Init, in handlers of signals; and
# traces that are not on the file system where they were begun.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
export FATHOM_MODE=trace

cat > prog.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif
static volatile long sink;
#ifndef STEPS
#define STEPS 30000
#define HANDLED 2000
#endif
__attribute__((noinline)) static void early(void) { sink++; }
__attribute__((noinline)) static void step(void) { sink++; }
__attribute__((noinline)) static void handled(void) { sink++; }
__attribute__((constructor)) static void construct(void) { for (int i = 0; i < 30000; i++) early(); }
/* More than a buffer takes, in the middle of whatever it interrupts. */
static void handler(int signal) { (void)signal; for (int i = 0; i < HANDLED; i++) handled(); }
int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler };
	int rank = 0;

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < STEPS; i++) {
		step();
		if (i % 1500 == 0)
			raise(SIGUSR1);
	}
#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2000; i++)
		step();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
#else
	(void)argc, (void)argv;
#endif
	if (rank == 0)
		printf("sum %ld\n", sink);
	return 3;
}
C
calls() { enters "$dir" | awk -v name="$1" '$2 == name { print $1 }'; }

# flushed WHAT: buffers were written as often as it takes
flushed() {
	local n=$(grep -c '^BUFFER_FLUSH ' events.txt)
	[ "$n" -ge 3 ] || bad "$1: only $n flushes"
}

instrument prog.c -o prog
FATHOM_TRACE_MEMORY=200k ./prog > prog.out 2> prog.err
same "early: exit code" 3 $?
same "early: output" "sum 100000" "$(cat prog.out)"
dir=$(experiment) || die "early: no experiment: $(cat prog.err)"
sound early "$dir"
flushed early
same "early: calls of the constructor, main and the handler" "30000 30000 40000" "$(calls early) $(calls step) $(calls handled)"
nothing_hidden early

# A timer that interrupts anything, the writing of a buffer as well: what the handlers do is lost where a record is just
# being written, and the trace is whole.
sed 's/sigaction(SIGUSR1.*/&\n\tsigaction(SIGALRM, \&action, NULL); setitimer(ITIMER_REAL, \&(struct itimerval){ { 0, 200 }, { 0, 200 } }, NULL);/' \
	prog.c > timer.c
instrument -DSTEPS=300000 -DHANDLED=100 timer.c -o timer
rm -rf fathom-*
FATHOM_TRACE_MEMORY=200k ./timer > prog.out 2> prog.err
same "timer: exit code" 3 $?
dir=$(experiment) || die "timer: no experiment: $(cat prog.err)"
sound timer "$dir"
flushed timer
same "timer: calls of the constructor and main" "30000 300000" "$(calls early) $(calls step)"

# --- another file system than that of the experiments ---------------------------------------------
# other DIRECTORY: it is on another file system than this one
other() { [ -d "$1" ] && [ -w "$1" ] && [ "$(stat -c %d "$1")" != "$(stat -c %d .)" ]; }

# The directory for experiments comes when the program has begun, and is elsewhere than the one it has until then.
if other /dev/shm; then
	far=$(mktemp -d /dev/shm/fathom-test.XXXXXX)
	trap 'cd / && rm -rf "$work" "$far"' EXIT
	rm -rf fathom-*
	FATHOM_TRACE_MEMORY=200k FATHOM_DIR=$far ./prog > prog.out 2> prog.err
	same "another file system: exit code" 3 $?
	dir=$(echo "$far"/fathom-prog*)
	sound "another file system" "$dir"
	same "another file system: calls" 30000 "$(calls step)"
	same "another file system: only that" "${dir##*/}" "$(ls -A "$far")"
	# What is hidden goes to TMPDIR where FATHOM_DIR is not there at the start, and is copied from there.
	cat > late.c <<-'C'
	#include <stdlib.h>
	#include <sys/stat.h>
	static volatile long sink;
	static void step(void) { sink++; }
	int main(int argc, char **argv)
	{
		(void)argc;
		for (int i = 0; i < 30000; i++)
			step();
		return mkdir(argv[1], 0777) ? 1 : 3;
	}
	C
	instrument late.c -o late
	FATHOM_TRACE_MEMORY=200k FATHOM_DIR=$PWD/late.dir TMPDIR=$far ./late late.dir > prog.out 2> prog.err
	same "copied: exit code" 3 $?
	dir=$(echo late.dir/fathom-late*)
	sound copied "$dir"
	same "copied: calls" 30000 "$(calls step)"
	same "copied: nothing stays" "" "$(ls -A "$far" | grep -v '^fathom-prog')"
else
	echo "no other file system than that of $PWD: /dev/shm"
fi

# --- before MPI_Init -------------------------------------------------------------------------------
have_mpi || verdict
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -w -DWITH_MPI -finstrument-functions prog.c -o prog $mpilibs || die "cannot build prog.c with MPI"
rm -rf fathom-*
FATHOM_TRACE_MEMORY=200k "$MPIRUN" -n 2 ./prog > prog.out 2> prog.err
same "MPI: output" "sum 102000" "$(cat prog.out)"
dir=$(experiment) || die "MPI: no experiment: $(cat prog.err)"
sound MPI "$dir"
flushed MPI
same "MPI: calls of the constructor, main and the handler" "60000 64000 80000" "$(calls early) $(calls step) $(calls handled)"
# The first was full before the program called MPI at all.
same "MPI: the first" BUFFER_FLUSH "$(otf2-print -L 0 "$dir/traces.otf2" | grep -Eom1 '^BUFFER_FLUSH|"MPI_Init"')"
nothing_hidden MPI
verdict
