/*
 * stuck_rename N: the program crashes, and call number N of rename, of all processes together, waits for a lock that
 * nobody releases: so the copy of the process that writes the trace stops there, and is made again.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_HOOKS __attribute__((no_instrument_function))

static volatile long sink;
static int *calls;	/* of rename, in shared memory */
static int stuck_call;

NO_HOOKS int rename(const char *from, const char *to)
{
	static int lock = 1;

	if (calls && __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED) == stuck_call)
		for (;;)
			syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 1, NULL);
	return (int)syscall(SYS_renameat2, -100, from, -100, to, 0);
}

static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
static void *work_elsewhere(void *unused) { work(); return unused; }

int main(int argc, char **argv)
{
	pthread_t thread;

	stuck_call = argc > 1 ? atoi(argv[1]) : 0;
	calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (calls == MAP_FAILED || pthread_create(&thread, NULL, work_elsewhere, NULL))
		return 8;
	pthread_join(thread, NULL);
	work();
	*(volatile int *)8 = 1;
	return 0;
}
