/*
 * locked LOCK: a thread takes a lock that the end of the process needs, "linker" (that of the dynamic linker) or "malloc"
 * (that of the program's own malloc), and crashes while main is in exit.
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NO_HOOKS __attribute__((no_instrument_function))

static volatile long sink;
static volatile int has_lock;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

extern void *__libc_malloc(size_t bytes);

NO_HOOKS void *malloc(size_t bytes)
{
	void *memory;

	pthread_mutex_lock(&lock);
	memory = __libc_malloc(bytes);
	pthread_mutex_unlock(&lock);
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

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argc;
	work();
	puts("begin");
	fflush(stdout);
	if (pthread_create(&thread, NULL, crash_with_lock, argv[1]))
		return 8;
	while (!has_lock)
		pass(1);
	exit(5);
}
