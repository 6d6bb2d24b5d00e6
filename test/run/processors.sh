#!/bin/sh
# Ranks and threads that share processors: the profile knows it, and the report says so and gives no efficiency.
. "${srcdir:?}/test/lib.sh" || exit 99

# into DIRECTORY: where results go from now on.
into() {
	mkdir "$1"
	export FATHOM_DIR="$1"
}

# on_one COMMAND...: with one processor for all that it starts.
on_one() {
	"$PYTHON3" -c 'import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}

# sharing DIRECTORY: "PROCESSORS SHARED-BY-PROCESSES SHARED-BY-THREADS", "PROCESSORS -" where none are shared.
sharing() {
	"$FATHOM" report --json "$1" | "$PYTHON3" -c 'import json, sys
summary = json.load(sys.stdin)["summary"]
sharing = summary["sharing"]
assert 0 < summary["processor_time"] <= summary["wall_time"] * summary["processors"] * 1.1 + 0.05, summary
print("%g" % summary["processors"], "%g %g" % (sharing["processes"], sharing["threads"]) if sharing else "-")'
}
processors=$("$PYTHON3" -c 'import os; print(len(os.sched_getaffinity(0)))')

# Functions of a program alone.
cat > alone.c <<'C'
static volatile long sink;
static void work(void) { for (long i = 0; i < 30000000; i++) sink += i; }
int main(void) { work(); return 0; }
C
"$FATHOM" "$CC" -O1 -g alone.c -o alone || die "cannot build alone"
into one
on_one ./alone 2> /dev/null || bad "alone"
same "one thread" "1 -" "$(sharing one)"
"$FATHOM" report one > report.txt || bad "report"
contains "processors" "$(cat report.txt)" '^Processors 1 \(this run used [0-9.]*%\) +CPU time +[0-9]'
grep -q 'share' report.txt && bad "one thread shares a processor"

# Threads: three that work while main waits for them, or two beside a main that works.
cat > threads.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static volatile long sink;
void work(void) { for (long i = 0; i < 60000000; i++) sink += i; }
static void *run(void *argument) { work(); return argument; }
int main(int argc, char **argv)
{
	pthread_t threads[8];
	int count = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 2; i < argc; i++)
		work();
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
C
"$FATHOM" "$CC" -O1 -g -pthread threads.c -o threads || die "cannot build threads"
into waits
on_one ./threads 1 2> /dev/null || bad "threads 1"
same "a thread, and main that waits" "1 -" "$(sharing waits)"
into three
on_one ./threads 3 2> /dev/null || bad "threads 3"
same "three threads, and main that waits" "1 1 3" "$(sharing three)"
"$FATHOM" report three > report.txt || bad "report"
contains "threads that share" "$(tr '\n' ' ' < report.txt)" '! 3 threads share 1 processor: if all work, each has a processor for 33\.3% of +the time'
into works
on_one ./threads 2 main main 2> /dev/null || bad "threads 2"
same "two threads, and main that works" "1 1 3" "$(sharing works)"

[ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ] || verdict
cat > ranks.c <<'C'
#include <mpi.h>
#include <string.h>
static volatile long sink;
void work(void) { for (long i = 0; i < 60000000; i++) sink += i; }
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	work();
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 1)
		MPI_Abort(MPI_COMM_WORLD, 3);
	MPI_Finalize();
	return 0;
}
C
"$FATHOM" "$MPICC" -O1 -g ranks.c -o ranks || die "cannot build ranks"
into shared
on_one $MPIRUN -n 2 ./ranks 2> /dev/null || bad "ranks"
same "two ranks on a processor" "1 2 2" "$(sharing shared)"
"$FATHOM" report shared > report.txt || bad "report"
contains "ranks that share" "$(tr '\n' ' ' < report.txt)" '! 2 ranks share 1 processor: '
contains "no efficiency" "$(cat report.txt)" '^     -  Parallel efficiency is not given: ranks share processors\.$'

# Each with a processor of its own, and both bound to the same one of several.
if [ "$processors" -ge 2 ]; then
	cat > bind <<-'B'
	import os, sys
	all = sorted(os.sched_getaffinity(0))
	rank = int(os.environ.get("PMI_RANK", os.environ.get("OMPI_COMM_WORLD_RANK", "0")))
	os.sched_setaffinity(0, {all[rank if sys.argv[1] == "apart" else 1]})
	os.execvp(sys.argv[2], sys.argv[2:])
	B
	into apart
	$MPIRUN -n 2 "$PYTHON3" bind apart ./ranks 2> /dev/null || bad "ranks apart"
	same "ranks with a processor each" "2 -" "$(sharing apart)"
	"$FATHOM" report apart > report.txt || bad "report"
	contains "an efficiency" "$(cat report.txt)" '^ +[0-9.]*%  Parallel efficiency = .* communication efficiency'
	contains "without init" "$(cat report.txt)" 'MPI_Init and MPI_Finalize left out'
	into same
	$MPIRUN -n 2 "$PYTHON3" bind same ./ranks 2> /dev/null || bad "ranks on the same"
	same "ranks bound to the same processor" "1 2 2" "$(sharing same)"
fi

# Where each saves its own, fathom merge finds it out.
into aborted
on_one $MPIRUN -n 2 ./ranks abort > /dev/null 2>&1
if [ -e "$(echo aborted/*/rank-0.cubex)" ] && [ -e "$(echo aborted/*/rank-1.cubex)" ]; then
	"$FATHOM" merge aborted/* > merge.txt || bad "merge"
	same "ranks that were put together" "1 2 2" "$(sharing aborted)"
fi
verdict
