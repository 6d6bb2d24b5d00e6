/*
 * daemon WAY [threads]: calls before once, becomes a daemon, calls served 100 times and ends in the given way. With a second
 * argument, another thread is at work when it becomes a daemon.
 */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile long sink;

static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
static void before(void) { work(); }
static void served(void) { work(); }
static void *busy(void *unused) { for (;;) work(); return unused; }

int main(int argc, char **argv)
{
	pthread_t thread;

	before();
	if (argc > 2 && pthread_create(&thread, NULL, busy, NULL))
		return 8;
	if (daemon(0, 0))
		return 9;
	for (int i = 0; i < 100; i++)
		served();
	if (!strcmp(argv[1], "crash"))
		abort();
	if (!strcmp(argv[1], "_exit"))
		_exit(0);
	if (!strcmp(argv[1], "stay"))
		for (;;)
			pause();
	return 0;
}
