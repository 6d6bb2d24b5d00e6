#include "run/processor_time.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

/* Returns the id of the processor clock of the initial thread, as linux/posix-timers_types.h defines it. */
static clockid_t initial_thread_clock(void)
{
	enum { OF_THREAD = 4, SCHEDULED = 2 };

	return (clockid_t)(~(unsigned)fathom.pid << 3 | OF_THREAD | SCHEDULED);
}

/* Returns the processor time that a process or thread has used so far, in ns; if the kernel does not report it, the
 * time at the begin of the measurement, so that the difference is 0. */
static uint64_t processor_ns(clockid_t clock)
{
	struct timespec used;

	if (clock_gettime(clock, &used))
		return fathom_run.begin_processor_ns;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* The times when the program's work ended. */
static struct fathom_processor_time noted_times;

void fathom_processor_time_begin(void)
{
	fathom_run.begin_processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void fathom_processor_time_note(void)
{
	noted_times.all_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID) - fathom_run.begin_processor_ns;
	noted_times.initial_ns = processor_ns(initial_thread_clock()) - fathom_run.begin_processor_ns;
}

void fathom_processor_time_move(void)
{
	/* The begin may be negative in effect: unsigned arithmetic then adds the parent's time to the child's. */
	fathom_run.begin_processor_ns = processor_ns(CLOCK_PROCESS_CPUTIME_ID) - noted_times.all_ns;
}

struct fathom_processor_time fathom_processor_time_noted(void)
{
	return noted_times;
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
	waited = strchr(text, ' ');		/* the first number is the time that the thread ran */
	return waited ? strtoull(waited, NULL, 10) : 0;
}
