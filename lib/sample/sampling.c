#include "sample/sampling.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "event/location.h"
#include "event/sample.h"
#include "event/state.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "sample/sampling_signal.h"
#include "sample/unwind.h"

/* Where sampling is possible: the registers of an interrupted thread are known, and the C library keeps the signal for
 * itself. A build with ThreadSanitizer cannot run code of its own in signal handlers at any moment. */
#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#if defined(__x86_64__) && defined(__LP64__)
#define STACK_POINTER(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RSP])
#elif defined(__aarch64__)
#define STACK_POINTER(context) ((uintptr_t)(context)->uc_mcontext.sp)
#endif
#endif

enum { MOST_FRAMES = 512 };	/* of one sample */

/* Number of samples that have the same period. */
enum { SAMPLES_OF_A_PERIOD = 8 };

/* A thread that is sampled. The memory is reused for other threads and never freed. */
struct sampled_thread {
	struct fathom_source sources[FATHOM_SAMPLING_EVENTS];	/* by the index of the event */
	struct fathom_unwinder *unwinder;	/* NULL: there was no memory for one, so samples have no frames */
	uint64_t random;
	bool is_in_handler;		/* read by the thread that holds sampling */
	uint64_t taken, dropped, partial;	/* of all threads that have had this memory */
	struct sampled_thread *next;	/* in the list of all */
	struct sampled_thread *next_spare;
	struct fathom_sample_frame frames[MOST_FRAMES];	/* of the sample that is being taken */
};

enum phase { PHASE_OFF, PHASE_ON, PHASE_ENDED };

static struct {
	const struct fathom_sampled_event *events;	/* constant after the start, as the next */
	uint32_t event_count;
	bool interrupts_calls;		/* of the source timer, see source.h */
	volatile enum phase phase;
	uint32_t holds;			/* calls of hold without resume */
	uint32_t uses_perf;		/* for processor time; the first thread that may not use perf clears it */
	uint32_t has_used_perf, has_used_timer;	/* for processor time */
	uint64_t failed;		/* sources that could not be opened */
	int error;
	struct fathom_lock lock;	/* protects arena, spare and additions to newest; nests in the lock of
					 * locations */
	struct fathom_arena arena;
	struct sampled_thread *spare;
	struct sampled_thread *newest;	/* of the list of all; released when complete */
} sampling;

static FATHOM_TLS struct sampled_thread *this_thread;	/* NULL: the calling thread is not sampled */

bool fathom_sampling_is_on(void)
{
	return sampling.phase == PHASE_ON;
}

/* --- one thread ------------------------------------------------------------------------------------ */

/* Returns a random number below range. */
static uint64_t random_below(struct sampled_thread *thread, uint64_t range)
{
	/* xorshift64: good enough, and no division by a variable number of steps. */
	thread->random ^= thread->random << 13;
	thread->random ^= thread->random >> 7;
	thread->random ^= thread->random << 17;
	return range ? thread->random % range : 0;
}

/* Returns the next period: that of the event, plus or minus up to a tenth. */
static uint64_t next_period(struct sampled_thread *thread, const struct fathom_source *source)
{
	uint64_t period = source->event->period, tenth = period / 10;

	return period - tenth + random_below(thread, 2 * tenth + 1);
}

/* Opens the source; processor time is sampled by timers where perf events are not allowed. */
static int open_source(struct fathom_source *source)
{
	const struct fathom_source_kind *kind = &fathom_source_perf;
	bool is_time = source->event->number == FATHOM_SAMPLE_TIME;
	int err = -EACCES;

	if (!is_time || fathom_peek(&sampling.uses_perf))
		err = kind->open(source);
	if (err && is_time) {
		if (err == -EACCES || err == -EPERM || err == -ENOSYS || err == -ENOENT)
			fathom_poke(&sampling.uses_perf, false);
		kind = &fathom_source_timer;
		err = kind->open(source);
	}
	if (err)
		return err;
	if (is_time)
		fathom_poke(kind == &fathom_source_perf ? &sampling.has_used_perf : &sampling.has_used_timer, true);
	__atomic_store_n(&source->kind, kind, __ATOMIC_RELEASE);
	return 0;
}

