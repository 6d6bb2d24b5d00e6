#!/bin/sh
# What fathom says may never end a program: stderr is a pipe without a reader, a file at its limit, or closed, and the exit code and
# the output are as without fathom. Nor may what it writes: the limit on the size of files is met by the profile, by the trace and by
# the notes beside them.
. "${srcdir:?}/test/lib.sh" || exit 99
mkfifo pipe

cat > prog.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *sum) { for (int i = 0; i < 100000; i++) *(volatile long *)sum += i; return 0; }
int main(int argc, char **argv)
{
	pthread_t thread;
	long sum = 0;
	if (argc > 1) signal(SIGPIPE, SIG_IGN);
	pthread_create(&thread, 0, work, &sum);
	pthread_join(thread, 0);
	printf("sum %ld\n", sum);
	return 7;
}
C
instrument -pthread prog.c -o prog
"$CC" -O1 -pthread prog.c -o plain || die "cannot build prog.c"
"$CC" -O1 -x c - -o serial <<'C' || die "cannot build"
#include <stdio.h>
int main(void) { puts("sum 1"); return 7; }
C

# deaf COMMAND...: with a pipe for stderr that had a reader and has none any more
deaf() {
	: < pipe &
	exec 3> pipe
	wait $!
	"$@" > out 2>&3
	code=$?
	exec 3>&-
}
# unchanged WHAT: the last run was as without fathom
unchanged() {
	same "$1: exit code" 7 "$code"
	contains "$1: output" "$(cat out)" '^sum [0-9]*$'
	same "$1: files left half-written" "" "$(find fathom-* -name '*.part' 2> /dev/null)"
}
modes="profile"
[ ! -e "$builddir/.libs/libfathom-trace.so" ] || modes="profile trace profile,trace"
deaf ./plain; unchanged "plain"
for mode in $modes; do
	export FATHOM_MODE=$mode
	rm -rf fathom-*
	deaf ./prog; unchanged "$mode, a pipe without a reader"
	experiment > /dev/null || bad "$mode, a pipe without a reader: no experiment"
	deaf ./prog ignore; unchanged "$mode, a pipe without a reader, SIGPIPE ignored"
	./prog > out 2>&-; code=$?; unchanged "$mode, no stderr"
	for limit in 0 1 4 8; do
		# The limit is not one for pipes.
		{ (ulimit -f $limit; exec ./prog 2>&1); echo "code $?"; } | cat > all
		code=$(sed -n 's/^code //p' all); grep '^sum' all > out
		unchanged "$mode, ulimit -f $limit, output in a pipe"
		rm -rf fathom-*
		(ulimit -f $limit; exec ./prog > /dev/null 2> /dev/null); same "$mode, ulimit -f $limit: exit code" 7 $?
		find fathom-* -name '*.cubex' -size 0 -o -name '*.part' > left 2> /dev/null
		same "$mode, ulimit -f $limit: left" "" "$(cat left)"
	done
	(ulimit -f 0; exec ./prog > /dev/null 2>> grown); same "$mode, stderr at its limit: exit code" 7 $?
done
FATHOM_MODE=profile
rm -rf fathom-*
deaf "$FATHOM" run ./plain; unchanged "fathom run"
deaf "$FATHOM" run --verbose ./plain; unchanged "fathom run --verbose"
deaf "$FATHOM" run ./serial; unchanged "fathom run of a serial program"
(ulimit -f 0; exec "$FATHOM" run --verbose ./plain > /dev/null 2>> grown); same "fathom run, stderr at its limit: exit code" 7 $?

have_mpi || verdict
cat > ranks.c <<'C'
#include <mpi.h>
#include <sys/resource.h>
/* From MPI_Init on: MPI itself makes files. */
int main(int argc, char **argv)
{
	struct rlimit none = { 0, 0 };
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	setrlimit(RLIMIT_FSIZE, &none);
	MPI_Finalize();
	return 7;
}
C
"$MPICC" -g -O1 -finstrument-functions ranks.c -o ranks -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" -Wl,--no-as-needed \
	-lfathom-compiler -lfathom-mpi -lfathom || die "cannot build ranks.c"
for mode in $modes; do
	export FATHOM_MODE=$mode
	"$MPIRUN" -n 2 sh -c './ranks 2> /dev/null; echo code $?' > out 2> err
	same "$mode, two ranks, ulimit -f 0" 'code 7
code 7' "$(grep code out)"
done
verdict
