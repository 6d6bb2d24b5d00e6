/* To be preloaded: getrusage takes a long time, as counters may that are read through a hypervisor. */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TAKES_NS = 20000000 };

int getrusage(__rusage_who_t who, struct rusage *usage)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < TAKES_NS);
	return (int)syscall(SYS_getrusage, who, usage);
}
