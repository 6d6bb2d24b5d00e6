/* What the tests of counters have in common: work whose counts are known. */
#ifndef FATHOM_TEST_TOUCH_H
#define FATHOM_TEST_TOUCH_H

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* So many page faults: fresh pages, none of them large. */
__attribute__((noinline)) static void touch(long pages)
{
	long bytes = sysconf(_SC_PAGESIZE);
	char *place = mmap(0, (size_t)(pages * bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(place, (size_t)(pages * bytes), MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		place[i * bytes] = 1;
	munmap(place, (size_t)(pages * bytes));
}

/* At least so many switches to another thread, or to none. */
__attribute__((noinline)) static void nap(int times)
{
	const struct timespec moment = { 0, 100000 };

	for (int i = 0; i < times; i++)
		nanosleep(&moment, 0);
}

#endif
