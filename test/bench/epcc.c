/*
 * epcc [SHORTER] [CONSTRUCT...]: what OpenMP constructs cost, in the manner of the EPCC benchmarks: a construct
 * many times around a short piece of work, less the work alone. Prints "CONSTRUCT NANOSECONDS" for each, and
 * at the end "memory KIB", the most it ever had.
 * SHORTER divides the repetitions: 1 for figures, 1000 to see that it works.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 21, WORK = 50 };

static int threads;
static omp_lock_t lock;
static long shared_sum;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Some tens of nanoseconds that no compiler takes out. */
static inline void work(void)
{
	for (int i = 0; i < WORK; i++)
		__asm__ volatile("");
}

/*
 * Each runs its construct count times, and returns how often the work was done one after the other meanwhile. What
 * only one thread can do at a time is shared among the threads.
 */
static long reference(long count)
{
	for (long i = 0; i < count; i++)
		work();
	return count;
}

static long parallel(long count)
{
	for (long i = 0; i < count; i++) {
#pragma omp parallel
		work();
	}
	return count;
}

static long loop(long count)
{
#pragma omp parallel
	for (long i = 0; i < count; i++) {
#pragma omp for schedule(static)
		for (int k = 0; k < threads; k++)
			work();
	}
	return count;
}

static long barrier(long count)
{
#pragma omp parallel
	for (long i = 0; i < count; i++) {
		work();
#pragma omp barrier
	}
	return count;
}

static long single(long count)
{
#pragma omp parallel
	for (long i = 0; i < count; i++) {
#pragma omp single
		work();
	}
	return count;
}

static long critical(long count)
{
#pragma omp parallel
	for (long i = 0; i < count / threads; i++) {
#pragma omp critical
		work();
	}
	return count;
}

static long locks(long count)
{
#pragma omp parallel
	for (long i = 0; i < count / threads; i++) {
		omp_set_lock(&lock);
		work();
		omp_unset_lock(&lock);
	}
	return count;
}

static long task(long count)
{
#pragma omp parallel
	for (long i = 0; i < count; i++) {
#pragma omp task
		work();
	}
	return count;
}

static long reduction(long count)
{
	long sum = 0;

	for (long i = 0; i < count; i++) {
#pragma omp parallel reduction(+:sum)
		{
			work();
			sum++;
		}
	}
	shared_sum += sum;
	return count;
}

static const struct {
	const char *name;
	long (*run)(long count);
	long count;		/* of one sample: a few milliseconds */
} constructs[] = {
	{ "parallel", parallel, 4000 },
	{ "for", loop, 8000 },
	{ "barrier", barrier, 8000 },
	{ "single", single, 8000 },
	{ "critical", critical, 40000 },
	{ "lock", locks, 40000 },
	{ "task", task, 4000 },
	{ "reduction", reduction, 4000 },
};

static int smaller_first(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_ns(long (*run)(long), long count)
{
	double each[SAMPLES];

	run(count);
	for (int i = 0; i < SAMPLES; i++) {
		double begin = seconds();
		long done = run(count);

		each[i] = (seconds() - begin) * 1e9 / (double)done;
	}
	qsort(each, SAMPLES, sizeof(*each), smaller_first);
	return each[SAMPLES / 2];
}

static int is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc < 3;
}

static void print_memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	double most;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %lf", &most) == 1)
			printf("memory %.0f\n", most);
	if (file)
		fclose(file);
}

int main(int argc, char **argv)
{
	long shorter = argc > 1 ? atol(argv[1]) : 1;
	double alone;

	if (shorter < 1) {
		fprintf(stderr, "epcc: %s: by what to divide the repetitions, at least 1\n", argv[1]);
		return 2;
	}
	threads = omp_get_max_threads();
	omp_init_lock(&lock);
	alone = median_ns(reference, 100000 / shorter + 1);
	for (size_t i = 0; i < sizeof(constructs) / sizeof(*constructs); i++)
		if (is_wanted(constructs[i].name, argc, argv))
			printf("%s %.1f\n", constructs[i].name,
			       median_ns(constructs[i].run, constructs[i].count / shorter + threads) - alone);
	omp_destroy_lock(&lock);
	print_memory();
	return shared_sum < 0;
}
