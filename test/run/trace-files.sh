#!/bin/bash
# Files that are made from a trace when the program ends: the index (FATHOM_TRACE_INDEX) and the compressed file
# (FATHOM_TRACE_COMPRESS). The program does not notice it.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"

cat > prog.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void leaf(void) { sink++; }
static void step(int n) { for (int i = 0; i < n; i++) leaf(); }
static void child_ended(int signal)
{
	(void)signal;
	if (write(STDOUT_FILENO, "a child\n", 8) != 8)
		_exit(1);
}
int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 2)
		signal(SIGCHLD, child_ended);
	else
		signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 100; i++)
		step(i);
	if (argc == 3)
		abort();
	puts("the last line");
	return 3;
}
C
"$FATHOM" "$CC" -O1 prog.c -o prog || die "compiling"

# run WHAT CODE ARGUMENTS: the program prints its own line only and ends as it does without fathom; the trace is in ./dir.
run() {
	rm -rf dir place
	mkdir place
	FATHOM_MODE=${mode:-trace} FATHOM_DIR=place ./prog "${@:3}" > out 2> err
	code=$?
	mv place/fathom-* dir
	same "$1: exit code" "$2" $code
	same "$1: its output" "${line-the last line}" "$(cat out)"
	[ -e dir/traces.otf2 ] || bad "$1: no trace: $(cat err)"
}

export FATHOM_TRACE_INDEX=on FATHOM_TRACE_COMPRESS=on
run "both" 3 handler
sound "both" dir
contains "the time of the index" "$(cat err)" '^fathom: index of the trace made in [0-9.]+ s$'
contains "the time of the compressed file" "$(cat err)" '^fathom: compressed file of the trace made in [0-9.]+ s$'
"$builddir/fathom-trace" --index dir > out
contains "the index is of this trace" "$(cat out)" 'it was made before$'
"$builddir/fathom-trace" --compress -o again.graphs dir > out || bad "compressing again"
cmp again.graphs dir/traces.graphs || bad "the compressed file is not that of fathom trace"
"$builddir/fathom-check" dir/traces.graphs > out || bad "fathom check: $(cat out)"
run "SIGCHLD is ignored" 3
[ -e dir/traces.graphs ] && [ -e dir/traces.frames ] || bad "SIGCHLD is ignored: $(ls dir)"

mode=profile,trace FATHOM_TRACE_INDEX=off FATHOM_TRACE_DEVIATION=1000 run "with a deviation" 3
[ -e dir/profile.cubex ] || bad "no profile"
[ -e dir/traces.frames ] && bad "an index that nobody wanted"
"$builddir/fathom-report" dir/traces.graphs > report || bad "a report of the compressed file"
contains "the deviation" "$(cat report)" "FATHOM::DEVIATION +1000 ticks"

# A crash leaves the plain trace. A run without a trace makes neither file.
line= run "a crash" 134 and crash
sound "a crash" dir
[ -e dir/traces.graphs ] && bad "a compressed file after a crash"
rm -rf dir place
mkdir place
FATHOM_MODE=profile FATHOM_DIR=place ./prog > out 2> err
mv place/fathom-* dir
[ -e dir/profile.cubex ] && [ ! -e dir/traces.graphs ] || bad "a run without a trace: $(ls dir)"

# --- processes of MPI: one of them makes the files
have_mpi || verdict
cat > ranks.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, token = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 50; i++) {
		MPI_Sendrecv_replace(&token, 1, MPI_INT, !rank, 0, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return MPI_Finalize();
}
C
"$FATHOM" "$MPICC" ranks.c -o ranks || die "compiling with MPI"
rm -rf dir place
mkdir place
FATHOM_MODE=trace FATHOM_DIR=place timeout 60 "$MPIRUN" -n 2 ./ranks > out 2> err || bad "two ranks: $(cat err)"
mv place/fathom-* dir
sound "two ranks" dir
same "files made once" 2 "$(grep -c 'of the trace made' err)"
"$builddir/fathom-check" dir/traces.graphs > out || bad "two ranks: $(cat out)"
contains "both ranks" "$(cat out)" 'of 2 locations, 100 messages, '
verdict
