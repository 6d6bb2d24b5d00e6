/*
 * Source of samples: a timer of the processor time of the calling thread.
 *
 * The kernel looks at these timers at its ticks only. The thread is due at a time that does not depend on when the last
 * tick came, so that the number of samples is right on average as long as it is below that of the ticks.
 */
#include "sample/source.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "sample/sampling_signal.h"

enum { NS_PER_SECOND = 1000000000 };

/* The C library's name for the thread is in a union whose members have no names of their own in all versions. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static uint64_t processor_ns(void)
{
	struct timespec now = { 0 };

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_SECOND), .tv_nsec = (long)(ns % NS_PER_SECOND) };
}

static int open_timer(struct fathom_source *source)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = FATHOM_SAMPLING_SIGNAL,
		.sigev_value = { .sival_ptr = source },
	};

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &source->number))
		return -errno;
	source->last_ns = source->due_ns = processor_ns();
	return 0;
}

static bool has_sent(const struct fathom_source *source, const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == source;
}

static uint64_t value(struct fathom_source *source)
{
	uint64_t now = processor_ns(), passed = now - source->last_ns;

	source->last_ns = now;
	return passed;
}

/* Only the first of the signals comes at the time that was asked for, so each signal arms the timer again. */
static void arm(struct fathom_source *source, uint64_t period, uint32_t count)
{
	uint64_t now = processor_ns();
	struct itimerspec when;

	(void)count;
	source->due_ns += period;
	if (source->due_ns <= now)
		source->due_ns = now + period;
	when.it_value = timespec_of(source->due_ns);
	/* If another handler gets a signal of the timer, the timer must go on. */
	when.it_interval = timespec_of(source->event->period);
	syscall(SYS_timer_settime, source->number, TIMER_ABSTIME, &when, NULL);
}

static bool is_last(const siginfo_t *info)
{
	(void)info;
	return true;
}

static void close_timer(struct fathom_source *source)
{
	syscall(SYS_timer_delete, source->number);
}

/* Since Linux 5.10, a thread handles its timers of processor time when it returns from the kernel. Kernels before that
 * send the signal at the tick, which may come inside a system call. */
static bool interrupts_calls(void)
{
	struct utsname system;
	int version = 0, patch_level = 0;

	if (uname(&system) || sscanf(system.release, "%d.%d", &version, &patch_level) < 2)
		return false;
	return version < 5 || (version == 5 && patch_level < 10);
}

const struct fathom_source_kind fathom_source_timer = {
	.name = "timer",
	.open = open_timer,
	.has_sent = has_sent,
	.value = value,
	.arm = arm,
	.is_last = is_last,
	.close = close_timer,
	.is_lost_in_fork = true,
	.interrupts_calls = interrupts_calls,
};

uint32_t fathom_source_timer_most(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || !tick.tv_nsec)
		return 0;
	return (uint32_t)(NS_PER_SECOND / tick.tv_nsec);
}
