/*
 * What an enter and its exit cost with 0, 1 and 4 counters, and what reading the same costs raw. Build with the hooks
 * (fathom gcc -finstrument-functions, or by the libraries), run it with FATHOM_METRICS as wanted: it prints ns for a call of
 * an empty function. With a word, the raw readings: read() of perf descriptors alone and in a group, and PAPI_read where
 * built with -DWITH_PAPI, and rdpmc where the kernel allows it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_PAPI
#include <papi.h>
#endif

/* Rounds are shorter than a slice of the scheduler. */
enum { ROUNDS = 601, CALLS = 50 };

__attribute__((noinline)) static void empty(void)
{
	__asm__ volatile("" ::: "memory");
}

__attribute__((no_instrument_function)) static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

__attribute__((no_instrument_function)) static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

#define MEASURE(what, ...) \
	do { \
		double times[ROUNDS]; \
		for (int round = 0; round < ROUNDS; round++) { \
			double begin = now(); \
			for (int call = 0; call < CALLS; call++) \
				__VA_ARGS__; \
			times[round] = (now() - begin) / CALLS; \
		} \
		qsort(times, ROUNDS, sizeof(*times), by_size); \
		printf("%-40s %8.0f ns\n", what, times[ROUNDS / 2]); \
	} while (0)

__attribute__((no_instrument_function)) static int open_event(uint64_t config, int leader)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = config,
					.read_format = PERF_FORMAT_GROUP };

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
}

/* A counter of the processor, by its page as the kernel's linux/perf_event.h says, and by read(). */
__attribute__((no_instrument_function)) static void processor(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	uint64_t data[8];

	if (fd < 0) {
		printf("%-40s %s\n", "rdpmc of 1 counter of the processor", strerror(errno));
		return;
	}
	MEASURE("read() of 1 counter of the processor", (void)!read(fd, data, sizeof(data)));
#ifdef __x86_64__
	{
		volatile struct perf_event_mmap_page *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
								  MAP_SHARED, fd, 0);
		uint32_t low, high, index;

		if (page == MAP_FAILED || !page->cap_user_rdpmc || !page->index) {
			printf("%-40s %s\n", "rdpmc of 1 counter of the processor", "the kernel does not allow it");
			return;
		}
		MEASURE("rdpmc of 1 counter of the processor",
			index = page->lock;
			__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(page->index - 1));
			data[0] = (uint64_t)page->offset + ((uint64_t)high << 32 | low) + (index != page->lock));
	}
#endif
}

__attribute__((no_instrument_function)) static void raw(void)
{
	uint64_t data[8];
	struct rusage usage;
	int one = open_event(PERF_COUNT_SW_PAGE_FAULTS, -1), group = open_event(PERF_COUNT_SW_PAGE_FAULTS, -1);

	if (one < 0 || group < 0) {
		perror("perf_event_open");
		exit(1);
	}
	open_event(PERF_COUNT_SW_CPU_MIGRATIONS, group);
	open_event(PERF_COUNT_SW_PAGE_FAULTS_MAJ, group);
	open_event(PERF_COUNT_SW_PAGE_FAULTS_MIN, group);
	MEASURE("read() of 1 perf event", (void)!read(one, data, sizeof(data)));
	MEASURE("read() of a group of 4", (void)!read(group, data, sizeof(data)));
	MEASURE("getrusage(RUSAGE_THREAD)", getrusage(RUSAGE_THREAD, &usage));
	processor();
#ifdef WITH_PAPI
	{
		static char *const names[] = { "perf::PAGE-FAULTS", "perf::CPU-MIGRATIONS", "perf::MAJOR-FAULTS",
					       "perf::MINOR-FAULTS" };
		long long values[4];

		PAPI_library_init(PAPI_VER_CURRENT);
		for (int count = 1; count <= 4; count += 3) {
			int set = PAPI_NULL;

			PAPI_create_eventset(&set);
			for (int i = 0; i < count; i++)
				if (PAPI_add_named_event(set, names[i]) != PAPI_OK)
					return;
			PAPI_start(set);
			MEASURE(count == 1 ? "PAPI_read of 1 perf event" : "PAPI_read of 4", PAPI_read(set, values));
			PAPI_stop(set, values);
		}
	}
#endif
}

__attribute__((no_instrument_function)) int main(int count, char **words)
{
	(void)words;
	if (count > 1)
		raw();
	else
		MEASURE(getenv("FATHOM_METRICS") ? getenv("FATHOM_METRICS") : "no counter", empty());
	return 0;
}
