#include "run/processor_time.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

/* The processor clock of the initial thread, as include/linux/posix-timers_types.h numbers it. */
static clockid_t initial_thread_clock(void)
{
	enum { OF_THREAD = 4, SCHEDULED = 2 };

	return (clockid_t)(~(unsigned)fathom.pid << 3 | OF_THREAD | SCHEDULED);
}

/* The processor time of a process or thread so far. Where the kernel does not tell: what it was at the start.
 * Context: signal. */
static uint64_t processor_ns(clockid_t clock)
{
	struct timespec used;

	if (clock_gettime(clock, &used))
		return fathom_run.begin_processor_ns;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* What the clocks showed when the program's work ended. */
static struct fathom_processor_time noted;

void fathom_processor_time_begin(void)
{
	fathom_run.begin_processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void fathom_processor_time_note(void)
{
	noted.all_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID) - fathom_run.begin_processor_ns;
	noted.initial_ns = processor_ns(initial_thread_clock()) - fathom_run.begin_processor_ns;
}

void fathom_processor_time_move(void)
{
	/* Both are unsigned: what the parent used is added by a begin before the child's 0. */
	fathom_run.begin_processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID) - noted.all_ns;
}

struct fathom_processor_time fathom_processor_time_noted(void)
{
	return noted;
}

uint64_t fathom_processor_time_waited_ns(void)
{
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	char text[128];
	const char *waited;
	ssize_t length;

	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length < 0 ? 0 : length] = '\0';
	waited = strchr(text, ' ');		/* behind the time that it ran */
	return waited ? strtoull(waited, NULL, 10) : 0;
}
