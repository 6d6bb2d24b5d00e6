/*
 * startup: how long a program takes from exec to main, and from the end of main to its end, and what a thread takes of memory.
 *
 *   startup RUNS PROGRAM [ARGUMENT...]   runs PROGRAM so often and prints the medians
 *   PROGRAM                              (this one, built with the hooks or without) tells its times and ends
 *   PROGRAM threads N                    has N threads that do little, and prints the KiB of memory that it has for itself
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

enum { TIMES_FD = 9, MOST_RUNS = 10000, MOST_THREADS = 1024 };

/* When a program was where: shared by the two processes. */
struct times {
	uint64_t exec_ns, main_ns, leave_ns;
};

PLAIN static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

PLAIN static void fail(const char *what)
{
	fprintf(stderr, "startup: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- the program ---------------------------------------------------------------------------------- */

static volatile int something;

__attribute__((noinline)) static void leaf(void)
{
	something++;
}

/* What most threads do: a few functions, some of them often. */
__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 100; i++)
		leaf();
}

static pthread_barrier_t all_there, all_seen;

static void *routine(void *data)
{
	work();
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&all_seen);
	return data;
}

/* KiB that nobody shares, as the kernel counts them. */
PLAIN static long own_memory(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long sum = 0, kib;

	if (!file)
		fail("/proc/self/smaps_rollup");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Private_Clean: %ld", &kib) == 1 || sscanf(line, "Private_Dirty: %ld", &kib) == 1)
			sum += kib;
	fclose(file);
	return sum;
}

static int run_threads(int count)
{
	static pthread_t threads[MOST_THREADS];

	if (count < 1 || count > MOST_THREADS) {
		fprintf(stderr, "startup: threads: 1 to %d\n", MOST_THREADS);
		return 2;
	}
	pthread_barrier_init(&all_there, NULL, (unsigned int)count + 1);
	pthread_barrier_init(&all_seen, NULL, (unsigned int)count + 1);
	work();
	for (int i = 0; i < count; i++)
		if ((errno = pthread_create(&threads[i], NULL, routine, NULL)))
			fail("a thread");
	pthread_barrier_wait(&all_there);
	printf("%ld KiB\n", own_memory());
	pthread_barrier_wait(&all_seen);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* --- who runs it ------------------------------------------------------------------------------------ */

struct run {
	double main_us, leave_us, faults, peak_kib;
};

PLAIN static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

PLAIN static double median(const struct run *runs, int count, size_t offset)
{
	static double values[MOST_RUNS];

	for (int i = 0; i < count; i++)
		memcpy(&values[i], (const char *)&runs[i] + offset, sizeof(*values));
	qsort(values, (size_t)count, sizeof(*values), by_size);
	return values[count / 2];
}

PLAIN static struct run run_once(struct times *times, char **command)
{
	struct rusage usage;
	uint64_t ended;
	int status;
	pid_t child = fork();

	if (child < 0)
		fail("fork");
	if (child == 0) {
		times->exec_ns = now();
		execv(command[0], command);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child)
		fail("wait4");
	ended = now();
	if (status || times->main_ns < times->exec_ns) {
		fprintf(stderr, "startup: %s: ended with status %d\n", command[0], status);
		exit(1);
	}
	return (struct run){ (double)(times->main_ns - times->exec_ns) / 1e3, (double)(ended - times->leave_ns) / 1e3,
			     (double)usage.ru_minflt, (double)usage.ru_maxrss };
}

PLAIN static int run_often(int count, char **command)
{
	static struct run runs[MOST_RUNS];
	struct times *times;
	int fd = memfd_create("times", 0);

	if (count < 1 || count > MOST_RUNS) {
		fprintf(stderr, "startup: RUNS: 1 to %d\n", MOST_RUNS);
		return 2;
	}
	if (fd < 0 || ftruncate(fd, sizeof(*times)) || dup2(fd, TIMES_FD) < 0)
		fail("memory for both");
	times = mmap(NULL, sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (times == MAP_FAILED)
		fail("memory for both");
	close(fd);
	run_once(times, command);	/* files into the cache */
	for (int i = 0; i < count; i++)
		runs[i] = run_once(times, command);
	printf("main %.1f us\nend %.1f us\nfaults %.0f\npeak %.0f KiB\n",
	       median(runs, count, offsetof(struct run, main_us)), median(runs, count, offsetof(struct run, leave_us)),
	       median(runs, count, offsetof(struct run, faults)), median(runs, count, offsetof(struct run, peak_kib)));
	return 0;
}

static int tell_times(uint64_t begun)
{
	struct times *times = mmap(NULL, sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED, TIMES_FD, 0);

	if (times == MAP_FAILED)
		return 0;	/* by hand */
	times->main_ns = begun;
	work();
	times->leave_ns = now();
	return 0;
}

PLAIN int main(int count, char **words)
{
	uint64_t begun = now();

	if (count == 3 && !strcmp(words[1], "threads"))
		return run_threads(atoi(words[2]));
	if (count > 2)
		return run_often(atoi(words[1]), words + 2);
	return tell_times(begun);
}
