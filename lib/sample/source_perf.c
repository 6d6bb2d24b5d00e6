/*
 * Source of samples: perf events of the calling thread, whose overflow sends the thread a signal.
 *
 * The signal is that of an ordinary asynchronous file (O_ASYNC). PERF_EVENT_IOC_REFRESH makes the kernel disable the
 * event after a number of overflows, so the thread itself decides when more samples may come.
 */
#include "sample/source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sample/sampling_signal.h"

/* The kernel does not make a period of less than 10 us. */
enum { LEAST_PERIOD_NS = 10000 };

/* Perf events that are open in this process. Each takes an open file of the program's limit. */
static int32_t open_count;

/* Returns how many of the program's open files may be perf events: a quarter. */
static int32_t most_open(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 4 > INT32_MAX)
		return INT32_MAX;
	return (int32_t)(limit.rlim_cur / 4);
}

/* The kernel sends SIGIO in place of a real-time signal that it cannot queue, and SIGIO ends most programs. */
static bool can_queue_signals(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_SIGPENDING, &limit) || limit.rlim_cur >= 256;
}

/* Moves a file to a number that the program, which gets the lowest ones, does not expect. Returns it or -errno. */
static int move_file(int fd)
{
	enum { HIGH = 1024 };
	struct rlimit limit;
	int least = HIGH, moved;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 < HIGH)
		least = (int)(limit.rlim_cur / 2);
	moved = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
	if (moved < 0)
		moved = -errno;
	syscall(SYS_close, fd);
	return moved;
}

static int open_event(const struct fathom_sampled_event *event)
{
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.type = event->type,
		.config = event->config,
		.sample_period = event->period,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_events = 1,
	};
	int fd;

	fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : move_file(fd);
}

static int open_perf(struct fathom_source *source)
{
	const struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid) };
	int fd, err;

	if (!can_queue_signals())
		return -EAGAIN;
	if (__atomic_add_fetch(&open_count, 1, __ATOMIC_RELAXED) > most_open()) {
		err = -EMFILE;
		goto forget;
	}
	fd = open_event(source->event);
	if (fd < 0) {
		err = fd;
		goto forget;
	}
	if (syscall(SYS_fcntl, fd, F_SETOWN_EX, &owner) || syscall(SYS_fcntl, fd, F_SETSIG, FATHOM_SAMPLING_SIGNAL) ||
	    syscall(SYS_fcntl, fd, F_SETFL, O_RDWR | O_ASYNC) || ioctl(fd, PERF_EVENT_IOC_ID, &source->identity)) {
		err = -errno;
		goto close_file;
	}
	source->number = fd;
	return 0;

close_file:
	syscall(SYS_close, fd);
forget:
	__atomic_sub_fetch(&open_count, 1, __ATOMIC_RELAXED);
	return err;
}

static bool has_sent(const struct fathom_source *source, const siginfo_t *info)
{
	return (info->si_code == POLL_IN || info->si_code == POLL_HUP) && info->si_fd == source->number;
}

static uint64_t value(struct fathom_source *source)
{
	return source->event->period;
}

static void arm(struct fathom_source *source, uint64_t period, uint32_t count)
{
	if (source->event->type == PERF_TYPE_SOFTWARE && source->event->config == PERF_COUNT_SW_CPU_CLOCK &&
	    period < LEAST_PERIOD_NS)
		period = LEAST_PERIOD_NS;
	ioctl(source->number, PERF_EVENT_IOC_PERIOD, &period);
	ioctl(source->number, PERF_EVENT_IOC_REFRESH, count);
}

/* The kernel has disabled the event after this signal. */
static bool is_last(const siginfo_t *info)
{
	return info->si_code == POLL_HUP;
}

/* The program may have closed all files, and the number may now belong to a file of its own. */
static bool is_own_file(const struct fathom_source *source)
{
	uint64_t identity = 0;

	return ioctl(source->number, PERF_EVENT_IOC_ID, &identity) == 0 && identity == source->identity;
}

static void close_perf(struct fathom_source *source)
{
	if (is_own_file(source))
		syscall(SYS_close, source->number);
	__atomic_sub_fetch(&open_count, 1, __ATOMIC_RELAXED);
}

const struct fathom_source_kind fathom_source_perf = {
	.name = "perf",
	.open = open_perf,
	.has_sent = has_sent,
	.value = value,
	.arm = arm,
	.is_last = is_last,
	.close = close_perf,
};

void fathom_source_time_event(struct fathom_sampled_event *event, uint32_t rate)
{
	memset(event, 0, sizeof(*event));
	memcpy(event->name, "time", sizeof("time"));
	event->number = 0;
	event->type = PERF_TYPE_SOFTWARE;
	event->config = PERF_COUNT_SW_CPU_CLOCK;
	event->period = 1000000000 / rate;
}
