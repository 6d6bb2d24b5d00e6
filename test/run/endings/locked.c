/*
 * locked LOCK: a thread takes a lock that the end of the process needs, "linker" (that of the dynamic linker) or "malloc"
 * (that of the program's own malloc), and crashes while main is in exit. "released" and
 * "measured": the thread holds the malloc's lock for a while, in which main crashes; with "measured", releasing the lock
 * is an event, at which the thread is held while the trace is closed.
 */
#define _GNU_SOURCE
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NO_HOOKS __attribute__((no_instrument_function))

static volatile long sink;
static volatile int has_lock;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

extern void *__libc_malloc(size_t bytes);

/* A lock that fathom knows nothing of. */
static int plain_lock;
static int has_plain_lock;

NO_HOOKS static void take(void)
{
	if (!has_plain_lock)
		pthread_mutex_lock(&lock);
	else
		while (__atomic_exchange_n(&plain_lock, 1, __ATOMIC_ACQUIRE))
			syscall(SYS_futex, &plain_lock, FUTEX_WAIT_PRIVATE, 1, NULL);
}

NO_HOOKS static void give(void)
{
	if (!has_plain_lock) {
		pthread_mutex_unlock(&lock);
		return;
	}
	__atomic_store_n(&plain_lock, 0, __ATOMIC_RELEASE);
	syscall(SYS_futex, &plain_lock, FUTEX_WAKE_PRIVATE, 1);
}

NO_HOOKS void *malloc(size_t bytes)
{
	void *memory;

	take();
	memory = __libc_malloc(bytes);
	give();
	return memory;
}

NO_HOOKS static void pass(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&time, &time))
		;
}

static void work(void) { for (int i = 0; i < 1000; i++) sink++; }

NO_HOOKS static void crash_later(void)
{
	has_lock = 1;
	pass(500);
	*(volatile int *)8 = 1;
}

NO_HOOKS static int in_linker(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	(void)info;
	(void)bytes;
	(void)unused;
	crash_later();
	return 0;
}

static void *crash_with_lock(void *name)
{
	work();
	if (!strcmp(name, "linker"))
		dl_iterate_phdr(in_linker, NULL);
	pthread_mutex_lock(&lock);
	crash_later();
	return NULL;
}

static void *hold_for_a_while(void *unused)
{
	work();
	take();
	has_lock = 1;
	pass(700);
	give();
	for (;;)
		pass(1000);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int is_released = !strcmp(argv[1], "released") || !strcmp(argv[1], "measured");

	(void)argc;
	has_plain_lock = !strcmp(argv[1], "released");
	work();
	puts("begin");
	fflush(stdout);
	if (pthread_create(&thread, NULL, is_released ? hold_for_a_while : crash_with_lock, argv[1]))
		return 8;
	while (!has_lock)
		pass(1);
	if (is_released)
		*(volatile int *)8 = 1;
	exit(5);
}
