#!/bin/bash
# One of two ranks needs seconds to close its trace, as if others had kept it from the processors: the busy threads of both
# are held until the event files of their rank are complete, and the trace has the leave of every region.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
need_mpi
cat > prog.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/membarrier.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int rank;
static volatile long sink;
static void deep(int n) { sink++; if (n) deep(n - 1); }
static void *busy(void *unused) { for (;;) deep(50); return unused; }

/* Stands in for the function of the C library. fathom's first memory barrier is slow in rank 1. */
__attribute__((no_instrument_function)) long syscall(long number, ...)
{
	static long (*real_syscall)(long number, ...);
	static int barriers;
	long arguments[6];
	va_list list;

	if (!real_syscall)
		*(void **)&real_syscall = dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_membarrier && arguments[0] == MEMBARRIER_CMD_GLOBAL && rank == 1 && !barriers++)
		sleep(4);
	return real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, busy, NULL);
	usleep(20000);
	MPI_Finalize();
	return 0;
}
C
FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$MPICC" -O1 -g prog.c -o prog -rdynamic -lpthread -ldl 2> build.err ||
	die "cannot build: $(cat build.err)"
for mode in trace profile,trace; do
	rm -rf result
	before=$SECONDS
	FATHOM_NAME=result FATHOM_MODE=$mode timeout -s KILL 120 $MPIRUN -n 2 ./prog > out 2>&1
	same "$mode: status" 0 $?
	[ $((SECONDS - before)) -ge 3 ] || bad "$mode: closing the trace was not slow"
	sound "$mode" result
done
verdict
