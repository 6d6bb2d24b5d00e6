#include "platform/write.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* This file makes system calls directly, because the program may replace the C library's functions, and because some of
 * them are cancellation points. */

static const uint64_t of_writes = (uint64_t)1 << (SIGPIPE - 1) | (uint64_t)1 << (SIGXFSZ - 1);

void fathom_write_signals_hold(struct fathom_write_signals *before)
{
	int saved = errno;

	before->mask = before->pending = 0;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &of_writes, &before->mask, sizeof(before->mask));
	syscall(SYS_rt_sigpending, &before->pending, sizeof(before->pending));
	errno = saved;
}

/* Discards the signals that the writes of this thread caused: the kernel sends these signals in the name of the process
 * itself. If another process sent one meanwhile, this function sends the signal again, so that the program gets it
 * after the release. */
static void discard(uint64_t signals)
{
	static const struct timespec at_once = { 0 };
	siginfo_t info;

	while (signals) {
		long number = syscall(SYS_rt_sigtimedwait, &signals, &info, &at_once, sizeof(signals));

		if (number < 0 && errno == EINTR)
			continue;
		if (number <= 0)
			break;
		signals &= ~((uint64_t)1 << (number - 1));
		if (info.si_code <= 0 && info.si_pid != getpid())
			syscall(SYS_rt_sigqueueinfo, getpid(), number, &info);
	}
}

void fathom_write_signals_release(const struct fathom_write_signals *before)
{
	int saved = errno;

	discard(of_writes & ~before->pending);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before->mask, NULL, sizeof(before->mask));
	errno = saved;
}

int fathom_write_all(int fd, const void *data, size_t bytes)
{
	struct fathom_write_signals before;
	const char *next = data;
	int saved = errno, err = 0;

	fathom_write_signals_hold(&before);
	while (bytes && !err) {
		long written = syscall(SYS_write, fd, next, bytes);

		if (written > 0) {
			next += written;
			bytes -= (size_t)written;
		} else if (written == 0) {
			err = -ENOSPC;		/* the kernel wrote nothing and gave no reason */
		} else if (errno != EINTR) {
			err = -errno;
		}
	}
	fathom_write_signals_release(&before);
	errno = saved;
	return err;
}
