#include "trace/records/record.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"

/* Writes a record of the location whose trace is in the variable trace. */
#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

uint64_t fathom_trace_tick_mask = UINT64_MAX;
bool fathom_trace_reads_counter;

/* The cleared bits are those of the largest power of two that is not longer than a tick. */
void fathom_trace_set_clock(uint64_t tick_ns)
{
	enum { MEASURING_NS = 1000000 };
	const struct timespec while_ns = { .tv_nsec = MEASURING_NS };
	uint64_t tick_units = (uint64_t)((double)tick_ns * (FATHOM_UNITS_PER_SECOND / 1e9));
	struct fathom_tick_scale scale;
	unsigned bits = 0;

	fathom_trace_reads_counter = fathom_clock_reads_counter();
	if (!tick_ns)
		return;
	nanosleep(&while_ns, NULL);	/* the process has just begun, and the length of a tick must be measured
					 * first */
	scale = fathom_clock_scale();
	while (bits < 40 && fathom_ticks_to_units(scale, (uint64_t)2 << bits) <= tick_units)
		bits++;
	fathom_trace_tick_mask = ~(((uint64_t)1 << bits) - 1);
}

double fathom_trace_ticks_per_second(void)
{
	return FATHOM_UNITS_PER_SECOND / ((double)fathom_clock_scale().units_per_tick_q32 / 4294967296.0);
}

/* While the other threads are held: the thread that closes the trace. 0: no threads are held. */
static pid_t closing_thread;
static uint32_t most_held_seconds;	/* the longest time for which they are held; set before closing_thread */

static pid_t thread_number(void)
{
	return (pid_t)syscall(SYS_gettid);
}

void fathom_trace_hold_threads(uint32_t most_seconds)
{
	fathom_poke(&most_held_seconds, most_seconds);
	__atomic_store_n(&closing_thread, thread_number(), __ATOMIC_SEQ_CST);
}

void fathom_trace_release_threads(void)
{
	__atomic_store_n(&closing_thread, 0, __ATOMIC_SEQ_CST);
}

/*
 * Waits until the closing thread releases the held threads. If a thread continues earlier, the trace lacks the leaves
 * of its regions. But the closing thread may wait for a lock that this thread holds: this thread gives up waiting if
 * the closing thread waits for a futex at all of ENOUGH_CHECKS checks in a row, which take 2 s. If the closing thread
 * waits in another way, most_held_seconds is the limit.
 */
static void wait_until_released(struct fathom_trace *trace)
{
	enum { STEP_NS = 200000, STEPS_PER_CHECK = 500, ENOUGH_CHECKS = 20 };
	const struct timespec step = { .tv_nsec = STEP_NS };
	uint64_t most_ns = fathom_peek(&most_held_seconds) * UINT64_C(1000000000);
	uint64_t deadline_ns = fathom_clock_monotonic_ns() + most_ns;
	int checks = 0, saved = errno;
	pid_t thread;

	__atomic_store_n(&trace->is_paused, 1, __ATOMIC_SEQ_CST);
	for (uint32_t i = 1; (thread = __atomic_load_n(&closing_thread, __ATOMIC_SEQ_CST)); i++) {
		if (checks == ENOUGH_CHECKS || fathom_clock_monotonic_ns() > deadline_ns)
			break;
		syscall(SYS_nanosleep, &step, NULL);	/* the C library's function may be a cancellation point */
		if (i % STEPS_PER_CHECK == 0)
			checks = fathom_lock_is_awaited_by(thread) ? checks + 1 : 0;
	}
	trace->has_waited = thread;
	__atomic_store_n(&trace->is_paused, 0, __ATOMIC_SEQ_CST);
	errno = saved;
}

void fathom_trace_enter_rare(struct fathom_trace *trace, struct fathom_frame *frame, uint64_t now)
{
	uint32_t state = fathom_peek(&trace->state) & ~(uint32_t)FATHOM_TRACE_DEFERS;
	bool is_left_out = state > FATHOM_TRACE_LIMITED ||
			   (state && frame->region->paradigm == FATHOM_PARADIGM_COMPILER);

	if (is_left_out)
		fathom_trace_miss(trace);
	else if (fathom_trace_buffer_room(trace, fathom_trace_time(trace, now), FATHOM_TRACE_REGION_BYTES))
		fathom_trace_region(trace, now, FATHOM_RECORD_ENTER, frame);
	else
		is_left_out = true;
	if (is_left_out)
		frame->flags |= FATHOM_FRAME_UNTRACED;
}

void fathom_trace_exit_rare(struct fathom_trace *trace, const struct fathom_frame *frame, uint64_t now)
{
	if (fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED))
		fathom_trace_miss(trace);
	else if (fathom_trace_buffer_room(trace, fathom_trace_time(trace, now), FATHOM_TRACE_REGION_BYTES))
		fathom_trace_region(trace, now, FATHOM_RECORD_LEAVE, frame);
}

void fathom_trace_miss(struct fathom_trace *trace)
{
	pid_t thread = fathom_peek(&closing_thread);

	if (!(fathom_peek(&trace->state) & FATHOM_TRACE_CLOSED))
		trace->lost++;
	else if (thread && !trace->has_waited && thread != thread_number())
		wait_until_released(trace);
}

/* --- pauses of recording ----------------------------------------------------------------------------- */

/* Some thread was paused at some time. Set once and never cleared, by any thread. */
static bool has_gaps;

void fathom_trace_on_off(struct fathom_location *self, bool is_on, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace || trace->is_off == !is_on)
		return;
	fathom_poke(&has_gaps, true);
	trace->is_off = !is_on;
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_MEASUREMENT_ON_OFF,
	      is_on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

bool fathom_trace_has_gaps(void)
{
	return fathom_peek(&has_gaps);
}