static void open_sources(struct sampled_thread *thread)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	thread->random = ((uint64_t)now.tv_nsec << 32 ^ (uint64_t)syscall(SYS_gettid) * 0x9e3779b97f4a7c15ull) | 1;
	for (uint32_t i = 0; i < sampling.event_count; i++) {
		struct fathom_source *source = &thread->sources[i];
		int err;

		source->event = &sampling.events[i];
		err = open_source(source);
		if (err) {
			__atomic_fetch_add(&sampling.failed, 1, __ATOMIC_RELAXED);
			fathom_poke(&sampling.error, err);
			continue;
		}
		/* Each moment of a thread is as likely as any other to be hit, even in a thread that does not live as
		 * long as one period. */
		source->kind->arm(source, 1 + random_below(thread, source->event->period), 1);
	}
}

static void close_sources(struct sampled_thread *thread)
{
	for (uint32_t i = 0; i < sampling.event_count; i++) {
		struct fathom_source *source = &thread->sources[i];
		const struct fathom_source_kind *kind = source->kind;

		__atomic_store_n(&source->kind, NULL, __ATOMIC_RELAXED);
		atomic_signal_fence(memory_order_seq_cst);
		if (kind)
			kind->close(source);
	}
}

/* --- the handler ----------------------------------------------------------------------------------- */

#ifdef STACK_POINTER
/* Returns the open source of the calling thread that has sent the signal. NULL: none has. */
static struct fathom_source *find_source(struct sampled_thread *thread, const siginfo_t *info)
{
	for (uint32_t i = 0; i < sampling.event_count; i++) {
		struct fathom_source *source = &thread->sources[i];

		if (source->kind && source->kind->has_sent(source, info))
			return source;
	}
	return NULL;
}

/* Returns the innermost frame whose function is still active. A jump or an exception has left those above, and the core
 * has not noticed yet. */
static struct fathom_frame *innermost_active(const struct fathom_location *self, const ucontext_t *context)
{
	uintptr_t here = STACK_POINTER(context);
	struct fathom_frame *frame = self->top;

	if (context->uc_stack.ss_flags & SS_ONSTACK)
		return frame;
	while (frame > self->root && frame->stack < here && here - frame->stack <= FATHOM_LARGEST_STACK_BYTES)
		frame--;
	return frame;
}

/* Passes the sample on to the substrate. self is not busy. */
static void record(struct sampled_thread *thread, struct fathom_location *self, const struct fathom_source *source,
		   uint64_t value, const ucontext_t *context)
{
	struct fathom_frame *frame = innermost_active(self, context);
	struct fathom_sample sample = {
		.frames = thread->frames,
		.event = source->event->number,
		.period = value,
		.mean_period = source->event->period,
		.name = source->event->name,
	};

	fathom_location_begin(self, STACK_POINTER(context));
	if (thread->unwinder)
		sample.count = fathom_unwind(thread->unwinder, context, frame->stack, thread->frames, MOST_FRAMES,
					     &sample.is_partial, &sample.has_own);
	if (fathom.substrate->sample)
		fathom.substrate->sample(self, frame, &sample);
	fathom_location_end(self, self->top);
	fathom_poke(&thread->taken, thread->taken + 1);
	fathom_poke(&thread->partial, thread->partial + sample.is_partial);
}

static bool is_recording(void)
{
	return fathom.phase == FATHOM_PHASE_RECORDING || fathom.phase == FATHOM_PHASE_UNIFIED;
}

static void take(struct sampled_thread *thread, const struct fathom_source *source, uint64_t value,
		 const ucontext_t *context)
{
	struct fathom_location *self = fathom_self;

	if (fathom_location_is_none(self) || self->is_paused || self->end_ticks || !is_recording())
		return;
	if (self->busy || self->is_moving || fathom_peek(&sampling.holds))
		fathom_poke(&thread->dropped, thread->dropped + 1);
	else
		record(thread, self, source, value, context);
}

