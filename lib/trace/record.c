#include "trace/record.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/log.h"
#include "trace/metric_records.h"
#include "trace/mpi_objects.h"

/* A record of the location whose trace is at hand. */
#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

uint64_t fathom_trace_tick_mask = UINT64_MAX;
bool fathom_trace_reads_counter;

/* The bits that are cleared are those of the largest power of two that is not longer than a tick. */
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

static struct fathom_record_attribute attribute(uint32_t name, uint64_t value)
{
	return (struct fathom_record_attribute){ .number = name, .type = OTF2_TYPE_UINT64, .value = value };
}

/* Strings 0 and 1 of every process are the program's name and its arguments, see parameter_records.h. */
void fathom_trace_begin_program(const struct fathom_location *self, struct fathom_trace *trace,
				const struct fathom_frame *root)
{
	const struct fathom_record_attribute process = attribute(FATHOM_TRACE_ATTRIBUTE_PROCESS, (uint64_t)getpid());
	uint64_t now = fathom_trace_time(trace, root->enter_ticks);

	fathom_trace_put_with(trace, now, FATHOM_RECORD_PROGRAM_BEGIN, &process, (const uint64_t[]){ 0, 0, 1, 1 }, 3);
	if (self->meter)
		fathom_trace_metrics(self, trace, now);
	WRITE(now, FATHOM_RECORD_ENTER, root->region->id);
}

void fathom_trace_lose(struct fathom_trace *trace)
{
	static uint32_t said;

	if (fathom_peek(&trace->state) & FATHOM_TRACE_LOST)
		return;
	fathom_trace_add_state(trace, FATHOM_TRACE_LOST);
	trace->lost++;
	if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		fathom_log(FATHOM_LOG_ERROR, "events cannot be written (%s): there will be no trace",
			   strerrordesc_np(-fathom_trace_archive_error()));
}

static uint32_t threads_are_held;

void fathom_trace_hold_threads(bool hold)
{
	__atomic_store_n(&threads_are_held, hold, __ATOMIC_SEQ_CST);
}

/* Waits until the trace is closed, but not for ever: the thread that closes it might wait for something that this
 * thread holds. */
static void wait_for_the_end(struct fathom_trace *trace)
{
	enum { STEP_NS = 200000, MOST_STEPS = 10000 };
	const struct timespec step = { .tv_nsec = STEP_NS };
	int saved = errno;

	int i;

	__atomic_store_n(&trace->is_paused, 1, __ATOMIC_SEQ_CST);
	for (i = 0; i < MOST_STEPS && __atomic_load_n(&threads_are_held, __ATOMIC_SEQ_CST); i++)
		syscall(SYS_nanosleep, &step, NULL);	/* the C library's function may be a cancellation point */
	trace->has_waited = i == MOST_STEPS;
	__atomic_store_n(&trace->is_paused, 0, __ATOMIC_SEQ_CST);
	errno = saved;
}

void fathom_trace_enter_rare(struct fathom_trace *trace, struct fathom_frame *frame, uint64_t now)
{
	uint32_t state = fathom_peek(&trace->state);
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
	if (fathom_peek(&trace->state) > FATHOM_TRACE_LIMITED)
		fathom_trace_miss(trace);
	else if (fathom_trace_buffer_room(trace, fathom_trace_time(trace, now), FATHOM_TRACE_REGION_BYTES))
		fathom_trace_region(trace, now, FATHOM_RECORD_LEAVE, frame);
}

void fathom_trace_miss(struct fathom_trace *trace)
{
	if (!(fathom_peek(&trace->state) & FATHOM_TRACE_CLOSED))
		trace->lost++;
	else if (fathom_peek(&threads_are_held) && !trace->has_waited)
		wait_for_the_end(trace);
}

/* --- recording switched off and on --------------------------------------------------------------- */

/* Some thread's recording was switched off at some time. Set once and never cleared, by any thread. */
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
