/*
 * To be preloaded: a machine whose kernel offers counters of the processor, and allows programs to read them by the
 * instruction rdpmc, although the processor does not: the instruction traps. Events of the processor are page faults
 * in truth; read() tells how many. No more than two of them fit into a group.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_FILES = 1 << 16, MOST_EVENTS = 2 };

static bool is_counter[MOST_FILES];	/* files of such events */
static int followers[MOST_FILES];	/* of the leader of a group: such events beside it */

static bool knows(long fd)
{
	return fd >= 0 && fd < MOST_FILES && is_counter[fd];
}

long syscall(long number, ...)
{
	struct perf_event_attr attr;
	long a[6], result;
	long (*real)(long, ...);
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	if (number != SYS_perf_event_open)
		return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	attr = *(const struct perf_event_attr *)a[0];
	if (attr.type == PERF_TYPE_SOFTWARE)
		return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (knows(a[3]) && followers[a[3]]++ == MOST_EVENTS - 1) {
		errno = EINVAL;
		return -1;
	}
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.pinned = 0;
	result = real(number, (long)&attr, a[1], a[2], a[3], a[4], a[5]);
	if (result >= 0 && result < MOST_FILES) {
		is_counter[result] = true;
		followers[result] = 0;
	}
	return result;
}

/* fathom moves its files to high numbers, and closes the low one. */
int fcntl(int fd, int command, ...)
{
	int (*real)(int, int, ...);
	va_list list;
	long argument;
	int result;

	va_start(list, command);
	argument = va_arg(list, long);
	va_end(list);
	*(void **)&real = dlsym(RTLD_NEXT, "fcntl");
	result = real(fd, command, argument);
	if (command == F_DUPFD_CLOEXEC && knows(fd) && result >= 0 && result < MOST_FILES) {
		is_counter[fd] = false;
		is_counter[result] = true;
		followers[result] = followers[fd];
	}
	return result;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	struct perf_event_mmap_page *page;

	if (!knows(fd))
		return (void *)(unsigned long)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	page->index = 1;
	page->pmc_width = 48;
	page->cap_user_rdpmc = 1;
	return page;
}