static bool on_sample(const siginfo_t *info, ucontext_t *context)
{
	struct sampled_thread *thread = this_thread;
	struct fathom_source *source = thread ? find_source(thread, info) : NULL;

	if (!source)
		return false;
	if (sampling.phase != PHASE_ON)
		return true;		/* and the source is not armed again */
	/* Pairs with the fence in fathom_sampling_hold: that thread finds this one in the handler, or this one finds
	 * that sampling is held. */
	__atomic_store_n(&thread->is_in_handler, true, __ATOMIC_SEQ_CST);
	take(thread, source, source->kind->value(source), context);
	if (source->kind->is_last(info))
		source->kind->arm(source, next_period(thread, source), SAMPLES_OF_A_PERIOD);
	__atomic_store_n(&thread->is_in_handler, false, __ATOMIC_RELEASE);
	if (sampling.interrupts_calls && info->si_code == SI_TIMER)
		fathom_sampling_signal_restart_call(context);
	return true;
}
#endif

/* --- all threads ----------------------------------------------------------------------------------- */

/* The C library had replaced the handler, and its handler may have got signals of sources, which are then not armed. */
static void arm_all(void)
{
	const struct sampled_thread *thread;

	for (thread = __atomic_load_n(&sampling.newest, __ATOMIC_ACQUIRE); thread; thread = thread->next) {
		for (uint32_t i = 0; i < sampling.event_count; i++) {
			struct fathom_source source = thread->sources[i];
			const struct fathom_source_kind *kind;

			kind = __atomic_load_n(&thread->sources[i].kind, __ATOMIC_ACQUIRE);
			if (kind == &fathom_source_perf)
				kind->arm(&source, source.event->period, SAMPLES_OF_A_PERIOD);
		}
	}
}

int fathom_sampling_start(const struct fathom_sampled_event *events, uint32_t count, bool uses_perf)
{
#ifdef STACK_POINTER
	int err = fathom_sampling_signal_init(on_sample);

	if (err)
		return err;
	fathom_unwind_init();	/* without its tables, it guesses more */
	sampling.events = events;
	sampling.event_count = count;
	sampling.uses_perf = uses_perf;
	sampling.interrupts_calls = fathom_source_timer.interrupts_calls();
	sampling.phase = PHASE_ON;
	return 0;
#else
	(void)events, (void)count, (void)uses_perf;
	return -ENOTSUP;
#endif
}

/* Returns memory for the calling thread. NULL: there is none. */
static struct sampled_thread *take_memory(void)
{
	struct sampled_thread *thread;

	fathom_lock_take(&sampling.lock);
	thread = sampling.spare;
	if (thread) {
		sampling.spare = thread->next_spare;
	} else {
		thread = fathom_arena_alloc(&sampling.arena, sizeof(*thread));
		if (thread) {
			thread->next = sampling.newest;
			__atomic_store_n(&sampling.newest, thread, __ATOMIC_RELEASE);
		}
	}
	fathom_lock_give(&sampling.lock);
	return thread;
}

void fathom_sampling_keep_handler(void)
{
	static uint32_t was_replaced;
	int saved = errno;

	if (sampling.phase != PHASE_ON || fathom_peek(&was_replaced))
		return;
	if (fathom_sampling_signal_keep()) {
		fathom_poke(&was_replaced, true);
		arm_all();
	}
	errno = saved;
}

void fathom_sampling_thread_begin(void)
{
	struct sampled_thread *thread;
	int saved = errno;

	if (sampling.phase != PHASE_ON || this_thread)
		return;
	fathom_sampling_keep_handler();
	thread = take_memory();
	if (thread) {
		if (thread->unwinder)
			fathom_unwinder_take_over(thread->unwinder);
		else
			thread->unwinder = fathom_unwinder_create();
		this_thread = thread;
		atomic_signal_fence(memory_order_seq_cst);
		open_sources(thread);
	}
	errno = saved;
}

