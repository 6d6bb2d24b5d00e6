/*
 * slow_closing WAY: three threads are busy with calls when the process ends by crash, _exit or exit, and the thread that
 * closes the trace then needs 4 s for its first memory barrier, as if others had kept it from the processors.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, SLOW_SECONDS = 4 };

/* Stands in for the function of the C library. It is not instrumented: fathom itself calls it. */
__attribute__((no_instrument_function)) long syscall(long number, ...)
{
	static long (*real_syscall)(long number, ...);
	static int barriers;
	const struct timespec pause = { .tv_sec = SLOW_SECONDS };
	long arguments[6];
	va_list list;

	if (!real_syscall)
		*(void **)&real_syscall = dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_membarrier && arguments[0] == MEMBARRIER_CMD_GLOBAL &&
	    !__atomic_fetch_add(&barriers, 1, __ATOMIC_RELAXED))
		nanosleep(&pause, NULL);
	return real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
			    arguments[5]);
}

static volatile long sink;
static int begun;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }

static void *busy(void *unused)
{
	work();
	__atomic_add_fetch(&begun, 1, __ATOMIC_RELEASE);
	for (;;)
		work();
	return unused;
}

int main(int argc, char **argv)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	pthread_t thread;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, busy, NULL))
			return 90;
	while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < THREADS)
		nanosleep(&ms, NULL);
	work();
	if (argc < 2)
		return 91;
	if (!strcmp(argv[1], "crash"))
		*(volatile int *)8 = 1;
	if (!strcmp(argv[1], "_exit"))
		_exit(7);
	exit(5);
}
