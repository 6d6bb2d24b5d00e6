/*
 * stopped_omp MICROSECONDS: a thread of the program stops the main thread, which begins and ends teams all the time, after
 * that time, by a signal whose handler does not return; then it ends the process.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile long sink;
static pthread_t main_thread;
static long stop_us;

static void on_stop(int number) { (void)number; for (;;) pause(); }

static void *stop_and_end(void *unused)
{
	const struct timespec before = { 0, stop_us * 1000 }, after = { 0, 20000000 };

	nanosleep(&before, NULL);
	pthread_kill(main_thread, SIGUSR1);
	nanosleep(&after, NULL);
	_exit(7);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	stop_us = argc > 1 ? atol(argv[1]) : 1000;
	main_thread = pthread_self();
	signal(SIGUSR1, on_stop);
#pragma omp parallel num_threads(2)
	sink++;
	if (pthread_create(&thread, NULL, stop_and_end, NULL))
		return 8;
	for (;;) {
#pragma omp parallel num_threads(1)
		sink++;
	}
	return 0;
}