void fathom_sampling_thread_end(void)
{
	struct sampled_thread *thread = this_thread;
	int saved = errno;

	if (!thread)
		return;
	this_thread = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	close_sources(thread);
	fathom_lock_take(&sampling.lock);
	thread->next_spare = sampling.spare;
	sampling.spare = thread;
	fathom_lock_give(&sampling.lock);
	errno = saved;
}

void fathom_sampling_hold(void)
{
	enum { MOST_TRIES = 1000 };
	const struct sampled_thread *thread;
	int tries = 0;

	__atomic_add_fetch(&sampling.holds, 1, __ATOMIC_SEQ_CST);
	for (thread = __atomic_load_n(&sampling.newest, __ATOMIC_ACQUIRE); thread; thread = thread->next)
		while (thread != this_thread && tries < MOST_TRIES &&
		       __atomic_load_n(&thread->is_in_handler, __ATOMIC_SEQ_CST)) {
			sched_yield();
			tries++;
		}
}

void fathom_sampling_resume(void)
{
	__atomic_sub_fetch(&sampling.holds, 1, __ATOMIC_RELEASE);
}

void fathom_sampling_end(void)
{
	if (sampling.phase == PHASE_OFF)
		return;
	sampling.phase = PHASE_ENDED;
	fathom_sampling_hold();
}

/* --- exec, fork ------------------------------------------------------------------------------------ */

void fathom_sampling_before_exec(void)
{
	int saved = errno;

	if (this_thread)
		close_sources(this_thread);
	errno = saved;
}

void fathom_sampling_after_exec(void)
{
	int saved = errno;

	if (this_thread && sampling.phase == PHASE_ON)
		open_sources(this_thread);
	errno = saved;
}

void fathom_sampling_forget(void)
{
	struct sampled_thread *thread;

	sampling.phase = PHASE_OFF;
	this_thread = NULL;
	fathom_lock_reset(&sampling.lock);
	for (thread = sampling.newest; thread; thread = thread->next) {
		for (uint32_t i = 0; i < sampling.event_count; i++) {
			struct fathom_source *source = &thread->sources[i];

			if (source->kind && !source->kind->is_lost_in_fork)
				source->kind->close(source);
			source->kind = NULL;
		}
		thread->is_in_handler = false;
	}
}

void fathom_sampling_continue(void)
{
	if (sampling.events)
		sampling.phase = PHASE_ON;
}

/* --- results --------------------------------------------------------------------------------------- */

bool fathom_sampling_recover(int number, const siginfo_t *info)
{
	/* The kernel sends this in place of a real-time signal that it cannot queue. */
	if (number != SIGIO || info->si_code != SI_KERNEL || !this_thread || !fathom_peek(&sampling.has_used_perf))
		return false;
	for (uint32_t i = 0; i < sampling.event_count; i++) {
		struct fathom_source *source = &this_thread->sources[i];

		if (source->kind == &fathom_source_perf)
			source->kind->arm(source, next_period(this_thread, source), SAMPLES_OF_A_PERIOD);
	}
	fathom_poke(&this_thread->dropped, this_thread->dropped + 1);
	return true;
}

struct fathom_sampling_counts fathom_sampling_count(void)
{
	struct fathom_sampling_counts counts = { .failed = fathom_peek(&sampling.failed), .error = sampling.error };
	const struct sampled_thread *thread;

	for (thread = __atomic_load_n(&sampling.newest, __ATOMIC_ACQUIRE); thread; thread = thread->next) {
		counts.taken += fathom_peek(&thread->taken);
		counts.dropped += fathom_peek(&thread->dropped);
		counts.partial += fathom_peek(&thread->partial);
	}
	if (sampling.has_used_perf)
		counts.source = sampling.has_used_timer ? "perf cpu-clock and timers" : "perf cpu-clock";
	else if (sampling.has_used_timer)
		counts.source = "timers of processor time";
	return counts;
}
